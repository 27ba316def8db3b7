import type { ScreeningRecord } from './screening-record';

/**
 * Only what was reviewed has a label, and what is reviewed is not like the rest: a model trained on labels alone would
 * think that half the world is fraud. So one in 64 allowed screenings is kept for training as presumed
 * legitimate, and counts for all 64. A later label replaces it. What was blocked, or waited for review until
 * it expired, is never presumed to be anything.
 */
export const SAMPLE_STANDS_FOR = 64;

/**
 * Presumed only after this time, in which a report, a warning or a review may say otherwise. Most chargebacks arrive later and
 * then replace the presumption; waiting for them would leave models without any recent honest traffic.
 */
export const PRESUMED_AFTER_MS = 3 * 86_400_000;

/**
 * By the random end of the ULID: the answer is always the same for the same screening. The last character but one is one
 * of 32, and of the 32 that the last may be, 16 come before G.
 */
export const isSampled = ({
  ulid,
  automated_decision,
}: Pick<ScreeningRecord, 'ulid' | 'automated_decision'>): boolean =>
  automated_decision === 'allow' && ulid.at(-2) === '0' && (ulid.at(-1) ?? 'Z') < 'G';
