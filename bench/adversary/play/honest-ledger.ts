import type { Person } from '../people/person';
import { type Answer, isStopped } from '../target/target';
import type { HonestOutcome } from './outcome';

/** Counts what happens to honest people. */
export function honestLedger() {
  const people = new Set<string>();
  const stoppedPeople = new Set<string>();
  const kinds = new Map<string, { attempts: number; stopped: number }>();
  return {
    add({ user_id, kind }: Person, answer: Answer): void {
      const count = kinds.get(kind) ?? { attempts: 0, stopped: 0 };
      kinds.set(kind, count);
      people.add(user_id);
      count.attempts += 1;
      if (!isStopped(answer)) return;
      count.stopped += 1;
      stoppedPeople.add(user_id);
    },
    total(): HonestOutcome {
      const counts = [...kinds.values()];
      return {
        people: people.size,
        attempts: counts.reduce((sum, { attempts }) => sum + attempts, 0),
        stopped: counts.reduce((sum, { stopped }) => sum + stopped, 0),
        people_stopped: stoppedPeople.size,
        by_kind: Object.fromEntries([...kinds].sort(([a], [b]) => (a < b ? -1 : 1))),
      };
    },
  };
}
