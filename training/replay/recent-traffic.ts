import { DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { rowScorer } from '../../shared/domain/models/row-scorer';
import type { TrainingRow } from '../../shared/domain/models/training-row';
import { decide } from '../../shared/domain/screening/decide';

/** A screening as a model sees it again, whatever became of it. */
export type ScreenedRow = Pick<TrainingRow, 'vector' | 'observed' | 'screened_at_ms'>;

/** One screening in this many is kept, and this many of them. */
const EVERY = 8;
const MOST = 1_000;

/** A sample of what was screened: the latest, on which a candidate is tried, and the first, on which all are compared. */
export interface RecentTraffic {
  add(record: ScreenedRow): void;
  readonly latest: readonly ScreenedRow[];
  /** Never changes once it is full. */
  readonly fixed: readonly ScreenedRow[];
}

/** An empty sample. */
export function recentTraffic(): RecentTraffic {
  const latest: ScreenedRow[] = [];
  const fixed: ScreenedRow[] = [];
  let seen = 0;
  return {
    add({ vector, observed, screened_at_ms }) {
      if (seen++ % EVERY !== 0) return;
      const row = { vector, observed, screened_at_ms };
      latest[Math.floor((seen - 1) / EVERY) % MOST] = row;
      if (fixed.length < MOST) fixed.push(row);
    },
    latest,
    fixed,
  };
}

/** What replacing a model by another does to screenings that are the same for both. */
export interface Move {
  readonly rows: number;
  /** Points by which scores move, on average and at most. */
  readonly mean_points: number;
  readonly most_points: number;
  /** Decisions that change. */
  readonly flips: number;
  /** Screenings that either of them stops. */
  readonly stopped_before: number;
  readonly stopped_after: number;
}

/** Scores the same screenings by two models. */
export function moveOf(rows: readonly ScreenedRow[], before: ModelArtefact | undefined, after: ModelArtefact): Move {
  const [was, is] = [rowScorer(before), rowScorer(after)];
  const move = { rows: rows.length, total: 0, most_points: 0, flips: 0, stopped_before: 0, stopped_after: 0 };
  for (const screened of rows) {
    const row = { ...screened, label: 0, labeled_at_ms: 0 } as const;
    const [one, other] = [was(row).risk_score, is(row).risk_score];
    const points = Math.abs(one - other);
    move.total += points;
    move.most_points = Math.max(move.most_points, points);
    const decisions = [decide(one, DEFAULT_SETTINGS), decide(other, DEFAULT_SETTINGS)];
    if (decisions[0] !== decisions[1]) move.flips++;
    if (decisions[0] !== 'allow') move.stopped_before++;
    if (decisions[1] !== 'allow') move.stopped_after++;
  }
  const { total, ...counts } = move;
  return { ...counts, mean_points: total / Math.max(1, rows.length) };
}
