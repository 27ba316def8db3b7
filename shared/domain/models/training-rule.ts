import { byTime, type OwnedRow, splitNewest } from './account-shares';
import type { ModelArtefact } from './model-artefact';
import type { Check, PromotionVerdict } from './promotion-rule';
import type { RegistryState, ShadowTally } from './registry-state';

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
  least_new_fraud: 20,
  least_new_share: 0.1,
  /** The newest rows, on which the challenger is evaluated without having seen them; more of them where fraud is rare. */
  holdout_shares: [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5],
  holdout_least: 20,
  window_ms: 550 * DAY_MS,
  most_rows: 200_000,
  shadow_least_ms: 24 * HOUR_MS,
  /** After this, traffic decides, if labels are still too few. */
  shadow_enough_ms: 3 * DAY_MS,
  shadow_most_ms: 14 * DAY_MS,
  shadow_least_screened: 100,
  /** How much traffic a new model may stop: twice the champion's share or the fraud, plus half a percent. */
  most_stopped_ratio: 2,
  most_stopped_rise: 0.005,
} as const;

/** The labels available for training. */
export interface LabelCounts {
  readonly fraud: number;
  readonly legitimate: number;
  readonly presumed: number;
  readonly since_training: number;
  readonly fraud_since_training: number;
}

/** Why there are not enough labels to train on; undefined if there are. */
export function whyNotYet(
  counts: LabelCounts,
  { last_training }: Pick<RegistryState, 'last_training'>,
): string | undefined {
  const rule = TRAINING_RULE;
  const labels = counts.fraud + counts.legitimate;
  const least = Math.min(counts.fraud, counts.legitimate + counts.presumed);
  if (labels < rule.least_labels || least < rule.least_of_each) {
    return `${counts.fraud} fraud and ${counts.legitimate} legitimate labels; ${rule.least_labels} are needed, ${rule.least_of_each} of each kind`;
  }
  if (!last_training) return undefined;
  const wanted = Math.max(rule.least_new, Math.ceil(rule.least_new_share * last_training.labels));
  if (counts.fraud_since_training < rule.least_new_fraud) {
    return `${counts.fraud_since_training} frauds since the last training; ${rule.least_new_fraud} are needed`;
  }
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

type HeldRow = OwnedRow & { readonly labeled_at_ms: number };

type Learned = Partial<Pick<ModelArtefact, 'card'>>;

/** When the champion learned: it has seen every label that was given before. */
export const learntAtMs = (champion: Learned | undefined): number =>
  Date.parse(champion?.card?.trained_at ?? '') || Number.NEGATIVE_INFINITY;

/**
 * Splits rows into those to learn from and those to evaluate on. Where little is new to the champion, that is all it has not seen,
 * whatever the time of its screenings: a chargeback is new weeks after its payment, and the challenger competes with exactly the
 * champion's knowledge. Otherwise the newest by screening, account by account: a fifth, or as much more as it takes to include enough
 * fraud that the champion has not seen, because it would win on what it has learned by heart.
 * Undefined if there is too little of either kind.
 */
export function holdOut<R extends HeldRow>(
  rows: readonly R[],
  champion?: Learned | undefined,
  most = Number.POSITIVE_INFINITY,
): { older: R[]; newest: R[]; unseen: R[] } | undefined {
  const isEnough = (part: readonly R[]) => {
    const fraud = part.reduce((sum, { label }) => sum + label, 0);
    return Math.min(fraud, part.length - fraud) >= TRAINING_RULE.holdout_least;
  };
  const sinceMs = learntAtMs(champion);
  const isUnseen = ({ labeled_at_ms }: R) => labeled_at_ms > sinceMs;
  const fresh = rows.filter(isUnseen).sort(byTime);
  if (fresh.length < Math.min(TRAINING_RULE.holdout_shares[0] * rows.length, most)) {
    const known = rows.filter((row) => !isUnseen(row)).sort(byTime);
    if (isEnough(known) && isEnough(fresh)) return { older: known, newest: fresh, unseen: fresh };
  }
  for (const share of TRAINING_RULE.holdout_shares) {
    const split = splitNewest(rows, share, most);
    const unseen = split.newest.filter(isUnseen);
    if (isEnough(split.older) && isEnough(unseen)) return { ...split, unseen };
  }
  return undefined;
}

/** Whether a model in shadow has seen enough: to be evaluated on labels, on traffic alone, not yet, or not in time. */
export function shadowReadiness(
  ageMs: number,
  fresh: Pick<LabelCounts, 'fraud' | 'legitimate' | 'presumed'>,
  tally: ShadowTally,
  leastLabels: number,
): 'labels' | 'traffic' | 'waiting' | 'overdue' {
  const rule = TRAINING_RULE;
  const isLabelled = Math.min(fresh.fraud, fresh.legitimate + fresh.presumed) >= leastLabels;
  if (tally.screened < rule.shadow_least_screened) return ageMs >= rule.shadow_most_ms ? 'overdue' : 'waiting';
  if (isLabelled && ageMs >= rule.shadow_least_ms) return 'labels';
  return ageMs >= rule.shadow_enough_ms ? 'traffic' : 'waiting';
}

/**
 * Checks a model in shadow on live traffic, regardless of labels: it works, and does not flood the analysts.
 * `fraudShare` is the share of fraud in the traffic according to labels. A few hundred screenings show a share only
 * roughly: what may be chance (two standard deviations of a count) floods nobody, and the labels have their own word.
 */
export function checkTraffic(tally: ShadowTally, fraudShare: number): PromotionVerdict {
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
      passed: shadow_stopped - 2 * Math.sqrt(shadow_stopped) <= most * screened,
    },
  ];
  return { passed: checks.every(({ passed }) => passed), checks };
}
