import { type AttributeValue, digitsOf } from './attribute-value';

/*
 * DynamoDB adds numbers of 38 digits exactly, so one attribute carries several counters side by side:
 * `amount · 10^d + count`. One ADD moves both, one name is stored. Read by slicing the decimal string: such
 * numbers are far beyond 2^53.
 */

/** A count and an amount in hundredths, as one number holds them. */
export interface CountAndCents {
  readonly count: number;
  readonly cents: number;
}

const ZEROS = '0'.repeat(38);
/** `1` padded to a width: a delta of one in the lowest counter. */
const ONE_OF_WIDTH = Array.from({ length: 11 }, (_, width) => '1'.padStart(width, '0'));

export const padded = (value: number, width: number): string => {
  const digits = `${value}`;
  return digits.length >= width ? digits : ZEROS.slice(0, width - digits.length) + digits;
};

/** The delta of one attempt of `cents` in a number whose count has `countDigits` digits. */
export const packOne = (cents: number, countDigits: number): string =>
  cents === 0 ? '1' : `${cents}${ONE_OF_WIDTH[countDigits]}`;

/** Splits count and amount. Below zero (a compensation of something already forgotten) is nothing. */
export function unpack(value: AttributeValue | undefined, countDigits: number): CountAndCents | undefined {
  const digits = digitsOf(value);
  if (digits === undefined || digits.charCodeAt(0) === 45) return undefined;
  const split = digits.length - countDigits;
  if (split <= 0) return { count: Number(digits), cents: 0 };
  return { count: Number(digits.slice(split)), cents: Number(digits.slice(0, split)) };
}

/** Four counters of 7 digits in one number: half the bytes of four attributes, room for ten million each. */
const QUARTER_DIGITS = 7;
const QUARTER_ONE = [0, 1, 2, 3].map((quarter) => `1${'0'.repeat(quarter * QUARTER_DIGITS)}`);

export const packQuarter = (quarter: number): string => QUARTER_ONE[quarter & 3] ?? '1';

/** The four counters, lowest first. */
export function unpackQuarters(value: AttributeValue | undefined): readonly number[] {
  const digits = digitsOf(value);
  if (digits === undefined || digits.charCodeAt(0) === 45) return [0, 0, 0, 0];
  const end = digits.length;
  const at = (quarter: number): number =>
    Number(
      digits.slice(Math.max(0, end - (quarter + 1) * QUARTER_DIGITS), Math.max(0, end - quarter * QUARTER_DIGITS)),
    );
  return [at(0), at(1), at(2), Number(digits.slice(0, Math.max(0, end - 3 * QUARTER_DIGITS)))];
}

export const negated = (digits: string): string => `-${digits}`;
