import { DEFAULT_SETTINGS } from '../account';
import { apportionPoints } from './apportion-points';
import type { FiredSignal } from './compile-signals';
import type { Thresholds } from './decide';
import type { SignalFamily } from './signal-definition';

/*
 * The score is a stretched logistic curve over log-odds: score = 100 / (1 + e^(−L / 2)).
 *
 *   score            5      30     50     60     85     95
 *   log-odds L     −5.9   −1.7    0.0   +0.8   +3.5   +5.9
 *   probability    0.3 %  16 %   50 %   69 %   97 %   99.7 %
 *
 * Half the slope of a probability, so that the very low and the very high still differ in whole points.
 * An attempt of which nothing is known has the base score; review is 6.7 above it, block 9.4.
 */
export const BASE_SCORE = 5;
const STRETCH = 2;
const BASE_LOG_ODDS = logOddsOf(BASE_SCORE);
/** Points that one log-odd is worth at the base: 2.4. */
const SLOPE_AT_BASE = (BASE_SCORE * (100 - BASE_SCORE)) / 100 / STRETCH;

/** What a family may add at most. None reaches block (9.4) alone: two kinds of evidence are asked for. */
const FAMILY_CAP: Readonly<Record<SignalFamily, number>> = {
  velocity: 7.5,
  place: 5,
  device: 4,
  crowd: 7.5,
  reputation: 9,
  amount: 4.5,
  account: 6.6,
  habit: 1,
  trust: 2.5,
};

/** Among signals of one family each next one counts this much of the one before. */
const FAMILY_DECAY = 0.5;
/** Above a forced review other evidence still ranks, at a tenth of its weight. */
const ABOVE_FLOOR = 0.1;

/** What a model says of one vector, in log-odds on top of the base: the one place where it joins the score. */
export interface ModelOpinion {
  readonly version: string;
  readonly log_odds: number;
  /** The same log-odds by signal name; what they leave over is `model_risk`. */
  readonly parts: ReadonlyArray<{ readonly signal: string; readonly log_odds: number; readonly detail: string }>;
  /** How much the signals still count beside it, 0 to 1: a model that has learnt from labels saw the same facts. @default 1 */
  readonly rules_weight?: number;
}

export interface Contribution {
  readonly signal: string;
  readonly points: number;
  readonly detail: string;
}

export interface Score {
  readonly risk_score: number;
  readonly signals: readonly string[];
  readonly explanation: { readonly base: number; readonly contributions: readonly Contribution[] };
}

interface Part {
  readonly name: string;
  readonly detail: string;
  log_odds: number;
}

/**
 * All precedence, caps and combination:
 *
 *   1. within a family the strongest signal counts in full, the next half, … up to the family's cap;
 *   2. families, and the model where there is one, add up on top of the base;
 *   3. a signal that forces a review lifts the sum to the account's review threshold, never to block;
 *   4. the sum becomes the integer score, and points are shared out so that base + Σ points = score.
 */
export function score(fired: readonly FiredSignal[], thresholds: Thresholds, model?: ModelOpinion): Score {
  // One order for every addition: floating point is not associative, and the score must not depend on order.
  const signals = [...fired].sort((a, b) => (a.name < b.name ? -1 : 1));
  const parts = signalParts(signals, model?.rules_weight ?? 1);
  if (model !== undefined) addModel(parts, model);
  const sum = BASE_LOG_ODDS + parts.reduce((total, { log_odds }) => total + log_odds, 0);
  const logOdds = signals.some(({ forces_review }) => forces_review) ? lifted(sum, thresholds) : sum;
  if (logOdds > sum) creditLift(parts, signals, logOdds - sum);

  const exact = exactScore(logOdds);
  const risk_score = Math.round(exact);
  const points = apportionPoints(parts, exact - BASE_SCORE, risk_score - BASE_SCORE, SLOPE_AT_BASE);
  const contributions = parts
    .map(({ name, detail }, i) => ({ signal: name, points: points[i] as number, detail }))
    .filter((contribution) => contribution.points !== 0)
    .sort((a, b) => b.points - a.points || (a.signal < b.signal ? -1 : 1));
  return {
    risk_score,
    signals: contributions.filter((contribution) => contribution.points > 0).map(({ signal }) => signal),
    explanation: { base: BASE_SCORE, contributions },
  };
}

function exactScore(logOdds: number): number {
  return 100 / (1 + Math.exp(-logOdds / STRETCH));
}

function logOddsOf(exact: number): number {
  return STRETCH * Math.log(exact / (100 - exact));
}

/** Rule 1. The rank within the family is by strength, ties by name (the signals come sorted by name). */
function signalParts(signals: readonly FiredSignal[], weight: number): Part[] {
  const decayed = signals.map((signal, i) => {
    let stronger = 0;
    signals.forEach((other, j) => {
      if (other.family !== signal.family) return;
      const more = Math.abs(other.log_odds) - Math.abs(signal.log_odds);
      if (more > 0 || (more === 0 && j < i)) stronger++;
    });
    return signal.log_odds * FAMILY_DECAY ** stronger;
  });
  return signals.map(({ name, detail, family }, i) => {
    let total = 0;
    signals.forEach((other, j) => {
      if (other.family === family) total += decayed[j] as number;
    });
    const scale = Math.min(1, FAMILY_CAP[family] / Math.abs(total));
    return { name, detail, log_odds: (decayed[i] as number) * scale * weight };
  });
}

/** Rule 2, the model's side: a part that a signal names already joins that signal's contribution. */
function addModel(parts: Part[], { log_odds, parts: own }: ModelOpinion): void {
  const rest = own.reduce((left, part) => left - part.log_odds, log_odds);
  const remainder = { signal: 'model_risk', log_odds: rest, detail: 'the model, by all features together' };
  for (const { signal, log_odds: value, detail } of [...own, ...(Math.abs(rest) > 1e-9 ? [remainder] : [])]) {
    const known = parts.find(({ name }) => name === signal);
    if (known === undefined) parts.push({ name: signal, detail, log_odds: value });
    else known.log_odds += value;
  }
}

/** Rule 3. Stays below block when block is above review; an account that never reviews (101) gets the default. */
function lifted(sum: number, { review_threshold, block_threshold }: Thresholds): number {
  const review = review_threshold > 100 ? DEFAULT_SETTINGS.review_threshold : review_threshold;
  const ceiling = block_threshold > review ? block_threshold - 1 : 100;
  const floor = boundedLogOdds(review) + ABOVE_FLOOR * Math.max(0, sum - BASE_LOG_ODDS);
  return Math.max(sum, Math.min(floor, boundedLogOdds(ceiling)));
}

/** 0 and 100 lie at infinity: the nearest score that rounds to them. */
function boundedLogOdds(wanted: number): number {
  return logOddsOf(Math.min(99.6, Math.max(0.4, wanted)));
}

/** What the lift added is owed to the strongest signal that asked for it. */
function creditLift(parts: readonly Part[], signals: readonly FiredSignal[], lift: number): void {
  const forcing = new Set(signals.filter(({ forces_review }) => forces_review).map(({ name }) => name));
  const first = parts
    .filter(({ name }) => forcing.has(name))
    .reduce((best, part) => (part.log_odds > best.log_odds ? part : best));
  first.log_odds += lift;
}
