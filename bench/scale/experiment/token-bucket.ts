/** How fast a bucket fills, and how much it holds. */
export interface BucketSize {
  readonly perSecond: number;
  /** What can be taken at once from a bucket that nobody used for a while. */
  readonly burst: number;
}

/** Capacity by key, as partitions have it. Like DynamoDB's, a bucket may go into debt: whatever it is asked for passes while it is not empty. */
export function tokenBuckets(now: () => number, size: (key: string) => BucketSize) {
  const levels = new Map<string, { level: number; atMs: number }>();

  function levelOf(key: string): number {
    const { perSecond, burst } = size(key);
    const known = levels.get(key);
    if (!known) return burst;
    return Math.min(burst, known.level + ((now() - known.atMs) / 1000) * perSecond);
  }

  return {
    /** Whether a key has capacity left. */
    has: (key: string): boolean => levelOf(key) > 0,
    /** Uses units of a key, whether or not it has them. */
    use(key: string, units: number): void {
      levels.set(key, { level: levelOf(key) - units, atMs: now() });
    },
    /** Fills every bucket. */
    reset: (): void => levels.clear(),
  };
}

export type TokenBuckets = ReturnType<typeof tokenBuckets>;
