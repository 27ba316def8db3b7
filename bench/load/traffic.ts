import { type Random, seededRandom } from '../../shared/domain/models/seeded-random';
import { fraudOf } from '../../training/simulation/frauds';
import {
  type Customer,
  loadWorld,
  type Population,
  type PopulationSize,
  population,
} from '../../training/simulation/population';
import { randomDraws, seedOf, zipfRank } from '../../training/simulation/random-draws';
import { CURRENCY, DAY_MS, HOUR_MS, pays, type TimedAttempt } from '../../training/simulation/world';

/** A request to be made; its references are picked from earlier responses when it is sent. */
export type Intent =
  | {
      readonly kind: 'screen-transaction' | 'screen-event';
      readonly account: number;
      readonly body: Readonly<Record<string, unknown>>;
      /** Which fraud it belongs to, as only the simulator knows; absent for honest people. */
      readonly fraud?: (typeof LOAD_FRAUDS)[number];
      /** Sent as `Idempotency-Key`; the same key twice is a client that retries. */
      readonly idempotencyKey?: string;
    }
  | {
      readonly kind: 'report-outcome';
      readonly account: number;
      readonly said: Readonly<Record<string, unknown>>;
      /** @default the payment that was screened longest ago and not reported yet */
      readonly subject_id?: string;
    }
  | { readonly kind: 'list-cases'; readonly account: number; readonly status: string | undefined }
  | { readonly kind: 'resolve-case'; readonly account: number; readonly status: 'approved' | 'rejected' }
  | {
      readonly kind:
        | 'get-transaction'
        | 'get-decision'
        | 'get-case'
        | 'get-risk-profile'
        | 'review-decision'
        | 'list-webhooks';
      readonly account: number;
      /** Which of the recent responses, from 0 (the latest) to 1. */
      readonly age: number;
    };

export type Operation = Intent['kind'];

/** Three at a time: a shop is rarely left alone, and never attacked by everyone at once. */
export const ATTACKERS = { share: 0.04, atOnce: 3 };
const IDEMPOTENCY_SHARE = 0.5;

/** How many screenings are of returning users; a load changes it on the way. */
export interface Returns {
  share: number;
  /** Share of all requests that report what a processor said. @default none */
  readonly outcomes?: number;
}

const RETRY_SHARE = 0.01;
const MERCHANTS = 500;
const CATEGORIES = 20;

export const LOAD_FRAUDS = ['card_testing', 'account_takeover', 'device_farm', 'bot_signups'] as const;

type Attack = Generator<Intent, void>;

/** Another attack on an account; its victim has bought a few times from home. */
function* startAttack(people: Population, account: number, serial: number, random: Random): Attack {
  const world = loadWorld(randomDraws(seedOf(account, serial)));
  const fraud = LOAD_FRAUDS[serial % LOAD_FRAUDS.length] as (typeof LOAD_FRAUDS)[number];
  const victim = people.somebody(account, random);
  const before = [1, 2, 3].map((hours) => pays(world, victim, hours * HOUR_MS));
  const attempts = fraudOf(world, fraud, `${fraud}-${serial}`, { people: [victim], fromMs: 0, untilMs: 9 * DAY_MS });
  for (const made of fraud === 'account_takeover' ? [...before, ...attempts] : attempts) {
    yield { ...screeningOf(made), account, ...(made.label === 1 ? { fraud } : {}) };
  }
}

const screeningOf = ({ attempt: { kind, body } }: TimedAttempt) => ({
  kind: kind === 'payment' ? ('screen-transaction' as const) : ('screen-event' as const),
  body: { ...body },
});

const MIX: ReadonlyArray<readonly [Exclude<Operation, 'report-outcome'>, number]> = [
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
export function paymentOf(people: Population, account: number, person: Customer, random: Random) {
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
    currency: CURRENCY[person.country],
    ip_address: person.addresses[0],
    device_fingerprint: person.devices[Math.floor(random() * person.devices.length)] ?? device,
    payment_method: 'card',
    billing_address: { country: person.country },
    custom_attributes: { order_id: String(Math.floor(random() * 1e9)), ...Object.fromEntries(attributes) },
  };
}

function eventOf(person: Customer, random: Random) {
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
    ip_address: person.addresses[0],
    device_fingerprint: person.devices[0],
  };
}

/** A processor's answer: one payment in seven is declined, mostly for insufficient funds. */
export function processorSays(serial: string, random: Random) {
  const said = { source_id: `ch_${serial}`, occurred_at: '2026-01-01T00:00:00Z', cvc_check: 'pass' };
  if (random() > 1 / 7) return { ...said, type: 'authorized', three_d_secure: 'authenticated' };
  const reasons = [
    ['insufficient_funds', 50],
    ['do_not_honor', 30],
    ['incorrect_cvc', 12],
    ['expired_card', 8],
  ] as const;
  return { ...said, type: 'declined', decline_reason: pick(reasons, random) };
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
  const seen: Array<{ readonly account: number; readonly person: Customer }> = [];
  const visitor = (): { readonly account: number; readonly person: Customer } => {
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
    if (returns.outcomes && random() < returns.outcomes) {
      yield {
        kind: 'report-outcome',
        account: people.someAccount(random),
        said: processorSays(`${seed}_${++serial}`, random),
      };
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
