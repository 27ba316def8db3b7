import { DAY_MS, draws, lined, START_MS, type Timed, type TrafficLine } from './random-traffic';

const FIRST = [
  'anna',
  'john',
  'maria',
  'peter',
  'li',
  'sofia',
  'paul',
  'emma',
  'max',
  'lena',
  'omar',
  'julia',
  'tom',
  'eva',
];
const LAST = [
  'smith',
  'lopez',
  'weber',
  'novak',
  'rossi',
  'chen',
  'martin',
  'kowalski',
  'silva',
  'jones',
  'meyer',
  'ali',
];
const PROVIDERS = ['gmail.com', 'gmail.com', 'outlook.com', 'yahoo.com', 'mail.example', 'icloud.com'];

interface Newcomer {
  readonly user: string;
  readonly email: string;
  readonly label: 0 | 1;
}

/**
 * A web shop: people with ordinary names at large providers, half of them with a number, sign up and buy; one in eight within
 * minutes. Bots sign up from a device, an address and a network of their own each, and buy seconds later: all that a
 * wave of ten to thirty has in common is a name, `john.smith381@`, `john.smith382@`.
 */
export function emailWave(people: number, waves: number, seed = 7): TrafficLine[] {
  const { next, below, chance, pick, amount, exponential, ip } = draws(seed);
  const timed: Timed[] = [];
  const days = 60;
  const name = () => `${pick(FIRST)}${pick(['', '.', '_'])}${pick(LAST)}`;
  const newcomer = (at: number, afterMs: number, { user, email, label }: Newcomer) => {
    const common = {
      user_id: user,
      ip_address: ip(),
      device_fingerprint: `device-of-${user}`,
      custom_attributes: { email },
    };
    timed.push({ at, kind: 'signup', label, body: common });
    const paid = Math.min(150, amount(35, 0.5));
    timed.push({ at: at + afterMs, kind: 'transaction', label, body: { ...common, amount: paid, currency: 'USD' } });
  };
  for (let p = 0; p < people; p++) {
    const email = `${name()}${chance(0.5) ? below(2_000) : ''}@${pick(PROVIDERS)}`;
    const afterMs = chance(0.12) ? 5_000 + next() * 1_200_000 : Math.max(60_000, exponential(10 * DAY_MS));
    newcomer(START_MS + next() * days * DAY_MS, afterMs, { user: `person-${p}`, email, label: 0 });
  }
  for (let w = 0; w < waves; w++) {
    const [stem, provider, first] = [name(), pick(PROVIDERS), below(9_000)];
    let at = START_MS + next() * days * DAY_MS;
    for (let i = 0; i < 10 + below(20); i++) {
      newcomer(at, 1_000 + next() * 20_000, {
        user: `bot-${w}-${i}`,
        email: `${stem}${first + i}@${provider}`,
        label: 1,
      });
      at += exponential(120_000);
    }
  }
  return lined(timed, START_MS);
}
