/*
 * A window is counted in buckets of a fraction of its length:
 *
 *        ┌ oldest, weighted by its overlap      ┌ the attempt
 *   ──┬──┴──┬─────┬─────┬─────┬─────┬─────┬─────▼──
 *     │ ▒▒▒▒│█████│█████│█████│█████│███  │
 *   ──┴─────┴─────┴─────┴─────┴─────┴─────┴────────
 *       └───────────── window ────────────┘
 *
 * The oldest bucket counts by the share of it that is still inside the window, so the estimate has no bias.
 */

/** A window in buckets. */
export interface BucketedWindow {
  readonly bucketMs: number;
  /** Buckets that the window can overlap: all whole ones, the current one and the oldest. */
  readonly live: number;
}

/** The number of the bucket that a time falls into. */
export const bucketIndex = (of: BucketedWindow, atMs: number): number => Math.floor(atMs / of.bucketMs);

/**
 * The share of the oldest bucket's attempts that are inside the window ending at a time. An entity first seen in the
 * middle of that bucket has all of them in its later part (without this, windows of young entities read 1.6% low).
 */
export function oldestShare(of: BucketedWindow, atMs: number, firstSeenMs: number, live = of.live): number {
  const endMs = (bucketIndex(of, atMs) - live + 2) * of.bucketMs;
  const fullStartMs = endMs - of.bucketMs;
  const startMs = firstSeenMs > fullStartMs && firstSeenMs < endMs ? firstSeenMs : fullStartMs;
  const windowStartMs = atMs - (live - 1) * of.bucketMs;
  return windowStartMs <= startMs ? 1 : (endMs - windowStartMs) / (endMs - startMs);
}
