import { type Random, seededRandom } from '../../shared/domain/models/seeded-random';
import { type Attack, startAttack } from './attacks';
import type { Intent, Operation } from './intent';
import {
  CATEGORIES,
  MERCHANTS,
  type Person,
  type Population,
  type PopulationSize,
  population,
  zipfRank,
} from './population';

/** Three at a time: a shop is rarely left alone, and never attacked by everyone at once. */
export const ATTACKERS = { share: 0.04, atOnce: 3 };
const IDEMPOTENCY_SHARE = 0.5;

/** How many of the screenings are of users who come back; a load changes it on the way. */
export interface Returns {
  share: number;
}

const RETRY_SHARE = 0.01;

/** What people and their systems do, in percent. */
const MIX: ReadonlyArray<readonly [Operation, number]> = [
  ['screen-transaction', 68],
  ['screen-event', 18],
  ['get-transaction', 4],
  ['get-risk-profile', 3],
  ['list-cases', 2],
  ['resolve-case', 2],
  ['get-decision', 1],
  ['get-case', 1],
  ['review-decision', 0.6],
  ['list-webhooks', 0.4],
];

function pick<Choice>(choices: ReadonlyArray<readonly [Choice, number]>, random: Random): Choice {
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return (choices[0] as readonly [Choice, number])[0];
}

/** A payment by this person, with the attributes that their account sends. */
export function paymentOf(people: Population, account: number, person: Person, random: Random) {
  const [device] = person.devices;
  const known: Record<string, string> = {
    card_fingerprint: person.card,
    card_bin: person.bin,
    email: person.email,
    merchant_id: `merchant-${zipfRank(MERCHANTS, 1, random)}`,
    category: `category-${zipfRank(CATEGORIES, 1, random)}`,
  };
  const attributes = people.habitsOf(account).map((name) => [name, known[name] ?? '']);
  return {
    user_id: person.user_id,
    amount: Math.max(1, Math.round(person.usual * (0.5 + random()) * 100) / 100),
    currency: person.currency,
    ip_address: person.ip_address,
    device_fingerprint: person.devices[Math.floor(random() * person.devices.length)] ?? device,
    payment_method: 'card',
    billing_address: { country: person.country },
    custom_attributes: { order_id: String(Math.floor(random() * 1e9)), ...Object.fromEntries(attributes) },
  };
}

function eventOf(person: Person, random: Random) {
  const event_type = pick(
    [
      ['login', 85],
      ['signup', 8],
      ['password_reset', 4],
      ['profile_update', 3],
    ] as const,
    random,
  );
  return {
    event_type,
    user_id: person.user_id,
    outcome: event_type === 'login' && random() < 0.05 ? 'failed' : 'succeeded',
    ip_address: person.ip_address,
    device_fingerprint: person.devices[0],
  };
}

/** The whole load, in order; the same seed gives the same requests on every machine. */
export function* traffic(
  seed: number,
  size: PopulationSize,
  attackers = ATTACKERS,
  returns: Returns = { share: 0 },
): Generator<Intent, never> {
  const random = seededRandom(seed);
  const people = population(seed, size);
  const attacks: Attack[] = [];
  // Those who will come back, the longest absent first.
  const seen: Array<{ readonly account: number; readonly person: Person }> = [];
  const visitor = (): { readonly account: number; readonly person: Person } => {
    const back = random() < returns.share ? seen.shift() : undefined;
    const account = back?.account ?? people.someAccount(random);
    const visit = back ?? { account, person: people.somebody(account, random) };
    seen.push(visit);
    return visit;
  };
  let serial = 0;
  let latest: Intent | undefined;
  for (;;) {
    if (random() < attackers.share) {
      while (attacks.length < attackers.atOnce)
        attacks.push(startAttack(people, people.someAccount(random), ++serial, random));
      const at = Math.floor(random() * attacks.length);
      const { value, done } = (attacks[at] as Attack).next();
      if (done) attacks.splice(at, 1);
      else yield value;
      continue;
    }
    if (latest && random() < RETRY_SHARE) {
      yield latest;
      continue;
    }
    const kind = pick(MIX, random);
    if (kind === 'screen-transaction' || kind === 'screen-event') {
      const { account, person } = visitor();
      const body = kind === 'screen-transaction' ? paymentOf(people, account, person, random) : eventOf(person, random);
      const hasKey = random() < IDEMPOTENCY_SHARE;
      const intent: Intent = { kind, account, body, ...(hasKey ? { idempotencyKey: `load-${seed}-${++serial}` } : {}) };
      if (hasKey) latest = intent;
      yield intent;
      continue;
    }
    const account = people.someAccount(random);
    if (kind === 'list-cases') yield { kind, account, status: random() < 0.7 ? 'open' : undefined };
    else if (kind === 'resolve-case') yield { kind, account, status: random() < 0.6 ? 'rejected' : 'approved' };
    else yield { kind, account, age: random() };
  }
}
