import { auc } from '../../../shared/domain/models/evaluation/ranking-curve';
import type { Decision } from '../../../shared/domain/screening/decide';

/** One event with Amazon's score and ours, both from 0 to 1000. */
export interface ScoredEvent {
  /** Its line in the file, the header being the first. */
  readonly line: number;
  readonly theirs: number;
  readonly ours: number;
  readonly decision: Decision;
  /** Undefined if the file does not say. */
  readonly label?: 0 | 1 | undefined;
}

/** What changes at a threshold that both scales have: it stands for the same false positives. */
export interface Flips {
  readonly threshold: number;
  readonly both: number;
  /** Reached it there, and no longer. */
  readonly dropped: readonly ScoredEvent[];
  /** Reaches it now, and did not. */
  readonly added: readonly ScoredEvent[];
}

export interface Agreement {
  readonly events: number;
  readonly fraud: number;
  readonly legitimate: number;
  /** Spearman's: 1 if both rank alike, 0 if they have nothing to do with each other. Undefined if either is constant. */
  readonly rank_correlation: number | undefined;
  /** Of both scores, where there are labels of both kinds. */
  readonly auc: { readonly theirs: number; readonly ours: number } | undefined;
  readonly flips: readonly Flips[];
}

const THRESHOLDS: readonly number[] = [600, 900];

/** Ranks with ties in the middle of their places. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).sort((a, b) => a.value - b.value);
  const ranks = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && order[to + 1]?.value === order[from]?.value) to += 1;
    for (let i = from; i <= to; i++) ranks[order[i]?.at as number] = (from + to) / 2;
    from = to + 1;
  }
  return ranks;
}

/** Spearman's rank correlation; undefined if one side says the same about everything. */
export function rankCorrelation(one: readonly number[], other: readonly number[]): number | undefined {
  const [a, b] = [ranksOf(one), ranksOf(other)];
  const mean = (a.length - 1) / 2;
  let [both, ofA, ofB] = [0, 0, 0];
  a.forEach((rank, i) => {
    const [da, db] = [rank - mean, (b[i] as number) - mean];
    both += da * db;
    ofA += da * da;
    ofB += db * db;
  });
  return ofA === 0 || ofB === 0 ? undefined : both / Math.sqrt(ofA * ofB);
}

/** Compares Amazon's scores with ours, event by event. */
export function compareScores(events: readonly ScoredEvent[]): Agreement {
  const labelled = events.filter(({ label }) => label !== undefined);
  const labels = Uint8Array.from(labelled, ({ label }) => label as number);
  const fraud = labels.reduce((sum, label) => sum + label, 0);
  const legitimate = labels.length - fraud;
  const aucOf = (score: (event: ScoredEvent) => number) => auc(labelled.map(score), labels);
  return {
    events: events.length,
    fraud,
    legitimate,
    rank_correlation: rankCorrelation(
      events.map(({ theirs }) => theirs),
      events.map(({ ours }) => ours),
    ),
    auc:
      fraud > 0 && legitimate > 0
        ? { theirs: aucOf(({ theirs }) => theirs), ours: aucOf(({ ours }) => ours) }
        : undefined,
    flips: THRESHOLDS.map((threshold) => ({
      threshold,
      both: events.filter(({ theirs, ours }) => theirs >= threshold && ours >= threshold).length,
      dropped: events.filter(({ theirs, ours }) => theirs >= threshold && ours < threshold),
      added: events.filter(({ theirs, ours }) => theirs < threshold && ours >= threshold),
    })),
  };
}
