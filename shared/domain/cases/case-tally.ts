import { CASE_LIFE_MS, type ReviewCase } from './review-case';

/*
 * How cases are counted and found. Days are divided into hours and hours into minutes; each has a tally of its cases by
 * class, so that "the 90,000th newest" is found by adding tallies, not by reading cases.
 *
 * A class is stored and never changes by itself: `unresolved`, `approved` or `rejected`. Open and expired are both
 * unresolved; the age of a case decides between them, so a status is a class and a span of time, and the sweep
 * does not change any tally.
 */
export const CASE_CLASSES = ['unresolved', 'approved', 'rejected'] as const;

export type CaseClass = (typeof CASE_CLASSES)[number];

export const classOf = (status: ReviewCase['status']): CaseClass =>
  status === 'approved' || status === 'rejected' ? status : 'unresolved';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const dayStart = (ms: number): number => ms - (ms % DAY_MS);
export const hourStart = (ms: number): number => ms - (ms % HOUR_MS);

/** A half-open span of creation times, in milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The classes and the span that a list asks for. */
export interface CaseSelection extends Span {
  readonly classes: readonly CaseClass[];
}

/** Turns a status and dates into classes and a span, as of an instant. */
export function selectionOf(
  status: ReviewCase['status'] | undefined,
  startMs: number | undefined,
  endMs: number | undefined,
  nowMs: number,
): CaseSelection {
  // An unresolved case that was created before this instant has expired.
  const firstOpenMs = nowMs - CASE_LIFE_MS + 1;
  const span: Span = { fromMs: startMs ?? 0, toMs: endMs ?? nowMs + DAY_MS };
  switch (status) {
    case undefined:
      return { ...span, classes: CASE_CLASSES };
    case 'open':
      return { fromMs: Math.max(span.fromMs, firstOpenMs), toMs: span.toMs, classes: ['unresolved'] };
    case 'expired':
      return { fromMs: span.fromMs, toMs: Math.min(span.toMs, firstOpenMs), classes: ['unresolved'] };
    case 'approved':
    case 'rejected':
      return { ...span, classes: [status] };
    default:
      return status satisfies never;
  }
}

/** The tallies of one level: how many cases of each class each part has, by the start of the part. */
export type Tally = ReadonlyMap<number, Readonly<Record<CaseClass, number>>>;

export const countIn = (
  part: Readonly<Record<CaseClass, number>> | undefined,
  classes: readonly CaseClass[],
): number => (part ? classes.reduce((sum, each) => sum + part[each], 0) : 0);
