import { DAY_MS, draws, lined, START_MS, type Timed, type TrafficLine } from './random-traffic';

const MINUTE_MS = 60_000;

/** Users of one device: dormitories, counters, shared tablets. */
const USERS_PER_DEVICE = 8;

/**
 * Bots on shared devices: for a fortnight, devices that honest people share sign up a dozen accounts within minutes, each of
 * which buys seconds later. Honest people sign up on the same devices, from the same addresses, one by one over two months,
 * and half of them pay within minutes, as guests do. Nobody ever labels anything.
 */
export function botWave(people: number, bots: number, seed = 11): TrafficLine[] {
  const { next, below, chance, pick, amount, exponential, ip } = draws(seed);
  const timed: Timed[] = [];
  const visit = (at: number, after: number, label: 0 | 1, who: { user: string; device: string; address: string }) => {
    const body = { user_id: who.user, ip_address: who.address, device_fingerprint: who.device };
    const paid = Math.min(150, amount(35, 0.5));
    timed.push({ at, kind: 'signup', label, body });
    timed.push({ at: at + after, kind: 'transaction', label, body: { ...body, amount: paid, currency: 'USD' } });
  };
  const shared = Array.from({ length: Math.ceil(people / USERS_PER_DEVICE) }, (_, d) => ({
    device: `device-${d}`,
    address: ip(),
  }));
  for (let p = 0; p < people; p++) {
    const after = chance(0.5) ? MINUTE_MS * (0.2 + 5 * next()) : exponential(10 * DAY_MS);
    visit(START_MS + next() * 60 * DAY_MS, after, 0, { user: `user-${p}`, ...pick(shared) });
  }
  for (let b = 0; b < bots; ) {
    const home = pick(shared);
    const start = START_MS + (30 + 14 * next()) * DAY_MS;
    const many = 8 + below(12);
    for (let i = 0; i < many; i++, b++) {
      visit(start + i * MINUTE_MS * (0.5 + next()), 1_000 + 20_000 * next(), 1, { user: `bot-${b}`, ...home });
    }
  }
  return lined(timed, START_MS);
}
