import type { Addresses } from '../people/addresses';
import { DAYS_BEFORE, honestPeople, inOrder } from '../people/honest-people';
import { DAY_MS, HOUR_MS, type Person } from '../people/person';
import { regularCustomer } from '../people/regulars';
import type { TimedAttempt } from '../people/timed-attempt';
import { type Answer, isStopped, type Target } from '../target/target';
import { type Attacker, attacker } from './attacker';
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
  for (let done = 0; ; ) {
    const honest = attempts[done];
    const adversary = next();
    if (honest === undefined && adversary === undefined) break;
    if (honest && honest.at_ms <= (adversary?.wakesAtMs() ?? Number.POSITIVE_INFINITY)) {
      await target.moveTo(honest.at_ms);
      const answer = await target.screen('shop', honest.attempt);
      ledger.add(honest.person, answer);
      if (isStopped(answer)) for (const each of attackers) if (each.shares(honest.attempt)) each.hurts(honest.person);
      done += 1;
      onStep?.(done, attempts.length);
    } else if (adversary) {
      if (target.canWait) await target.moveTo(adversary.wakesAtMs() as number);
      await adversary.wake();
    }
  }
  return { honest: ledger.total(), outcomes: attackers.map((each) => each.outcome()) };
}
