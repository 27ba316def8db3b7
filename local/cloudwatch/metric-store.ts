import { type Bucket, statistic } from './statistic';

/** The identity of a metric in CloudWatch. */
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
  /** Every metric that has been recorded. */
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
