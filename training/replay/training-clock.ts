import { EMPTY_REGISTRY } from '../../shared/domain/models/registry-state';
import { whyNotYet } from '../../shared/domain/models/training-rule';

const DAY_MS = 86_400_000;
/** Production checks every six hours; in a replay a check is free, but training takes longer than a day of lines. */
const LOOK_EVERY_MS = DAY_MS / 4;
/** So a replay also waits until there are 50% more labels; after a month, 25% is enough. */
const GROWTH = 1.5;
const GROWTH_IN_A_MONTH = 1.25;
const MONTH_MS = 30 * DAY_MS;

/** Labels known at a time. */
export interface KnownLabels {
  readonly length: number;
  readonly fraud: number;
}

/** Says when to train. */
export interface TrainingClock {
  /** Whether a training is due now; with `isLast` as soon as there is anything new to learn. */
  isDue(labels: KnownLabels, nowMs: number, isLast: boolean): boolean;
}

/** Production's rule for when there are enough labels, plus the replay's own waiting rule. */
export function trainingClock(): TrainingClock {
  let last: { readonly at_ms: number; readonly labels: number } | undefined;
  let nextLookMs = 0;
  return {
    isDue({ length, fraud }, nowMs, isLast) {
      if (nowMs < nextLookMs && !isLast) return false;
      nextLookMs = nowMs + LOOK_EVERY_MS;
      const counts = { fraud, legitimate: length - fraud, presumed: 0, since_training: length - (last?.labels ?? 0) };
      const last_training = last && !isLast ? { at: new Date(last.at_ms).toISOString(), labels: last.labels } : null;
      if (counts.since_training === 0 || whyNotYet(counts, { ...EMPTY_REGISTRY, last_training }) !== undefined) {
        return false;
      }
      if (last !== undefined && !isLast) {
        const isMonthOver = nowMs - last.at_ms >= MONTH_MS;
        if (length < (isMonthOver ? GROWTH_IN_A_MONTH : GROWTH) * last.labels) return false;
      }
      last = { at_ms: nowMs, labels: length };
      return true;
    },
  };
}
