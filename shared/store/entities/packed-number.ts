import { type AttributeValue, digitsOf, numberAt } from '../sdk/attribute-value';

/*
 * DynamoDB adds numbers of 38 digits exactly, so one attribute carries several counters side by side:
 * `amount · 10^d + count`. One ADD changes both, and only one name is stored. Read by slicing the decimal string: such
 * numbers are far beyond 2^53.
 */

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

const MINUS = 45;

const isNothing = (digits: string | undefined): digits is undefined =>
  digits === undefined || digits.charCodeAt(0) === MINUS;

/** The count of a packed number. Below zero (a compensation of something already forgotten) reads as zero. */
export function countOf(value: AttributeValue | undefined, countDigits: number): number {
  const digits = digitsOf(value);
  return isNothing(digits) ? 0 : numberAt(digits, Math.max(0, digits.length - countDigits), digits.length);
}

/** The upper part of a packed number: an amount in hundredths, or a second count. */
export function centsOf(value: AttributeValue | undefined, countDigits: number): number {
  const digits = digitsOf(value);
  return isNothing(digits) ? 0 : numberAt(digits, 0, digits.length - countDigits);
}

/** Four counters of 7 digits in one number: half the bytes of four attributes, with room for ten million each. */
const QUARTER_DIGITS = 7;
const QUARTER_ONE = [0, 1, 2, 3].map((quarter) => `1${'0'.repeat(quarter * QUARTER_DIGITS)}`);

export const packQuarter = (quarter: number): string => QUARTER_ONE[quarter & 3] ?? '1';

/** The four counters, lowest first. */
export function unpackQuarters(value: AttributeValue | undefined): [number, number, number, number] {
  const digits = digitsOf(value);
  if (isNothing(digits)) return [0, 0, 0, 0];
  const end = digits.length;
  const from = (quarter: number): number => Math.max(0, end - quarter * QUARTER_DIGITS);
  return [
    numberAt(digits, from(1), end),
    numberAt(digits, from(2), from(1)),
    numberAt(digits, from(3), from(2)),
    numberAt(digits, 0, from(3)),
  ];
}

export const negated = (digits: string): string => `-${digits}`;

/** Both parts of a packed number. */
export interface Unpacked {
  readonly count: bigint;
  readonly cents: bigint;
}

export const NOTHING_PACKED: Unpacked = { count: 0n, cents: 0n };

/**
 * Both parts of a packed number that may be below zero: what was compensated after the rest had moved on. A count in the
 * last tenth of its digits is one below zero.
 */
export function unpackSigned(value: AttributeValue | undefined, countDigits: number): Unpacked {
  const digits = digitsOf(value);
  if (digits === undefined || digits === '0') return NOTHING_PACKED;
  const base = 10n ** BigInt(countDigits);
  const packed = BigInt(digits);
  const low = ((packed % base) + base) % base;
  const count = low >= base - base / 10n ? low - base : low;
  return { count, cents: (packed - count) / base };
}

export const packed = ({ count, cents }: Unpacked, countDigits: number): bigint =>
  cents * 10n ** BigInt(countDigits) + count;
