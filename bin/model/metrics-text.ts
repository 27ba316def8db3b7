import type { Evaluation, ModelEvaluation } from '../../shared/domain/models/evaluation/evaluation';
import type { PromotionVerdict } from '../../shared/domain/models/promotion-rule';
import { textTable } from '../cli/text-table';

const METRICS: ReadonlyArray<readonly [string, keyof ModelEvaluation]> = [
  ['AUC', 'auc'],
  ['average precision', 'average_precision'],
  ['recall at 1% false positives', 'recall_at_1pct'],
  ['recall at 5% false positives', 'recall_at_5pct'],
  ['log loss', 'log_loss'],
  ['calibration error', 'calibration_error'],
];

/** Two models side by side. */
export function metricsText({ champion, challenger, rows }: Evaluation): string {
  const threeDecimals = (model: ModelEvaluation, name: keyof ModelEvaluation) => Number(model[name]).toFixed(3);
  return [
    `on ${rows.fraud} fraud, ${rows.legitimate} legitimate and ${rows.presumed} sampled screenings, ${rows.from} to ${rows.to}:`,
    textTable([
      ['', champion.version, challenger.version],
      ...METRICS.map(([title, name]) => [title, threeDecimals(champion, name), threeDecimals(challenger, name)]),
    ]),
  ].join('\n');
}

/** The rule, condition by condition. */
export const verdictText = ({ checks }: PromotionVerdict): string =>
  textTable(
    checks.map(({ name, wanted, found, passed }) => [
      passed ? 'yes' : 'NO',
      name,
      `wanted ${wanted}`,
      `found ${found}`,
    ]),
  );
