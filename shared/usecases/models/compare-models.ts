import { cappedWeights, type OwnedRow } from '../../domain/models/account-shares';
import { scoreShares } from '../../domain/models/evaluation/calibration';
import { evaluate, type SaidOfRows } from '../../domain/models/evaluation/evaluate';
import type { EvaluatedRows } from '../../domain/models/evaluation/evaluation';
import { fraudOf } from '../../domain/models/evaluation/model-evaluation';
import { areaUnderRoc, rankingCurve } from '../../domain/models/evaluation/ranking-curve';
import type { ModelArtefact } from '../../domain/models/model-artefact';
import { mergeVerdicts, type PromotionVerdict } from '../../domain/models/promotion-rule';
import { rowScorer } from '../../domain/models/row-scorer';
import { scoreDrift } from '../../domain/models/score-drift';
import { vectorOf } from '../../domain/models/training-row';
import { isComparable, isFirmScale, judgeExpected, judgeMove } from '../../domain/models/training-rule';
import { featureSlot } from '../../domain/screening/features';
import { RULES_VERSION } from '../../domain/screening/screen';
import type { LabelledRow } from './labelled-rows';

const AMOUNT = featureSlot('amount_ln_usd');

/**
 * Both models on the same rows, by the same score that screening would have given; no account has more than its share of
 * the weight. `base` scores for accounts that a model does not serve.
 */
export function compareModels(
  rows: readonly LabelledRow[],
  champion: ModelArtefact | undefined,
  challenger: ModelArtefact,
  base?: ModelArtefact,
): ReturnType<typeof evaluate> {
  const accountIds: string[] = [];
  for (const { account, account_id } of rows) accountIds[account] = account_id;
  return evaluate({
    summary: summaryOf(rows),
    subjectIds: rows.map(({ subject_id }) => subject_id),
    accounts: Uint32Array.from(rows, ({ account }) => account),
    accountIds,
    isPresumed: Uint8Array.from(rows, ({ presumed }) => Number(presumed === true)),
    ...columnsOf(rows),
    amountsUsd: Float64Array.from(rows, (row) => Math.exp(vectorOf(row)[AMOUNT] as number)),
    champion: saidOf(rows, champion, base),
    challenger: saidOf(rows, challenger, base),
  });
}

/** The conditions of the rule that a comparison answers besides ranking: probabilities that add up, and scores that stay comparable. */
export function judgeStability(
  evaluation: ReturnType<typeof compareModels>,
  rows: readonly OwnedRow[],
  champion: ModelArtefact | undefined,
  challenger: ModelArtefact,
): PromotionVerdict {
  const { expected, actual } = fraudOf(evaluation.challenger);
  const found = { champion: fraudOf(evaluation.champion).expected, challenger: expected, actual };
  const byExpected = judgeExpected(found);
  if (!isComparable(champion)) return byExpected;
  const isFirm = isFirmScale(champion, challenger, found);
  return mergeVerdicts(byExpected, judgeMove(evaluation.move, fraudShare(rows), isFirm));
}

/** How well a model ranks rows; NaN if they are all of one kind. */
export function aucOf(rows: readonly LabelledRow[], model: ModelArtefact | undefined, base?: ModelArtefact): number {
  return areaUnderRoc(rankingCurve({ ...columnsOf(rows), scores: saidOf(rows, model, base).probabilities }));
}

/** How far a model's scores of these rows are from those of its evaluation; NaN if those are unknown. */
export function driftOf(rows: readonly LabelledRow[], model: ModelArtefact | undefined, base?: ModelArtefact): number {
  if (rows.length === 0) return Number.NaN;
  return scoreDrift(model?.card.score_shares ?? [], scoreShares(saidOf(rows, model, base).riskScores));
}

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
  rows.forEach((row, i) => {
    const { probability, risk_score } = scoreOf(row);
    probabilities[i] = probability;
    riskScores[i] = risk_score;
  });
  return { version: model?.version ?? RULES_VERSION, probabilities, riskScores };
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
