import { type ScoreMove, scoreMove } from '../../shared/domain/models/evaluation/score-move';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { rowScorer } from '../../shared/domain/models/row-scorer';
import type { TrainingRow } from '../../shared/domain/models/training-row';

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

/** What replacing a model by another does to the same screenings. */
export function moveOf(
  rows: readonly ScreenedRow[],
  before: ModelArtefact | undefined,
  after: ModelArtefact,
): ScoreMove {
  const scoresOf = (model: ModelArtefact | undefined) => {
    const scoreOf = rowScorer(model);
    return rows.map((row) => scoreOf({ ...row, label: 0, labeled_at_ms: 0 }).risk_score);
  };
  return scoreMove(scoresOf(before), scoresOf(after));
}
