import type { Addresses } from '../people/address-book';
import { DAYS_BEFORE, honestPeople, inOrder } from '../people/honest-people';
import { DAY_MS, HOUR_MS, type Person } from '../people/person';
import { regularCustomer } from '../people/regular-customer';
import type { TimedAttempt } from '../people/timed-attempt';
import { type Answer, isStopped, type Target } from '../target/target';
import { type Attacker, attacker, tracesOf } from './attacker';
import { honestLedger } from './honest-ledger';
import type { RunResult } from './outcome';
import type { Strategy } from './strategy';

export interface SimulateOptions {
  readonly target: Target;
  readonly addresses: Addresses;
  readonly strategies: readonly Strategy[];
  readonly people: number;
  readonly seed: number;
  readonly onStep?: (done: number, total: number) => void;
}

/** The same for a strategy whichever others take part. */
const seedOf = (seed: number, name: string): number =>
  [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), seed ^ 0x811c9dc5);

/**
 * Lets honest people and attackers act on one service, in the order of time. Honest people have been customers for weeks
 * when the attackers begin, an hour apart.
 */
export async function simulate(options: SimulateOptions): Promise<RunResult> {
  const { target, addresses, strategies, people, seed, onStep } = options;
  const beginMs = Math.ceil(target.now() / DAY_MS) * DAY_MS;
  const attackMs = target.canWait ? beginMs + DAYS_BEFORE * DAY_MS + 10 * HOUR_MS : target.now();
  const ledger = honestLedger();
  const attempts: TimedAttempt[] = target.canWait ? honestPeople(people, seed, { addresses, beginMs }) : [];
  const attackers = strategies.map((strategy, number): Attacker => {
    const startMs = target.canWait ? attackMs + number * HOUR_MS : attackMs;
    const victims: Person[] = [];
    for (let i = 0; i < strategy.victims; i++) {
      const name = `${strategy.name}-victim-${i}`;
      const { person, attempts: life } = regularCustomer(name, seedOf(seed, name), { addresses, attackMs: startMs });
      victims.push(person);
      if (target.canWait) attempts.push(...life);
    }
    const onHonest = (person: Person, answer: Answer) => ledger.add(person, answer);
    return attacker({ strategy, target, addresses, victims, seed: seedOf(seed, strategy.name), startMs, onHonest });
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
  async function meet(honest: TimedAttempt): Promise<void> {
    const answer = await target.screen('shop', honest.attempt);
    ledger.add(honest.person, answer);
    if (!isStopped(answer)) return;
    for (const each of attackers) if (each.shares(honest.attempt)) each.hurts(honest.person);
  }
  for (let done = 0; ; ) {
    const adversary = next();
    const wakesAtMs = adversary?.wakesAtMs() ?? Number.POSITIVE_INFINITY;
    const together = batchFrom(attempts, done, { untilMs: wakesAtMs, spanMs: target.parallelMs });
    const [first] = together;
    if (first) {
      await target.moveTo(first.at_ms);
      await Promise.all(together.map(meet));
      done += together.length;
      onStep?.(done, attempts.length);
    } else if (adversary) {
      if (target.canWait) await target.moveTo(wakesAtMs);
      await adversary.wake();
    } else break;
  }
  return { honest: ledger.total(), outcomes: attackers.map((each) => each.outcome()) };
}

const MOST_TOGETHER = 12;

/** The next attempts that may be made at the same time: close in time, and none of them knows another. */
function batchFrom(
  attempts: readonly TimedAttempt[],
  from: number,
  { untilMs, spanMs }: { readonly untilMs: number; readonly spanMs: number },
): TimedAttempt[] {
  const batch: TimedAttempt[] = [];
  const traces = new Set<string>();
  const lastMs = Math.min(untilMs, (attempts[from]?.at_ms ?? 0) + spanMs);
  for (let at = from; at < from + MOST_TOGETHER; at++) {
    const next = attempts[at];
    if (next === undefined || next.at_ms > lastMs) break;
    const own = tracesOf(next.attempt);
    if (own.some((trace) => traces.has(trace)) || (batch.length > 0 && spanMs === 0)) break;
    for (const trace of own) traces.add(trace);
    batch.push(next);
  }
  return batch;
}
