import type { Person } from '../../training/simulation/world';
import type { Brought } from './strategy';
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
  /** By strategy, for one who mixes them. @default it is one */
  readonly brought?: Readonly<Record<string, Brought>>;
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
    /** `trouble`: what they meet besides, which then is the kind of the attempt. */
    add({ user_id, kind: usual }: Person, answer: Answer, trouble?: string): void {
      const kind = trouble ?? usual;
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

const most = <Value>(values: readonly Value[], of: (value: Value) => number): Value =>
  values.reduce((best, each) => (of(each) > of(best) ? each : best));

/** The worst that several runs of one strategy achieved, each count by itself. */
function worstOf(runs: readonly Outcome[]): Outcome {
  const worst = most(runs, ({ money_out }) => money_out);
  return {
    ...worst,
    attempts: most(runs, ({ attempts }) => attempts).attempts,
    first_allow: most(runs, ({ first_allow }) => -(first_allow?.days ?? Number.POSITIVE_INFINITY)).first_allow,
    prizes: most(runs, ({ prizes }) => prizes.allowed).prizes,
    hurt: most(runs, ({ hurt }) => hurt).hurt,
    shift: most(runs, ({ shift }) => shift ?? Number.NEGATIVE_INFINITY).shift,
    scores: most(runs, ({ scores }) => (scores ? scores.first - scores.lowest : Number.NEGATIVE_INFINITY)).scores,
  };
}

/** The worst of several runs: of each strategy, and of honest people the run in which most were stopped. */
export function worstRun(runs: readonly RunResult[]): RunResult {
  const [first] = runs;
  const outcomes = (first?.outcomes ?? []).map(({ strategy }) =>
    worstOf(runs.flatMap((run) => run.outcomes.filter((each) => each.strategy === strategy))),
  );
  return { honest: most(runs, ({ honest }) => honest.stopped / Math.max(1, honest.attempts)).honest, outcomes };
}
