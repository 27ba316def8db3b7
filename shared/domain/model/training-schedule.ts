const DAY_MS = 86_400_000;

/** What is enough to learn from, and to learn again: one rule for production and for replays. */
export const TRAINING_SCHEDULE = {
  /** Before that many labels, of each kind so many, there is nothing to learn. */
  least_labels: 400,
  least_of_each: 20,
  /** Then again when labels have grown by half since the last training, or it was a month ago … */
  growth: 1.5,
  longest_ms: 30 * DAY_MS,
  /** … but not for a handful of new labels, and not twice a day. */
  least_new_labels: 200,
  shortest_ms: DAY_MS,
} as const;

/** Labels known now. */
export interface KnownLabels {
  readonly total: number;
  readonly fraud: number;
}

/** Whether a training is due. */
export function isTrainingDue(
  labels: KnownLabels,
  last: { readonly labels: number; readonly at_ms: number } | undefined,
  nowMs: number,
): boolean {
  const schedule = TRAINING_SCHEDULE;
  const rarer = Math.min(labels.fraud, labels.total - labels.fraud);
  if (labels.total < schedule.least_labels || rarer < schedule.least_of_each) return false;
  if (last === undefined) return true;
  const age = nowMs - last.at_ms;
  if (labels.total - last.labels < schedule.least_new_labels || age < schedule.shortest_ms) return false;
  return labels.total >= schedule.growth * last.labels || age >= schedule.longest_ms;
}
