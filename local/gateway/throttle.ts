export interface Rate {
  /** Requests per second, the rate at which the bucket fills. */
  readonly rateLimit: number;
  /** Size of the bucket. */
  readonly burstLimit: number;
}

/** API Gateway's token buckets, one per key; a new key starts with a full bucket. */
export function throttle(now: () => number = () => performance.now()): (key: string, rate: Rate) => boolean {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (key, { rateLimit, burstLimit }) => {
    const time = now();
    const bucket = buckets.get(key) ?? { tokens: burstLimit, at: time };
    const tokens = Math.min(burstLimit, bucket.tokens + ((time - bucket.at) / 1_000) * rateLimit);
    const allowed = tokens >= 1;
    buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: time });
    return allowed;
  };
}
