import type { AmountStats } from '../../domain/entities/entity-history';
import { type AttributeValue, digitsOf, numberAt } from '../sdk/attribute-value';
import { NOTHING_PACKED, padded, unpackSigned } from './packed-number';

/*
 * Mean and spread of the logarithm of amounts, additively: one number holds Σq², Σq (10 digits) and n (7 digits), where
 * q = 20·ln(hundredths), rounded. Counting in hundredths and never below one keeps q ≥ 0, so amounts below one unit
 * need no sign. Squaring the *rounded* q keeps the variance of equal amounts exactly zero; rounding to 1/20 blurs the
 * spread by at most 0.014, while people's own spread is 0.3 to 1.5.
 */
const STEPS = 20;
const COUNT_DIGITS = 7;
const SUM_DIGITS = 10;
const LN_100 = Math.log(100);

/** Hundredths of a unit, at least one and at most 10^14: the API refuses amounts above 10^12. */
export const hundredths = (amount: number): number => Math.min(1e14, Math.max(1, Math.round(amount * 100)));

/** The delta of one amount, given in hundredths. */
export function packLog(cents: number): string {
  const q = Math.round(STEPS * Math.log(cents));
  return q === 0 ? '1' : `${q * q}${padded(q, SUM_DIGITS)}${padded(1, COUNT_DIGITS)}`;
}

/** What an attribute of logarithms holds. */
export interface LogSums {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

export function unpackLogs(value: AttributeValue | undefined): LogSums {
  const digits = digitsOf(value);
  if (digits === undefined || digits.charCodeAt(0) === 45) return { count: 0, sum: 0, squares: 0 };
  const low = Math.max(0, digits.length - COUNT_DIGITS);
  const high = Math.max(0, low - SUM_DIGITS);
  return {
    count: numberAt(digits, low, digits.length),
    sum: numberAt(digits, high, low),
    squares: numberAt(digits, 0, high),
  };
}

const NO_LOGS: LogSums = { count: 0, sum: 0, squares: 0 };

/** The same, of a number that may be below zero, in whole or in parts: amounts of stopped attempts are taken back. */
export function unpackSignedLogs(value: AttributeValue | undefined): LogSums {
  const low = unpackSigned(value, COUNT_DIGITS);
  if (low === NOTHING_PACKED) return NO_LOGS;
  const high = unpackSigned({ N: `${low.cents}` }, SUM_DIGITS);
  return { count: Number(low.count), sum: Number(high.count), squares: Number(high.cents) };
}

export const NO_AMOUNTS: AmountStats = { count: 0, total: 0, mean_log: 0, sd_log: 0 };

interface BesideLogs {
  /** What the attempt that is taken out has of the total. @default its amount */
  readonly ownTotal?: number;
  /** What folds have moved out of the attribute. @default nothing */
  readonly folded?: LogSums;
}

/**
 * The statistics of one attribute of logarithms and its total in hundredths. An attempt of `own` hundredths that is
 * already included is taken out, along with as much (or `ownTotal`) of the total. Undefined if nothing remains. The
 * spread is that of the population.
 */
export function amountStats(
  logs: AttributeValue | undefined,
  totalCents: number,
  own: number | undefined,
  { ownTotal = own ?? 0, folded = NO_LOGS }: BesideLogs = {},
): AmountStats | undefined {
  let { count, sum, squares } = unpackLogs(logs);
  count += folded.count;
  sum += folded.sum;
  squares += folded.squares;
  if (own !== undefined) {
    const q = Math.round(STEPS * Math.log(own));
    count -= 1;
    sum -= q;
    squares -= q * q;
  }
  if (count <= 0) return undefined;
  const mean = sum / count;
  return {
    count,
    total: Math.max(0, totalCents - ownTotal) / 100,
    mean_log: mean / STEPS - LN_100,
    sd_log: Math.sqrt(Math.max(0, squares / count - mean * mean)) / STEPS,
  };
}

/** How many amounts an attribute of logarithms holds. */
export const logCount = (value: AttributeValue): number => unpackLogs(value).count;
