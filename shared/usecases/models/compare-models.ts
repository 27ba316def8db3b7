import { cappedWeights, type OwnedRow } from '../../domain/models/account-shares';
import { scoreShares } from '../../domain/models/evaluation/calibration';
import { evaluate, type SaidOfRows } from '../../domain/models/evaluation/evaluate';
import type { EvaluatedRows } from '../../domain/models/evaluation/evaluation';
import { areaUnderRoc, rankingCurve } from '../../domain/models/evaluation/ranking-curve';
import type { ModelArtefact } from '../../domain/models/model-artefact';
import { rowScorer } from '../../domain/models/row-scorer';
import { scoreDrift } from '../../domain/models/score-drift';
import { vectorOf } from '../../domain/models/training-row';
import { featureSlot } from '../../domain/screening/features';
import { RULES_VERSION } from '../../domain/screening/screen';
import type { LabelledRow } from './labelled-rows';

const DAY_MS = 86_400_000;
const AMOUNT = featureSlot('amount_ln_usd');

/**
 * Both models on the same rows, by the same score that screening would have given; no account has more than its share of
 * the weight. `base` scores for accounts that a model does not serve. What the challenger said of the rows before it learned
 * from them is passed in, if it has learned from them since.
 */
export function compareModels(
  rows: readonly LabelledRow[],
  champion: ModelArtefact | undefined,
  challenger: ModelArtefact | SaidOfRows,
  base?: ModelArtefact,
): ReturnType<typeof evaluate> & { readonly said: Record<'champion' | 'challenger', SaidOfRows> } {
  const said = {
    champion: saidOf(rows, champion, base),
    challenger: 'riskScores' in challenger ? challenger : saidOf(rows, challenger, base),
  };
  const accountIds: string[] = [];
  for (const { account, account_id } of rows) accountIds[account] = account_id;
  const evaluation = evaluate({
    summary: summaryOf(rows),
    subjectIds: rows.map(({ subject_id }) => subject_id),
    accounts: Uint32Array.from(rows, ({ account }) => account),
    accountIds,
    days: Uint32Array.from(rows, ({ screened_at_ms }) => Math.floor(screened_at_ms / DAY_MS)),
    isPresumed: Uint8Array.from(rows, ({ presumed }) => Number(presumed === true)),
    ...columnsOf(rows),
    amountsUsd: Float64Array.from(rows, (row) => Math.exp(vectorOf(row)[AMOUNT] as number)),
    ...said,
  });
  return { ...evaluation, said };
}

/** How well a model ranks rows; NaN if they are all of one kind. */
export function aucOf(rows: readonly LabelledRow[], model: ModelArtefact | undefined, base?: ModelArtefact): number {
  return aucBy(rows, saidOf(rows, model, base));
}

/**
 * The same, and how far the model's scores of these rows are from those of its evaluation: NaN if those are unknown, or there
 * are no rows.
 */
export function healthOn(rows: readonly LabelledRow[], model: ModelArtefact | undefined, base?: ModelArtefact) {
  const said = saidOf(rows, model, base);
  const drift =
    rows.length === 0 ? Number.NaN : scoreDrift(model?.card.score_shares ?? [], scoreShares(said.riskScores));
  return { auc: aucBy(rows, said), drift };
}

const aucBy = (rows: readonly LabelledRow[], { probabilities }: SaidOfRows): number =>
  areaUnderRoc(rankingCurve({ ...columnsOf(rows), scores: probabilities }));

const columnsOf = (rows: readonly LabelledRow[]) => ({
  labels: Uint8Array.from(rows, ({ label }) => label),
  weights: cappedWeights(rows),
});

function saidOf(
  rows: readonly LabelledRow[],
  model: ModelArtefact | undefined,
  base: ModelArtefact | undefined,
): SaidOfRows {
  const scoreOf = rowScorer(model, base);
  const probabilities = new Float64Array(rows.length);
  const riskScores = new Uint8Array(rows.length);
  const expected = new Float64Array(rows.length);
  rows.forEach((row, i) => {
    const { probability, risk_score, model_probability = probability } = scoreOf(row);
    probabilities[i] = probability;
    riskScores[i] = risk_score;
    expected[i] = model_probability;
  });
  return { version: model?.version ?? RULES_VERSION, probabilities, riskScores, expected };
}

/** The share of fraud in the traffic that the rows stand for, or less: one account's labels must not inflate it. */
export function fraudShare(rows: readonly OwnedRow[]): number {
  const shareBy = (weights: ArrayLike<number>) => {
    const sums = [0, 0];
    rows.forEach(({ label }, i) => {
      sums[label] = (sums[label] as number) + (weights[i] as number);
    });
    const [honest, fraud] = sums as [number, number];
    return fraud / Math.max(1, honest + fraud);
  };
  return Math.min(shareBy(rows.map(({ weight = 1 }) => weight)), shareBy(cappedWeights(rows)));
}

/** How many rows of each kind, and their time span. */
export function summaryOf(rows: readonly LabelledRow[]): EvaluatedRows {
  const times = rows.map(({ screened_at_ms }) => screened_at_ms);
  const instant = (ms: number | undefined) => new Date(ms ?? 0).toISOString();
  const presumed = rows.filter((row) => row.presumed === true).length;
  const fraud = rows.filter(({ label }) => label === 1).length;
  return {
    from: instant(times[0]),
    to: instant(times.at(-1)),
    fraud,
    legitimate: rows.length - fraud - presumed,
    presumed,
    accounts: new Set(rows.map(({ account }) => account)).size,
  };
}
