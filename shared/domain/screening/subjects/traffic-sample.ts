import type { ScreeningRecord } from './screening-record';

/**
 * Only what was reviewed has a label, and what is reviewed is not like the rest: a model taught by labels alone would
 * think that half the world is fraud. So one in 64 screenings that were let through is kept for training as presumed
 * legitimate, and counts for all 64. A label that comes later replaces it. What was blocked, or waited for review until
 * it expired, is never presumed to be anything.
 */
export const SAMPLE_STANDS_FOR = 64;

/** One of 32 for the last character but one, and half of 32 for the last. */
const IN_SAMPLE = /0[0-9A-F]$/;

/** By the ULID's random end: a screening is in the sample or it is not, whoever asks and however often. */
export const isSampled = ({
  ulid,
  automated_decision,
}: Pick<ScreeningRecord, 'ulid' | 'automated_decision'>): boolean =>
  automated_decision === 'allow' && IN_SAMPLE.test(ulid);
