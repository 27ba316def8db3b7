import { rowScorer } from '../learn/row-scorer';
import { trainModel } from '../learn/train-model';
import { averagePrecision } from '../trainer/metrics';
import type { Learner } from './replay';

const HOLDOUT_SHARE = 0.2;

/**
 * Trains, and lets the candidate take over when it ranked the newest labels better than the model in force did. A
 * candidate that could not be judged, for want of fraud, does not take over.
 */
export const learner = (source: 'labels' | 'import'): Learner =>
  function learn(rows, champion, nowMs) {
    const parent = champion?.version ?? null;
    const { artefact } = trainModel(rows, { nowMs, source, parent });
    const { holdout, labels } = artefact.card;
    const counted = `${labels.fraud + labels.legitimate} labels, ${labels.fraud} fraud`;
    if (holdout === null) return { model: undefined, note: `${counted}: too little fraud to judge a model by` };
    const ordered = [...rows].sort((a, b) => a.screened_at_ms - b.screened_at_ms);
    const newest = ordered.slice(Math.floor(ordered.length * (1 - HOLDOUT_SHARE)));
    const score = rowScorer(champion);
    const before = averagePrecision(
      newest.map((row) => score(row).risk_score),
      Uint8Array.from(newest, ({ label }) => label),
    );
    const after = holdout.average_precision;
    const figures = `average precision ${before.toFixed(3)} → ${after.toFixed(3)}, AUC ${holdout.auc.toFixed(3)}`;
    return after > before
      ? { model: artefact, note: `${counted}: ${figures}; ${artefact.version} takes over` }
      : { model: undefined, note: `${counted}: ${figures}; ${champion?.version ?? 'signals'} stays` };
  };
