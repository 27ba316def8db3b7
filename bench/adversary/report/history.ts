import { falsePositives } from '../bounds';
import type { Outcome, RunResult } from '../play/outcome';

/** What is kept of a strategy's outcome. */
export type KeptOutcome = Omit<Outcome, 'strategy'>;

/** One run, as the history keeps it. */
export interface KeptRun {
  readonly date: string;
  readonly commit: string;
  readonly version: string;
  /** Where it was played: in process, or over HTTP. */
  readonly played: string;
  readonly people: number;
  readonly seed: number;
  readonly honest_attempts: number;
  readonly honest_stopped: number;
  readonly false_positives: number;
  readonly strategies: Readonly<Record<string, KeptOutcome>>;
}

export type RunFacts = Pick<KeptRun, 'date' | 'commit' | 'version' | 'played' | 'seed'>;

const rounded = (value: number): number => Number(value.toFixed(4));

/** A run to keep. */
export function keptRun({ honest, outcomes }: RunResult, facts: RunFacts): KeptRun {
  const strategies = outcomes.map(({ strategy, first_allow, shift, ...rest }) => {
    const first = first_allow && { attempts: first_allow.attempts, days: rounded(first_allow.days) };
    return [strategy, { ...rest, first_allow: first, shift: shift === null ? null : rounded(shift) }] as const;
  });
  return {
    ...facts,
    people: honest.people,
    honest_attempts: honest.attempts,
    honest_stopped: honest.stopped,
    false_positives: rounded(falsePositives(honest)),
    strategies: Object.fromEntries(strategies),
  };
}

/** The first and the latest outcome of a strategy; runs of others in between do not count. */
export function firstAndLatest(
  history: readonly KeptRun[],
  strategy: string,
): { readonly first: KeptOutcome; readonly latest: KeptOutcome } | undefined {
  const found = history.flatMap(({ strategies }) => strategies[strategy] ?? []);
  const [first, latest] = [found[0], found.at(-1)];
  return first && latest && { first, latest };
}
