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

export interface MetricId {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** One statistic of a metric, period by period from `fromMs` on; undefined where nothing was recorded. */
export type Points = readonly (number | undefined)[];

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
  readonly periodMs: number;
}

/** The metrics of the local run; it keeps hours, not months. */
export interface MetricStore {
  record(metric: MetricId, value: number, atMs?: number): void;
  points(metric: MetricId, stat: string, range: Range): Points;
  known(): readonly MetricId[];
}

export const BUCKET_MS = 5_000;
const KEPT_MS = 7 * 3_600_000;

const keyOf = ({ namespace, name, dimensions }: MetricId): string =>
  [
    namespace,
    name,
    ...Object.keys(dimensions)
      .sort()
      .flatMap((key) => [key, dimensions[key] ?? '']),
  ].join('\n');

function rounded(value: number): number {
  if (value === 0) return 0;
  const scale = 10 ** (2 - Math.floor(Math.log10(Math.abs(value))));
  return Math.round(value * scale) / scale;
}

function add(bucket: Bucket, value: number): void {
  bucket.count += 1;
  bucket.sum += value;
  bucket.min = Math.min(bucket.min, value);
  bucket.max = Math.max(bucket.max, value);
  const key = rounded(value);
  bucket.values.set(key, (bucket.values.get(key) ?? 0) + 1);
}

const empty = (): Bucket => ({ count: 0, sum: 0, min: Infinity, max: -Infinity, values: new Map() });

function merge(into: Bucket, from: Bucket): void {
  into.count += from.count;
  into.sum += from.sum;
  into.min = Math.min(into.min, from.min);
  into.max = Math.max(into.max, from.max);
  for (const [value, count] of from.values) into.values.set(value, (into.values.get(value) ?? 0) + count);
}

interface Series {
  readonly metric: MetricId;
  readonly buckets: Map<number, Bucket>;
}

export function metricStore(now: () => number): MetricStore {
  const all = new Map<string, Series>();

  const forget = (buckets: Map<number, Bucket>): void => {
    const oldest = now() - KEPT_MS;
    // Insertion order is nearly time order: the first ones are the oldest.
    for (const startMs of buckets.keys()) {
      if (startMs >= oldest) return;
      buckets.delete(startMs);
    }
  };

  return {
    record: (metric, value, atMs = now()) => {
      const key = keyOf(metric);
      const series = all.get(key) ?? { metric, buckets: new Map<number, Bucket>() };
      all.set(key, series);
      const startMs = Math.floor(atMs / BUCKET_MS) * BUCKET_MS;
      let bucket = series.buckets.get(startMs);
      if (!bucket) {
        bucket = empty();
        series.buckets.set(startMs, bucket);
        forget(series.buckets);
      }
      add(bucket, value);
    },
    points: (metric, stat, { fromMs, toMs, periodMs }) => {
      const evaluate = statistic(stat);
      const periods = Array.from({ length: Math.max(0, Math.ceil((toMs - fromMs) / periodMs)) }, empty);
      for (const [startMs, bucket] of all.get(keyOf(metric))?.buckets ?? []) {
        const period = periods[Math.floor((startMs - fromMs) / periodMs)];
        if (startMs >= fromMs && startMs < toMs && period) merge(period, bucket);
      }
      return periods.map((period) => (period.count === 0 ? undefined : evaluate(period)));
    },
    known: () => [...all.values()].map(({ metric }) => metric),
  };
}

export interface Found {
  readonly found: MetricId;
  readonly stat: string;
  /** Its label: the values of the dimensions that the search did not fix. */
  readonly label: string;
}

/**
 * `SEARCH('{Namespace,dimension,…} MetricName="…" dimension="…"', 'Sum', 60)`: the metrics that have exactly these
 * dimensions and these values. CloudWatch knows more forms; the local run refuses them.
 */
export function searchMetrics(store: MetricStore, expression: string): readonly Found[] {
  const [, schema = '', terms = '', stat = ''] =
    /^SEARCH\('\{([^}]+)\}((?: \w+="[^"]*")*)', '([^']+)', \d+\)$/.exec(expression) ?? [];
  if (!schema) throw new Error(`the local run does not understand ${expression}`);
  const [namespace, ...dimensions] = schema.split(',');
  const wanted = new Map([...terms.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]));
  const fits = (metric: MetricId): boolean =>
    metric.namespace === namespace &&
    Object.keys(metric.dimensions).sort().join() === [...dimensions].sort().join() &&
    [...wanted].every(([key, value]) => value === (key === 'MetricName' ? metric.name : metric.dimensions[key]));
  const labelOf = (metric: MetricId): string =>
    dimensions.flatMap((key) => (wanted.has(key) ? [] : [metric.dimensions[key] ?? ''])).join(' ');
  return store
    .known()
    .filter(fits)
    .map((found) => ({ found, stat, label: labelOf(found) }));
}
