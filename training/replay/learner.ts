import { cappedWeights } from '../../shared/domain/models/account-shares';
import { averagePrecision, rankingCurve } from '../../shared/domain/models/evaluation/ranking-curve';
import type { ScoreMove } from '../../shared/domain/models/evaluation/score-move';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { mergeVerdicts } from '../../shared/domain/models/promotion-rule';
import { rowScorer } from '../../shared/domain/models/row-scorer';
import type { ShadowTally } from '../../shared/domain/models/shadow-tally';
import type { TrainingRow } from '../../shared/domain/models/training-row';
import {
  type ExpectedFraud,
  isComparable,
  isFirmScale,
  judgeExpected,
  judgeMove,
  judgeTraffic,
  whyUnfair,
} from '../../shared/domain/models/training-rule';
import { fraudShare } from '../../shared/usecases/models/compare-models';
import { canBeJudged, type HeldOutRows, type TrainModelOptions, trainModel } from '../engine/learn/train-model';
import { moveOf } from './recent-traffic';
import type { Learner } from './replay';

/** Fewer frauds than this cannot tell two models apart. */
const LEAST_FRAUD = 15;

/** A candidate whose average precision is below this share of the other's is worse; a smaller difference may be chance. */
const CLEARLY_WORSE = 0.9;

/**
 * Trains, and promotes the candidate unless it ranked the newest labels clearly worse than the champion did. Both are
 * evaluated on rows that neither had seen. The candidate is then trained on those rows too, which the champion never is:
 * on the Fraud Detection Handbook's sample, giving ties to the older model cost .12 of average precision. If there is too
 * little fraud to evaluate a candidate at all, none is trained. Whatever labels say, a candidate that would stop far more of
 * the latest traffic than the champion, or move its scores too far, is refused by the rules of production.
 */
export const learner = (settings: TrainModelOptions['settings'] = {}): Learner =>
  function learn(rows, champion, nowMs, recent) {
    const given = rows.filter(({ presumed }) => presumed !== true);
    const counted = `${given.length} labels, ${given.reduce((sum, { label }) => sum + label, 0)} fraud`;
    const stays = `${champion?.version ?? 'signals'} stays`;
    const unfair = whyUnfair(rows);
    if (unfair !== undefined) return { model: undefined, note: `${counted}: ${unfair}; ${stays}` };
    if (!canBeJudged(rows)) return { model: undefined, note: `${counted}: too little fraud to evaluate a model` };
    const { artefact, judged } = trainModel(rows, {
      nowMs,
      source: 'labels',
      settings,
      parent: champion,
    });
    const { holdout } = artefact.card;
    if (judged === undefined || holdout === null) throw new Error('a model that can be evaluated was not evaluated');
    const found = expectedFraud(judged, champion);
    const move = moveOf(recent, champion, artefact);
    const share = fraudShare(rows);
    const failed = mergeVerdicts(
      judgeTraffic(tallyOf(move), share),
      judgeExpected(found),
      ...(isComparable(champion) ? [judgeMove(move, share, isFirmScale(champion, artefact, found))] : []),
    ).checks.find(({ passed }) => !passed);
    if (failed !== undefined) {
      const refusal = `${artefact.version} is refused: ${failed.name}, ${failed.wanted}, ${failed.found}`;
      return { model: undefined, note: `${counted}: ${refusal}; ${stays}` };
    }
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
      : { model: undefined, note: `${counted}: ${summary}; ${stays}` };
  };

/** The latest traffic as a tally of shadow has it. */
const tallyOf = ({ rows: screened, stopped_before, stopped_after }: ScoreMove): ShadowTally => ({
  ...{ screened, silent: 0, champion_stopped: stopped_before, shadow_stopped: stopped_after },
});

/** The fraud of the newest weeks, as the candidate and the champion expected it. */
function expectedFraud({ rows, probabilities }: HeldOutRows, champion: ModelArtefact | undefined): ExpectedFraud {
  const weights = cappedWeights(rows);
  const scoreOf = rowScorer(champion);
  const sum = (read: (row: TrainingRow, i: number) => number) =>
    rows.reduce((total, row, i) => total + (weights[i] as number) * read(row, i), 0);
  return {
    champion: sum((row) => scoreOf(row).probability),
    challenger: sum((_, i) => probabilities[i] as number),
    actual: sum(({ label }) => label),
  };
}
