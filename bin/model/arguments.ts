import { userInfo } from 'node:os';
import { type Given, UsageError } from '../../shared/cli/command-line';
import type { Command } from '../../shared/cli/command-table';
import { textTable } from '../../shared/cli/text-table';
import type { Evaluation, ModelEvaluation } from '../../shared/domain/models/evaluation/evaluation';
import type { ScoreMove } from '../../shared/domain/models/evaluation/score-move';
import type { PromotionVerdict } from '../../shared/domain/models/promotion-rule';
import { type Cause, modelIn, type RegistryState } from '../../shared/domain/models/registry-state';
import type { ModelAdminWiring } from '../../shared/runtime/model-admin-wiring';

export type ModelCommand = Command<ModelAdminWiring>;

/** For the audit trail: who runs the command, and why. */
export const causeOf = ({ clock }: ModelAdminWiring, { texts }: Given, otherwise = 'no reason given'): Cause => ({
  at: new Date(clock.now()).toISOString(),
  by: `${userInfo().username} at the command line`,
  reason: texts.reason ?? otherwise,
});

export function versionOf(state: RegistryState, { words }: Given): string {
  const [word] = words;
  const version = word ?? (modelIn(state, 'shadow') ?? modelIn(state, 'champion') ?? state.models.at(-1))?.version;
  if (!version) throw new UsageError('The registry is empty; the base model is in use.');
  return version;
}

const METRICS: ReadonlyArray<readonly [string, keyof ModelEvaluation]> = [
  ['AUC', 'auc'],
  ['average precision', 'average_precision'],
  ['recall at 1% false positives', 'recall_at_1pct'],
  ['recall at 5% false positives', 'recall_at_5pct'],
  ['log loss', 'log_loss'],
  ['calibration error', 'calibration_error'],
];

export function metricsText({ champion, challenger, rows, move }: Evaluation): string {
  const threeDecimals = (model: ModelEvaluation, name: keyof ModelEvaluation) => Number(model[name]).toFixed(3);
  return [
    `on ${rows.fraud} fraud, ${rows.legitimate} legitimate and ${rows.presumed} sampled screenings, ${rows.from} to ${rows.to}:`,
    textTable([
      ['', champion.version, challenger.version],
      ...METRICS.map(([title, name]) => [title, threeDecimals(champion, name), threeDecimals(challenger, name)]),
    ]),
    ...(move ? [moveText(move)] : []),
  ].join('\n');
}

/** How many recent decisions would flip, and how far scores would move. */
const moveText = ({ rows, flips, mean_points, usual_points, most_points }: ScoreMove): string =>
  `${flips.toFixed(0)} of ${rows.toFixed(0)} recent decisions would flip; scores move by ${mean_points.toFixed(1)} points on average, by at most ${usual_points} in 95% of screenings, by ${most_points} at most`;

export const verdictText = ({ checks }: PromotionVerdict): string =>
  textTable(
    checks.map(({ name, wanted, found, passed }) => [
      passed ? 'yes' : 'NO',
      name,
      `wanted ${wanted}`,
      `found ${found}`,
    ]),
  );
