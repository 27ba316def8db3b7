import type { Person } from '../../training/simulation/world';
import { type Answer, isStopped } from './target';

export interface Outcome {
  readonly strategy: string;
  readonly aim: 'money' | 'people';
  readonly attempts: number;
  /** Attempts and days until a prize was allowed; null if none ever was. */
  readonly first_allow: { readonly attempts: number; readonly days: number } | null;
  readonly prizes: { readonly tried: number; readonly allowed: number };
  /** Everything that was paid out, prizes and preparations. */
  readonly money_out: number;
  /** Honest people who were stopped because of it, among those it was aimed at. */
  readonly hurt: number;
  readonly aimed_at: number;
  /** Points by which the score of honest people rose on average; null if it was not measured. */
  readonly shift: number | null;
  readonly scores: { readonly first: number; readonly lowest: number } | null;
}

export interface HonestOutcome {
  readonly people: number;
  readonly attempts: number;
  readonly stopped: number;
  readonly people_stopped: number;
  readonly by_kind: Readonly<Record<string, { readonly attempts: number; readonly stopped: number }>>;
}

export interface RunResult {
  readonly honest: HonestOutcome;
  readonly outcomes: readonly Outcome[];
}

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
