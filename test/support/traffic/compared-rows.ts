import type { ComparedRows } from '../../../shared/domain/models/evaluation/evaluate';
import { seededRandom } from '../../../shared/domain/models/seeded-random';

/** Rows that a champion of one skill and a challenger of another were asked about; skill 0 is a guess, 3 is very good. */
export function comparedRows(skills: { champion: number; challenger: number }, count = 400, seed = 7): ComparedRows {
  const random = seededRandom(seed);
  const labels = Uint8Array.from({ length: count }, () => Number(random() < 0.2));
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const saidBy = (version: string, skill: number) => {
    const logOdds = Array.from(labels, (label) => -1.4 + skill * (label - 0.2) * 1.5 + normal());
    return {
      version,
      probabilities: Float64Array.from(logOdds, (l) => 1 / (1 + Math.exp(-l))),
      riskScores: Uint8Array.from(logOdds, (l) => Math.round(100 / (1 + Math.exp(-(l + 1.9) / 2)))),
    };
  };
  const fraud = labels.reduce((sum, label) => sum + label, 0);
  const isPresumed = Uint8Array.from(labels, (label) => Number(label === 0 && random() < 0.2));
  const presumed = isPresumed.reduce((sum, one) => sum + one, 0);
  return {
    summary: {
      from: '2026-10-01T00:00:00.000Z',
      to: '2026-11-14T09:30:00.000Z',
      fraud,
      legitimate: count - fraud - presumed,
      presumed,
      accounts: 2,
    },
    subjectIds: Array.from(labels, (_, i) => `txn_${String(i).padStart(26, '0')}`),
    accounts: Uint32Array.from(labels, (_, i) => i % 2),
    accountIds: ['acc_0', 'acc_1'],
    isPresumed,
    labels,
    weights: Float64Array.from(isPresumed, (one) => (one === 1 ? 64 : 1)),
    amountsUsd: Float64Array.from(labels, (_, i) => (i % 10 === 0 ? Number.NaN : 5 + 500 * random() ** 3)),
    champion: saidBy('base-1', skills.champion),
    challenger: saidBy('m-2', skills.challenger),
  };
}
