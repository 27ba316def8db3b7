import { DEFAULT_SETTINGS } from '../accounts/account';
import type { FiredSignal } from './compile-signals';
import type { Thresholds } from './decide';
import type { SignalFamily } from './signal-definition';

/**
 * How often labels have judged a signal, by how strongly it spoke: entry s counts the labelled attempts on which it
 * fired with at least s log-odds. What labels have judged, the model knows better; what they have not judged yet (a
 * signal that never fired, or never as strongly) still counts by its rule.
 *
 *   weight = 50 / (50 + judged × log-odds)      none judged 1      50 judged ½, at 4 log-odds 12      5,000 judged 0.01
 *
 * The more a signal claims, the fewer labels tell whether it is right. A stronger signal never adds less: fewer attempts reach a
 * higher step, and its log-odds grow faster than their weight falls.
 */
export interface SignalTrust {
  readonly judged: Readonly<Record<string, readonly number[]>>;
}

/** This many labelled attempts halve the weight of a signal's own rule. */
const HALF_AT = 50;
/** One step per log-odd; the strongest single signal has 7. */
export const TRUST_STEPS = 8;

/** Trusts every signal in full: no labels yet. */
export const FULL_TRUST: SignalTrust = { judged: {} };

/**
 * The share of a signal's own log-odds that still counts, by the whole step that it reaches. Not linear between steps: the step
 * above may be one that the signal never reaches, and then no number of labels would ever judge it.
 */
export const trustWeight = (trust: SignalTrust, signal: string, logOdds: number): number =>
  HALF_AT / (HALF_AT + Math.max(1, Math.abs(logOdds)) * judgedAt(trust, signal, logOdds));

function judgedAt({ judged }: SignalTrust, signal: string, logOdds: number): number {
  const counts = Object.hasOwn(judged, signal) ? judged[signal] : undefined;
  return counts?.[Math.floor(Math.min(Math.abs(logOdds), counts.length - 1))] ?? 0;
}

/** One part of the score, in log-odds. */
export interface WeightedPart {
  readonly name: string;
  readonly log_odds: number;
}

/**
 * Integer points for each part, in the order given, that add up to exactly `total`: proportional to the
 * log-odds, rounded by largest remainder, ties by name. Every part that raises the score gets at least
 * 1 point while a larger one has a point to spare, so that rounding does not hide anything that fired.
 *
 * `exact` is the unrounded total (`total` is its rounded value). Only if the parts cancel each other out is
 * a share of the total meaningless; then each part is worth `pointsPerLogOdd`, the slope at the base.
 */
export function apportionPoints(
  parts: readonly WeightedPart[],
  exact: number,
  total: number,
  pointsPerLogOdd: number,
): number[] {
  let sum = 0;
  for (const { log_odds } of parts) sum += log_odds;
  const slope = Math.abs(sum) < 1e-6 ? pointsPerLogOdd : exact / sum;
  const shares = parts.map(({ name, log_odds }, index) => {
    const share = log_odds * slope;
    return { name, index, floor: Math.floor(share), remainder: share - Math.floor(share) };
  });
  let left = total;
  for (const { floor } of shares) left -= floor;
  const points = shares.map(({ floor }) => floor);
  // Between 0 and parts.length points are left; the modulus only guards against rounding errors in the last bit.
  shares.sort((a, b) => b.remainder - a.remainder || (a.name < b.name ? -1 : 1));
  for (let k = 0; left > 0 && shares.length > 0; k++, left--) {
    const { index } = shares[k % shares.length] as (typeof shares)[number];
    points[index] = (points[index] as number) + 1;
  }
  return lendToTheSmall(parts, points);
}

/** Moves single points from the largest part to parts that raise the score but were rounded to zero. */
function lendToTheSmall(parts: readonly WeightedPart[], points: number[]): number[] {
  for (let i = 0; i < parts.length; i++) {
    if ((parts[i] as WeightedPart).log_odds <= 0 || (points[i] as number) > 0) continue;
    let richest = -1;
    for (let j = 0; j < parts.length; j++) {
      if ((points[j] as number) > 1 && (richest < 0 || (points[j] as number) > (points[richest] as number)))
        richest = j;
    }
    if (richest < 0) break;
    points[richest] = (points[richest] as number) - 1;
    points[i] = (points[i] as number) + 1;
  }
  return points;
}

/*
 * The score is a stretched logistic curve over log-odds: score = 100 / (1 + e^(−L / 2)). The probability of fraud, as
 * estimated by a model that has learnt from labels, is the plain logistic of L − 1.9:
 *
 *   score            1       5      15     30     50     60     70     85     95
 *   log-odds L     −9.2    −5.9   −3.5   −1.7    0.0   +0.8   +1.7   +3.5   +5.9
 *   probability   0.002%   0.04%   0.5%     3%    13%    25%    45%    83%    98%
 *
 * It has half the slope of a probability, so that even extreme scores still differ in whole points; and review (60)
 * begins where one in four is fraud, block (85) where five in six are, which is where people want to look and to stop.
 * An attempt about which nothing is known has the base score; review is 6.7 above it, block 9.4.
 */
export const BASE_SCORE = 5;
const STRETCH = 2;
/** How far the score's log-odds are above those of the probability. */
export const PROBABILITY_SHIFT = 1.9;

/** The most a family may add. None reaches block (9.4) alone: blocking takes two kinds of evidence. */
const FAMILY_CAP: Readonly<Record<SignalFamily, number>> = {
  velocity: 7.5,
  location: 5,
  device: 4,
  crowd: 7.5,
  reputation: 9,
  amount: 7.5,
  account: 6.6,
  habit: 1,
  trust: 2.5,
};

/** Among signals of one family, each counts this fraction of the one before. */
const FAMILY_DECAY = 0.5;
/** Above a forced review, other evidence still affects the ranking, at a tenth of its weight. */
const ABOVE_FLOOR = 0.1;

/** A model's opinion of one vector, in log-odds: the only way in which it enters the score. */
export interface ModelOpinion {
  readonly version: string;
  /** Where the model starts before it has seen any feature. @default the base of the signals */
  readonly base_log_odds?: number;
  readonly log_odds: number;
  /** By signal name. The remainder, and the parts of signals that did not fire, become `model_risk`. */
  readonly parts: ReadonlyArray<{ readonly signal: string; readonly log_odds: number }>;
  readonly detail: string;
  /** The weight that signals keep: a model trained on labels saw the same facts. @default in full */
  readonly trust?: SignalTrust;
  /** It was trained on other accounts' traffic: it never turns anything into a block. @default false */
  readonly only_nudges?: boolean;
}

export interface Contribution {
  readonly signal: string;
  readonly points: number;
  readonly detail: string;
}

export interface Score {
  readonly risk_score: number;
  readonly probability: number;
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
 *   1. a signal counts to the extent that labels have not judged it yet; without a model, in full;
 *   2. within a family the strongest signal counts in full, the next half, … up to the family's cap;
 *   3. families and the model, if there is one, add up on top of the base; one that only nudges stops short of block;
 *   4. a signal that forces a review lifts the sum to the account's review threshold, never to block;
 *   5. an attempt that repeats a stopped one has at least the score of that one;
 *   6. the sum becomes the integer score, and points are apportioned so that base + Σ points = score.
 */
export const score = (fired: readonly FiredSignal[], thresholds: Thresholds, model?: ModelOpinion): Score =>
  fired.length === 0 && model === undefined ? NOTHING_FIRED : scoreOf(fired, thresholds, model);

function scoreOf(fired: readonly FiredSignal[], thresholds: Thresholds, model?: ModelOpinion): Score {
  // A fixed order of addition: floating point is not associative, and the score must not depend on the signals' order.
  const signals = [...fired].sort((a, b) => (a.name < b.name ? -1 : 1));
  const trust = model?.trust ?? FULL_TRUST;
  const base = model?.base_log_odds === undefined ? BASE_SCORE : nearestScore(model.base_log_odds);
  const start = logOddsOf(base);
  const parts = signalParts(trusted(signals, trust));
  if (model !== undefined) {
    const opinion = model.only_nudges ? belowBlock(model, start + sumOf(parts), thresholds) : model;
    addModel(parts, opinion, (model.base_log_odds ?? start) - start);
  }
  const sum = start + sumOf(parts);
  const forced = sum + forcedLift({ start, sum }, signals, thresholds, trust);
  if (forced > sum) creditLift(parts, signals, forced - sum);
  const logOdds = liftToFloor(parts, signals, forced);

  const exact = exactScore(logOdds);
  const risk_score = Math.round(exact);
  const points = apportionPoints(parts, exact - base, risk_score - base, slopeAt(base));
  const contributions = parts
    .map(({ name, detail }, i) => ({ signal: name, points: points[i] as number, detail }))
    .filter((contribution) => contribution.points !== 0)
    .sort((a, b) => b.points - a.points || (a.signal < b.signal ? -1 : 1));
  return {
    risk_score,
    probability: 1 / (1 + Math.exp(PROBABILITY_SHIFT - logOdds)),
    signals: contributions.filter((contribution) => contribution.points > 0).map(({ signal }) => signal),
    explanation: { base, contributions },
  };
}

function exactScore(logOdds: number): number {
  return 100 / (1 + Math.exp(-logOdds / STRETCH));
}

export function logOddsOf(exact: number): number {
  return STRETCH * Math.log(exact / (100 - exact));
}

/** The base is reported as an integer, so a model starts from one: the remainder belongs to the model's part. */
function nearestScore(logOdds: number): number {
  return Math.min(99, Math.max(1, Math.round(exactScore(logOdds))));
}

/** Points that one log-odd is worth at a score: 2.4 at 5. */
function slopeAt(exact: number): number {
  return (exact * (100 - exact)) / 100 / STRETCH;
}

/** Rule 1. */
const trusted = (signals: readonly FiredSignal[], trust: SignalTrust): readonly FiredSignal[] =>
  trust === FULL_TRUST
    ? signals
    : signals.map((signal) => ({
        ...signal,
        log_odds: signal.log_odds * trustWeight(trust, signal.name, signal.log_odds),
      }));

/** Log-odds that each signal adds to the base, after the discounts within its family. */
export const signalLogOdds = (fired: readonly FiredSignal[]): ReadonlyArray<Pick<Part, 'name' | 'log_odds'>> =>
  signalParts([...fired].sort((a, b) => (a.name < b.name ? -1 : 1)));

/** Log-odds that the rules alone add to the base: an input of models. */
export function rulesLogOdds(fired: readonly FiredSignal[]): number {
  const signals = [...fired].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sumOf(signalParts(signals));
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((total, { log_odds }) => total + log_odds, 0);

/** Rule 2. Rank within the family is by strength, ties by name (the signals are sorted by name). */
function signalParts(signals: readonly FiredSignal[]): Part[] {
  const decayed = signals.map((signal, i) => {
    let stronger = 0;
    for (let j = 0; j < signals.length; j++) {
      const other = signals[j] as FiredSignal;
      if (other.family !== signal.family) continue;
      const more = Math.abs(other.log_odds) - Math.abs(signal.log_odds);
      if (more > 0 || (more === 0 && j < i)) stronger++;
    }
    return signal.log_odds * FAMILY_DECAY ** stronger;
  });
  return signals.map(({ name, detail, family }, i) => {
    let total = 0;
    for (let j = 0; j < signals.length; j++) {
      if ((signals[j] as FiredSignal).family === family) total += decayed[j] as number;
    }
    const scale = total === 0 ? 1 : Math.min(1, FAMILY_CAP[family] / Math.abs(total));
    return { name, detail, log_odds: (decayed[i] as number) * scale };
  });
}

/**
 * Rule 3 for the model: its findings about a signal that fired join that signal; the rest is its own part. They add up, although
 * both may weigh the same evidence: any other sum lets one more confirmed fraud lower a score.
 */
function addModel(parts: Part[], { log_odds, parts: own, detail }: ModelOpinion, leftOver: number): void {
  let rest = log_odds + leftOver;
  for (const { signal, log_odds: value } of own) {
    const fired = parts.find(({ name }) => name === signal);
    if (fired === undefined) continue;
    fired.log_odds += value;
    rest -= value;
  }
  if (Math.abs(rest) > 1e-9) parts.push({ name: 'model_risk', detail, log_odds: rest });
}

/** Rule 3 for a model that only nudges: if the signals alone do not block, it adds no more than there is room for. */
function belowBlock(model: ModelOpinion, bySignals: number, { block_threshold }: Thresholds): ModelOpinion {
  const isBlocked = Math.round(exactScore(bySignals)) >= block_threshold;
  const room = Math.max(0, boundedLogOdds(block_threshold - 1) - bySignals);
  if (isBlocked || model.log_odds <= room) return model;
  const share = room / model.log_odds;
  const parts = model.parts.map(({ signal, log_odds }) => ({ signal, log_odds: share * log_odds }));
  return { ...model, log_odds: room, parts };
}

interface Reached {
  readonly start: number;
  readonly sum: number;
}

/** Rule 4, as far as labels have not yet settled the signal that forces the review, however strongly. */
function forcedLift(
  { start, sum }: Reached,
  signals: readonly FiredSignal[],
  thresholds: Thresholds,
  trust: SignalTrust,
): number {
  let weight = 0;
  for (const { name, log_odds, forces_review } of signals) {
    if (forces_review) weight = Math.max(weight, HALF_AT / (HALF_AT + judgedAt(trust, name, log_odds)));
  }
  return weight === 0 ? 0 : weight * (lifted(sum, start, thresholds) - sum);
}

/** Stays below block if block is above review; an account that never reviews (101) gets the default. */
function lifted(sum: number, start: number, { review_threshold, block_threshold }: Thresholds): number {
  const review = review_threshold > 100 ? DEFAULT_SETTINGS.review_threshold : review_threshold;
  const ceiling = block_threshold > review ? block_threshold - 1 : 100;
  const floor = boundedLogOdds(review) + ABOVE_FLOOR * Math.max(0, sum - start);
  return Math.max(sum, Math.min(floor, boundedLogOdds(ceiling)));
}

/** 0 and 100 lie at infinity: uses the nearest score that rounds to them. */
function boundedLogOdds(wanted: number): number {
  return logOddsOf(Math.min(99.6, Math.max(0.4, wanted)));
}

/** The least that rounds to a score: an attempt that reaches it alone never ranks below one lifted to it. */
const leastOf = (wanted: number): number => boundedLogOdds(wanted - 0.5 + 1e-9);

/** Rule 5: labels do not weaken it, and unlike a forced review it may end in a block. */
function liftToFloor(parts: readonly Part[], signals: readonly FiredSignal[], logOdds: number): number {
  let lifted = logOdds;
  for (const { name, lifts_to = 0 } of signals) {
    const floor = lifts_to > 0 ? leastOf(lifts_to) : lifted;
    const part = floor > lifted ? parts.find((each) => each.name === name) : undefined;
    if (part === undefined) continue;
    part.log_odds += floor - lifted;
    lifted = floor;
  }
  return lifted;
}

/** The lift is credited to the strongest signal that asked for it. */
function creditLift(parts: readonly Part[], signals: readonly FiredSignal[], lift: number): void {
  const forcing = new Set(signals.filter(({ forces_review }) => forces_review).map(({ name }) => name));
  const first = parts
    .filter(({ name }) => forcing.has(name))
    .reduce((best, part) => (part.log_odds > best.log_odds ? part : best));
  first.log_odds += lift;
}

/** The score of most attempts without a model, whatever the thresholds. */
const NOTHING_FIRED = scoreOf([], DEFAULT_SETTINGS);
