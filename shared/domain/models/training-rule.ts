import type { Check, PromotionVerdict } from './promotion-rule';
import type { RegistryState } from './registry-state';
import type { ShadowTally } from './shadow-tally';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** When a model is trained and how long it stays in shadow. Each value is explained in docs/model-operations.md. */
export const TRAINING_RULE = {
  /** Labels by people, in total and of each kind; with fewer, a forest learns names, not fraud. */
  least_labels: 200,
  least_of_each: 40,
  /** At most this share of the weight, and of the rows, is fraud: more means that the honest labels have not arrived yet. */
  most_fraud_weight: 0.5,
  most_fraud_rows: 0.67,
  /** Labels since the last training: this many, and this share of those it had. */
  least_new: 50,
  least_new_share: 0.1,
  /** The newest rows, on which the challenger must win without having seen them. */
  holdout_share: 0.2,
  window_ms: 180 * DAY_MS,
  most_rows: 200_000,
  shadow_least_ms: 24 * HOUR_MS,
  shadow_most_ms: 14 * DAY_MS,
  shadow_least_screened: 100,
  /** How much traffic a new model may stop: twice what the champion stops or what is fraud, plus half a percent. */
  most_stopped_ratio: 2,
  most_stopped_rise: 0.005,
} as const;

/** The labels available for training. */
export interface LabelCounts {
  readonly fraud: number;
  readonly legitimate: number;
  /** Sampled traffic that nobody objected to. */
  readonly presumed: number;
  /** Labels by people since the last training. */
  readonly since_training: number;
}

/** Why there are not enough labels to train on; undefined if there are. */
export function whyNotYet(counts: LabelCounts, { last_training }: RegistryState): string | undefined {
  const rule = TRAINING_RULE;
  const labels = counts.fraud + counts.legitimate;
  const least = Math.min(counts.fraud, counts.legitimate + counts.presumed);
  if (labels < rule.least_labels || least < rule.least_of_each) {
    return `${counts.fraud} fraud and ${counts.legitimate} legitimate labels; ${rule.least_labels} are needed, ${rule.least_of_each} of each kind`;
  }
  if (!last_training) return undefined;
  const wanted = Math.max(rule.least_new, Math.ceil(rule.least_new_share * last_training.labels));
  return counts.since_training < wanted
    ? `${counts.since_training} labels since the last training; ${wanted} are needed`
    : undefined;
}

/**
 * Why rows would teach a wrong share of fraud; undefined if they are fair enough. Where fraud is reported first and nothing
 * is presumed about the rest yet, a model would learn that nearly everything is fraud.
 */
export function whyUnfair(
  rows: ReadonlyArray<{ readonly label: 0 | 1; readonly weight?: number }>,
): string | undefined {
  let frauds = 0;
  let fraudWeight = 0;
  let allWeight = 0;
  for (const { label, weight = 1 } of rows) {
    frauds += label;
    fraudWeight += label * weight;
    allWeight += weight;
  }
  const byRows = frauds / Math.max(1, rows.length);
  const byWeight = fraudWeight / Math.max(1, allWeight);
  const { most_fraud_rows, most_fraud_weight } = TRAINING_RULE;
  if (byRows <= most_fraud_rows && byWeight <= most_fraud_weight) return undefined;
  return `${Math.round(100 * Math.max(byRows, byWeight))}% of the rows are fraud; legitimate ones have not arrived yet`;
}

/** Whether a model in shadow has seen enough to be evaluated: yes, not yet, or not in time. */
export function shadowReadiness(
  ageMs: number,
  fresh: Pick<LabelCounts, 'fraud' | 'legitimate' | 'presumed'>,
  tally: ShadowTally,
  leastLabels: number,
): 'ready' | 'waiting' | 'overdue' {
  const rule = TRAINING_RULE;
  const least = Math.min(fresh.fraud, fresh.legitimate + fresh.presumed);
  const hasSeen = least >= leastLabels && tally.screened >= rule.shadow_least_screened;
  if (ageMs >= rule.shadow_least_ms && hasSeen) return 'ready';
  return ageMs >= rule.shadow_most_ms ? 'overdue' : 'waiting';
}

/**
 * What live traffic shows about a model in shadow, regardless of labels: it works, and does not flood the analysts.
 * `fraudShare` is the share of fraud in the traffic according to labels.
 */
export function judgeTraffic(tally: ShadowTally, fraudShare: number): PromotionVerdict {
  const { screened, silent, champion_stopped, shadow_stopped } = tally;
  const share = (count: number) => count / Math.max(1, screened);
  const percent = (part: number) => `${(100 * part).toFixed(1)}%`;
  const due = Math.max(share(champion_stopped), fraudShare);
  const most = Math.min(1, TRAINING_RULE.most_stopped_ratio * due + TRAINING_RULE.most_stopped_rise);
  const checks: Check[] = [
    {
      name: 'never fails on live traffic',
      wanted: 'a score for every screening',
      found: `${silent} of ${screened} without one`,
      passed: silent === 0,
    },
    {
      name: 'does not flood the analysts',
      wanted: `at most ${percent(most)} flagged`,
      found: `${percent(share(champion_stopped))} → ${percent(share(shadow_stopped))}`,
      passed: share(shadow_stopped) <= most,
    },
  ];
  return { passed: checks.every(({ passed }) => passed), checks };
}
