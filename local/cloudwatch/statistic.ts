/** The values of a metric within a few seconds, kept to three digits, for percentiles. */
export interface Bucket {
  count: number;
  sum: number;
  min: number;
  max: number;
  readonly values: Map<number, number>;
}

type Evaluate = (bucket: Bucket) => number;

const SIMPLE: Readonly<Record<string, Evaluate>> = {
  Sum: ({ sum }) => sum,
  SampleCount: ({ count }) => count,
  Average: ({ sum, count }) => sum / count,
  Minimum: ({ min }) => min,
  Maximum: ({ max }) => max,
};

/** The value below which a share of all values lies, by nearest rank. */
const percentile =
  (percent: number): Evaluate =>
  ({ values, count, max }) => {
    const rank = (percent / 100) * count;
    let seen = 0;
    for (const [value, times] of [...values].sort(([a], [b]) => a - b)) {
      seen += times;
      if (seen >= rank) return value;
    }
    return max;
  };

/** How many values lie above the lower bound and not above the upper one, as in CloudWatch's trimmed statistics. */
const countBetween =
  (low: number, high: number): Evaluate =>
  ({ values }) => {
    let inside = 0;
    for (const [value, times] of values) if (value > low && value <= high) inside += times;
    return inside;
  };

/** Parses the name of a statistic: `Sum`, `p99`, `TC(10:20)`, `PR(:300)`. */
export function statistic(name: string): Evaluate {
  const simple = SIMPLE[name];
  if (simple) return simple;
  const [, percent] = /^p(\d+(?:\.\d+)?)$/.exec(name) ?? [];
  if (percent) return percentile(Number(percent));
  const [, kind, low, high] = /^(TC|PR)\((-?[\d.]*):(-?[\d.]*)\)$/.exec(name) ?? [];
  if (!kind) throw new Error(`the local run does not support the statistic ${name}`);
  const inside = countBetween(low ? Number(low) : -Infinity, high ? Number(high) : Infinity);
  return kind === 'TC' ? inside : (bucket) => (100 * inside(bucket)) / bucket.count;
}
