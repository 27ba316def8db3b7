import { seededRandom } from '../../../shared/domain/models/seeded-random';
import type { TrainingRow } from '../../../shared/domain/models/training-row';

/**
 * At most `most` rows, in the order of their screening. All fraud is kept (up to half of the rows, newest first), and a
 * random share of the rest, weighted by the inverse of that share to keep probabilities unbiased.
 */
export function sampleRows(rows: readonly TrainingRow[], most: number, seed: number): TrainingRow[] {
  const ordered = [...rows].sort((a, b) => a.screened_at_ms - b.screened_at_ms);
  if (ordered.length <= most) return ordered;
  const fraud = ordered.filter(({ label }) => label === 1);
  const kept = new Set(fraud.slice(-Math.floor(most / 2)));
  const room = most - kept.size;
  const others = ordered.length - fraud.length;
  const random = seededRandom(seed);
  const factor = others / Math.min(others, room);
  const fraudFactor = fraud.length / Math.max(1, kept.size);
  return ordered.flatMap((row) => {
    const { weight = 1 } = row;
    if (row.label === 1) return kept.has(row) ? [{ ...row, weight: weight * fraudFactor }] : [];
    return random() * others < room ? [{ ...row, weight: weight * factor }] : [];
  });
}
