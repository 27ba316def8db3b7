import { byAccount, ownerOf, waterLevel } from '../../../shared/domain/models/account-shares';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import type { TrainingRow } from '../../../shared/domain/models/training-row';

/**
 * At most `most` rows, in the order of their screening. All fraud is kept (up to half of the rows, newest first), and a
 * random share of the rest, weighted by the inverse of that share to keep probabilities unbiased. Room is shared out
 * account by account: nobody's rows are crowded out by somebody else's.
 */
export function sampleRows(rows: readonly TrainingRow[], most: number, seed: number): TrainingRow[] {
  const ordered = [...rows].sort((a, b) => a.screened_at_ms - b.screened_at_ms);
  if (ordered.length <= most) return ordered;
  const fraud = quotas(
    ordered.filter(({ label }) => label === 1),
    Math.floor(most / 2),
  );
  const kept = new Set(fraud.flatMap(({ own, room }) => own.slice(own.length - room)));
  const honest = quotas(
    ordered.filter(({ label }) => label === 0),
    most - kept.size,
  );
  const random = seededRandom(seed);
  const fraudOf = new Map(fraud.map((quota) => [quota.owner, quota]));
  const honestOf = new Map(honest.map((quota) => [quota.owner, quota]));
  return ordered.flatMap((row) => {
    const { weight = 1 } = row;
    const { own, room } = (row.label === 1 ? fraudOf : honestOf).get(ownerOf(row)) as Quota;
    const isKept = row.label === 1 ? kept.has(row) : random() * own.length < room;
    return isKept ? [{ ...row, weight: (weight * own.length) / Math.max(1, room) }] : [];
  });
}

interface Quota {
  readonly owner: string;
  readonly own: readonly TrainingRow[];
  readonly room: number;
}

function quotas(rows: readonly TrainingRow[], most: number): Quota[] {
  const groups = [...byAccount(rows)];
  const level = Math.floor(
    waterLevel(
      groups.map(([, own]) => own.length),
      most,
    ),
  );
  return groups.map(([owner, own]) => ({ owner, own, room: Math.min(own.length, level) }));
}
