import { averagePrecision, rankingCurve } from '../../shared/domain/models/evaluation/ranking-curve';
import { rowScorer } from '../../shared/domain/models/row-scorer';
import { canBeJudged, type TrainModelOptions, trainModel } from '../engine/learn/train-model';
import type { Learner } from './replay';

/** Fewer frauds than this cannot tell two models apart. */
const LEAST_FRAUD = 15;

/** A candidate whose average precision is below this share of the other's is worse; a smaller difference may be chance. */
const CLEARLY_WORSE = 0.9;

/**
 * Trains, and promotes the candidate unless it ranked the newest labels clearly worse than the champion did. Both are
 * evaluated on rows that neither had seen. The candidate is then trained on those rows too, which the champion never is:
 * on the Fraud Detection Handbook's sample, giving ties to the older model cost .12 of average precision. If there is too
 * little fraud to evaluate a candidate at all, none is trained.
 */
export const learner = (settings: TrainModelOptions['settings'] = {}): Learner =>
  function learn(rows, champion, nowMs) {
    const counted = `${rows.length} labels, ${rows.reduce((sum, { label }) => sum + label, 0)} fraud`;
    if (!canBeJudged(rows)) return { model: undefined, note: `${counted}: too little fraud to evaluate a model` };
    const { artefact, judged } = trainModel(rows, {
      nowMs,
      source: 'labels',
      settings,
      parent: champion?.version ?? null,
    });
    const { holdout } = artefact.card;
    if (judged === undefined || holdout === null) throw new Error('a model that can be evaluated was not evaluated');
    const learntAtMs = Date.parse(champion?.card.trained_at ?? '') || 0;
    const unseen = judged.rows.flatMap((row, at) => (row.labeled_at_ms > learntAtMs ? [{ row, at }] : []));
    const truth = Uint8Array.from(unseen, ({ row }) => row.label);
    const quality = `AUC ${holdout.auc.toFixed(3)}`;
    if (truth.reduce((sum, label) => sum + label, 0) < LEAST_FRAUD) {
      return { model: artefact, note: `${counted}: ${quality}; ${artefact.version} knows more and takes over` };
    }
    const scoreOf = rowScorer(champion);
    const precisionOf = (scores: number[]) => averagePrecision(rankingCurve({ scores, labels: truth }));
    const before = precisionOf(unseen.map(({ row }) => scoreOf(row).risk_score));
    const after = precisionOf(unseen.map(({ at }) => judged.scores[at] as number));
    const summary = `${quality}, average precision ${before.toFixed(3)} → ${after.toFixed(3)}`;
    return after >= CLEARLY_WORSE * before
      ? { model: artefact, note: `${counted}: ${summary}; ${artefact.version} takes over` }
      : { model: undefined, note: `${counted}: ${summary}; ${champion?.version ?? 'signals'} stays` };
  };
