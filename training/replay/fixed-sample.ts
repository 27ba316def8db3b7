import { type ScoreMove, scoreMove } from '../../shared/domain/models/evaluation/score-move';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { rowScorer } from '../../shared/domain/models/row-scorer';
import type { TrainingRow } from '../../shared/domain/models/training-row';

/** A screening as a model sees it again, whatever became of it. */
export type ScreenedRow = Pick<TrainingRow, 'vector' | 'observed' | 'account_id' | 'screened_at_ms'>;

/** One screening in this many is kept, and this many of them. */
const EVERY = 8;
const MOST = 1_000;

export function fixedSample() {
  const rows: ScreenedRow[] = [];
  let seen = 0;
  return {
    rows,
    add({ vector, observed, screened_at_ms }: ScreenedRow, account_id: string): void {
      if (rows.length < MOST && seen++ % EVERY === 0) rows.push({ vector, observed, account_id, screened_at_ms });
    },
  };
}

/** The effect of replacing one model by another on the same screenings. */
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
