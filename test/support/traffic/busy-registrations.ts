import { DAY_MS, draws, lined, START_MS, type Timed, type TrafficLine } from './random-traffic';

/**
 * Registrations where busy addresses are the honest ones: people come through offices, schools and carriers, fraudsters
 * through an address each. What signals take for a risk is a good sign here, and only labels can tell.
 */
export function busyRegistrations(count: number, seed = 9): TrafficLine[] {
  const { next, below, chance, pick, ip } = draws(seed);
  const days = 100;
  const busy = Array.from({ length: Math.ceil(count / 90) }, ip);
  const timed: Timed[] = [];
  for (let i = 0; i < count; i++) {
    const label = chance(0.06) ? 1 : 0;
    const name = `${pick(['ann', 'bob', 'cem', 'dai', 'eva', 'fil', 'gus', 'hua'])}${pick(['son', 'berg', 'li', 'ova'])}`;
    const domain =
      label === 1 && chance(0.5)
        ? pick(['quick.example', 'tmp.example'])
        : pick(['mail.example', 'post.example', 'net.example']);
    // A few honest people come from their own address too.
    const address = label === 1 || chance(0.04) ? ip() : pick(busy);
    timed.push({
      at: START_MS + next() * days * DAY_MS,
      kind: 'signup',
      label,
      body: {
        user_id: `reg-${i}`,
        ip_address: address,
        custom_attributes: { email: `${name}${below(9999)}@${domain}`, user_agent: `agent ${below(400)}` },
      },
    });
  }
  return lined(timed, START_MS + 0.7 * days * DAY_MS);
}
