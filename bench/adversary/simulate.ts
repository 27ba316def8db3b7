import type { DeclineReason } from '../../shared/domain/outcomes/processor-word';
import { type Crowd, honestPeople, regularCustomer } from '../../training/simulation/people';
import { randomDraws, seedOfName } from '../../training/simulation/random-draws';
import {
  type Addresses,
  DAY_MS,
  HOUR_MS,
  inOrder,
  MINUTE_MS,
  type Person,
  type TimedAttempt,
  type World,
} from '../../training/simulation/world';
import { type Attacker, attacker } from './attacker';
import { honestLedger, type RunResult } from './outcome';
import type { Strategy } from './strategy';
import { type Answer, isStopped, type Target } from './target';

export interface SimulateOptions {
  readonly target: Target;
  readonly addresses: Addresses;
  readonly strategies: readonly Strategy[];
  readonly people: number;
  readonly seed: number;
  readonly onStep?: (done: number, total: number) => void;
}

const DAYS_BEFORE = 40;
const DAYS_AFTER = 24;
const KINDS: Crowd['kinds'] = {
  plain: 0.08,
  forgetful: 0.07,
  family: 0.13,
  'family card': 0.04,
  office: 0.1,
  carrier: 0.11,
  traveller: 0.07,
  'new phone': 0.07,
  business: 0.05,
  'gift buyer': 0.06,
  private: 0.03,
  mover: 0.03,
  'night owl': 0.03,
  'sale day': 0.05,
  furnisher: 0.04,
  'phone order': 0.04,
};

export const worldOf = (addresses: Addresses, seed: number): World => ({
  draws: randomDraws(seed),
  addresses,
  merchants: [],
  habits: { spread: [0.3, 0.7], perDay: [0.06, 0.25], peakHour: [8, 21] },
  cardOf: (user_id) => `${user_id}-card`,
});

/** Honest customers and everything they do from then on, in chronological order. */
export function customers(
  count: number,
  seed: number,
  { addresses, beginMs }: { readonly addresses: Addresses; readonly beginMs: number },
): TimedAttempt[] {
  const untilMs = beginMs + (DAYS_BEFORE + DAYS_AFTER) * DAY_MS;
  const habits = { newcomers: 0.3, offices: 40, businessPace: 0.4, treats: 0, settledDays: 7 };
  const crowd = { fromMs: beginMs, untilMs, kinds: KINDS, ...habits, seed };
  const { attempts } = honestPeople(worldOf(addresses, seed), count, crowd);
  return inOrder(attempts.filter(({ at_ms }) => at_ms < untilMs));
}

/**
 * Lets honest people and attackers act on one service, in the order of time. Honest people have been customers for weeks
 * when the attackers begin, an hour apart.
 */
export async function simulate(options: SimulateOptions): Promise<RunResult> {
  const { target, addresses, strategies, people, seed, onStep } = options;
  const beginMs = Math.ceil(target.now() / DAY_MS) * DAY_MS;
  const attackMs = beginMs + DAYS_BEFORE * DAY_MS + 10 * HOUR_MS;
  const ledger = honestLedger();
  const attempts = customers(people, seed, { addresses, beginMs });
  const attackers = strategies.map((strategy, number): Attacker => {
    const startMs = attackMs + number * HOUR_MS;
    const victims: Person[] = [];
    for (let i = 0; i < (strategy.victims ?? 0); i++) {
      const name = `${strategy.name}-victim-${i}`;
      const { person, attempts: life } = regularCustomer(worldOf(addresses, seedOfName(seed, name)), name, startMs);
      victims.push(person);
      attempts.push(...life);
    }
    const onHonest = (person: Person, answer: Answer) => ledger.add(person, answer);
    const world = worldOf(addresses, seedOfName(seed, strategy.name));
    return attacker({ strategy, target, world, victims, startMs, onHonest });
  });
  inOrder(attempts);

  const next = (): Attacker | undefined => {
    let first: Attacker | undefined;
    for (const each of attackers) {
      const at = each.wakesAtMs();
      if (at !== undefined && at < (first?.wakesAtMs() ?? Number.POSITIVE_INFINITY)) first = each;
    }
    return first;
  };
  const trouble = troubleAfter(beginMs, seed);
  let done = 0;
  async function meet(honest: TimedAttempt): Promise<void> {
    const answer = await target.screen('shop', honest.attempt);
    const met = trouble(honest);
    ledger.add(honest.person, answer, met?.name);
    if (isStopped(answer)) {
      for (const each of attackers) if (each.shares(honest.attempt)) each.hurts(honest.person);
      return;
    }
    if (met) await target.say('shop', answer.decision_id, met.word);
    if (!met?.retry) return;
    const { at_ms } = met.retry;
    const later = attempts.findIndex((each, at) => at > done && each.at_ms > at_ms);
    attempts.splice(later >>> 0, 0, met.retry);
  }
  for (;;) {
    const adversary = next();
    const wakesAtMs = adversary?.wakesAtMs() ?? Number.POSITIVE_INFINITY;
    const honest = attempts[done];
    if (honest && honest.at_ms <= wakesAtMs) {
      await target.moveTo(honest.at_ms);
      await meet(honest);
      done += 1;
      onStep?.(done, attempts.length);
    } else if (adversary) {
      await target.moveTo(wakesAtMs);
      await adversary.wake();
    } else break;
  }
  return { honest: ledger.total(), outcomes: attackers.map((each) => each.outcome()) };
}

/** Days, counted from the first, on which banks decline more payments than usual, and people try again. */
const TROUBLES = [
  { name: 'payday', days: [45, 46], hours: [0, 24], share: 0.25, word: 'insufficient_funds' },
  { name: 'outage', days: [52], hours: [9, 21], share: 0.4, word: 'do_not_honor' },
] as const;
const MOST_RETRIES = 3;

interface Trouble {
  readonly name: string;
  readonly word: DeclineReason | 'authorized';
  /** A minute later: the same card once more, then another each time. */
  readonly retry?: TimedAttempt;
}

/** The bank's answer to an honest payment that was allowed, if it matters here. */
function troubleAfter(beginMs: number, seed: number): (honest: TimedAttempt) => Trouble | undefined {
  const retries = new WeakMap<TimedAttempt['attempt'], number>();
  return ({ at_ms, attempt, ...rest }) => {
    const [day, hour] = [Math.floor((at_ms - beginMs) / DAY_MS), (((at_ms - beginMs) % DAY_MS) + DAY_MS) % DAY_MS];
    const met = TROUBLES.find(
      ({ days, hours: [from, to] }) =>
        days.some((each) => each === day) && hour >= from * HOUR_MS && hour < to * HOUR_MS,
    );
    if (met === undefined || attempt.kind !== 'payment') return undefined;
    // The same whatever else happens at the time.
    const draws = randomDraws(seedOfName(seed, `${attempt.body.user_id} ${at_ms}`));
    if (!draws.chance(met.share)) return { name: met.name, word: 'authorized' };
    const tries = (retries.get(attempt) ?? 0) + 1;
    if (tries > MOST_RETRIES) return met;
    const { custom_attributes, ...body } = attempt.body;
    const { card_fingerprint: card = '' } = custom_attributes;
    const other = tries === 1 ? card : `${body.user_id}-card-${tries}`;
    const again = {
      ...attempt,
      body: { ...body, custom_attributes: { ...custom_attributes, card_fingerprint: other } },
    };
    retries.set(again, tries);
    return { ...met, retry: { ...rest, attempt: again, at_ms: at_ms + MINUTE_MS } };
  };
}
