import { MOST_POINTS_FROM_LOOSE, MOST_POINTS_MOVED, type ScoreMove } from './evaluation/score-move';
import type { ModelArtefact } from './model-artefact';
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
  /** Share of the traffic whose scores may move by more than 10 points: this, and twice the fraud, which a model is there to find. */
  most_moved: 0.05,
  most_moved_frauds: 2,
  /** On the newest weeks, the expected fraud is at most this many times the actual, or the actual the expected. */
  most_times_expected: 3,
  /** Or no further off than the champion's, by this factor: in a burst, nobody's is right. */
  times_champion: 1.25,
  /** A champion whose expected fraud is off by more than this factor, or that knew so many times less fraud, has no firm scale. */
  champion_off: 1.5,
  champion_young: 1.5,
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

/**
 * Whether a score still means the same after a model takes over from another that was trained on labels. The first one
 * replaces the signals' scale by probabilities: its points cannot be compared, and `judgeTraffic` bounds what it stops.
 */
export function judgeMove(move: ScoreMove, fraudShare: number, isFirm: boolean): PromotionVerdict {
  const percent = (part: number) => `${(100 * part).toFixed(1)}%`;
  const most = Math.min(1, TRAINING_RULE.most_moved + TRAINING_RULE.most_moved_frauds * fraudShare);
  const [points, beyond] = isFirm
    ? [MOST_POINTS_MOVED, move.beyond_bound]
    : [MOST_POINTS_FROM_LOOSE, move.beyond_wide_bound];
  const passed = beyond <= most;
  const check: Check = {
    name: 'scores stay comparable',
    wanted: `at most ${percent(most)} move by more than ${points} points`,
    found: `${percent(beyond)}; ${move.mean_points.toFixed(1)} points on average`,
    passed,
  };
  return { passed, checks: [check] };
}

type Learned = { readonly card: { readonly labels: { readonly fraud: number } } };

/** Whether a champion's scores mean what they say, and rest on about as much fraud as the challenger's. */
export function isFirmScale(champion: Learned, challenger: Learned, found: ExpectedFraud): boolean {
  const { champion_off, champion_young } = TRAINING_RULE;
  const isRight = found.actual === 0 || timesOff(found.champion, found.actual) <= champion_off;
  return isRight && challenger.card.labels.fraud < champion_young * champion.card.labels.fraud;
}

/** How many times the actual fraud the expected is, or the other way round. */
const timesOff = (expected: number, actual: number): number =>
  Math.exp(Math.abs(Math.log(Math.max(1e-9, expected) / actual)));

/** Weighted fraud on the newest rows: as either model expected it, and as it was. */
export interface ExpectedFraud {
  readonly champion: number;
  readonly challenger: number;
  readonly actual: number;
}

/** Whether a model's probabilities add up to the fraud of the newest weeks, which its calibration must not simply follow. */
export function judgeExpected({ champion, challenger, actual }: ExpectedFraud): PromotionVerdict {
  const { most_times_expected, times_champion } = TRAINING_RULE;
  const most = Math.max(most_times_expected, times_champion * timesOff(champion, actual));
  const passed = actual === 0 || timesOff(challenger, actual) <= most;
  const check: Check = {
    name: 'expects the fraud there is',
    wanted: `at most ${most.toFixed(1)} times the actual, or the actual as many times it`,
    found: `${challenger.toFixed(1)} expected, ${actual.toFixed(1)} actual; the champion expected ${champion.toFixed(1)}`,
    passed,
  };
  return { passed, checks: [check] };
}

/** Whether points of two models can be compared: not with signals, nor with a model that only nudges them. */
export const isComparable = <M extends Pick<ModelArtefact, 'calibration'>>(champion: M | undefined): champion is M =>
  champion?.calibration.role === 'replace';
