export interface Sample {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly unit: string;
  readonly atMs: number;
  readonly values: readonly number[];
}

/** CloudWatch's reaction to a line: ignore it, take its samples, or refuse it. */
export type Extracted =
  | { readonly kind: 'plain' }
  | { readonly kind: 'samples'; readonly samples: readonly Sample[] }
  | { readonly kind: 'refused'; readonly reason: string };

// The limits and units of the format's specification and of MetricDatum.
const MAX_METRICS = 100;
const MAX_DIMENSIONS = 30;
const MAX_VALUES = 100;
const MAX_LINE_BYTES = 1024 * 1024;
const PAST_MS = 14 * 86_400_000;
const FUTURE_MS = 2 * 3_600_000;
const SCALES = ['Bytes', 'Kilobytes', 'Megabytes', 'Gigabytes', 'Terabytes'];
const BITS = ['Bits', 'Kilobits', 'Megabits', 'Gigabits', 'Terabits'];
const UNITS = new Set([
  ...['Seconds', 'Microseconds', 'Milliseconds', 'Percent', 'Count', 'Count/Second', 'None'],
  ...[...SCALES, ...BITS].flatMap((unit) => [unit, `${unit}/Second`]),
]);

type Json = Readonly<Record<string, unknown>>;

class Refused extends Error {}

function check(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Refused(reason);
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const onlyHas = (object: Json, members: readonly string[]): boolean =>
  Object.keys(object).every((member) => members.includes(member));

/** Where the format allows them: printable ASCII, something visible, no leading colon. */
const isName = (value: unknown, limit: number): value is string =>
  typeof value === 'string' && value.length <= limit && /^(?!:)(?=.*\S)[\x20-\x7e]+$/.test(value);

function valuesOf(line: Json, name: string): readonly number[] {
  const target = line[name];
  const values = Array.isArray(target) ? target : [target];
  check(values.length > 0 && values.length <= MAX_VALUES, `${name} has ${values.length} values`);
  check(
    values.every((value) => typeof value === 'number' && Number.isFinite(value)),
    `${name} is not a number`,
  );
  return values as number[];
}

function dimensionsOf(line: Json, set: unknown): Readonly<Record<string, string>> {
  check(Array.isArray(set) && set.length <= MAX_DIMENSIONS, `a dimension set has more than ${MAX_DIMENSIONS} members`);
  const entries = set.map((key) => {
    check(isName(key, 250), `${JSON.stringify(key)} is not a dimension name`);
    const value = line[key];
    check(isName(value, 1024), `the dimension ${key} is ${JSON.stringify(value)}`);
    return [key, value] as const;
  });
  return Object.fromEntries(entries);
}

function samplesOf(line: Json, directive: unknown, atMs: number): readonly Sample[] {
  check(isObject(directive) && onlyHas(directive, ['Namespace', 'Dimensions', 'Metrics']), 'an unknown directive');
  const { Namespace: namespace, Dimensions: sets, Metrics: metrics } = directive;
  check(isName(namespace, 255), `${JSON.stringify(namespace)} is not a namespace`);
  check(Array.isArray(sets) && sets.length > 0, 'a directive without dimension sets');
  check(Array.isArray(metrics) && metrics.length <= MAX_METRICS, `a directive of more than ${MAX_METRICS} metrics`);
  return sets.flatMap((set) => {
    const dimensions = dimensionsOf(line, set);
    return metrics.map((metric): Sample => {
      check(isObject(metric) && onlyHas(metric, ['Name', 'Unit', 'StorageResolution']), 'an unknown metric definition');
      const { Name: name, Unit: unit = 'None' } = metric;
      check(isName(name, 255), `${JSON.stringify(name)} is not a metric name`);
      check(typeof unit === 'string' && UNITS.has(unit), `${name} has the unit ${JSON.stringify(unit)}`);
      return { namespace, name, dimensions, unit, atMs, values: valuesOf(line, name) };
    });
  });
}

/** Reads a log line as CloudWatch reads the embedded metric format, to the letter of its specification. */
export function extractMetrics(text: string, nowMs: number): Extracted {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    // CloudWatch treats unparsable text as an ordinary line; so do we, unless it was clearly meant as metrics.
    return text.includes('"CloudWatchMetrics"') ? { kind: 'refused', reason: 'it is not JSON' } : { kind: 'plain' };
  }
  if (!isObject(line) || !('_aws' in line)) return { kind: 'plain' };
  try {
    const { _aws: metadata } = line;
    check(isObject(metadata), '_aws is not an object');
    const { Timestamp: atMs, CloudWatchMetrics: directives } = metadata;
    check(Buffer.byteLength(text) <= MAX_LINE_BYTES, 'the line is too long');
    check(typeof atMs === 'number' && Number.isInteger(atMs), 'Timestamp is not a whole number');
    check(atMs > nowMs - PAST_MS && atMs < nowMs + FUTURE_MS, 'Timestamp is too far from now');
    check(Array.isArray(directives), 'CloudWatchMetrics is not an array');
    return { kind: 'samples', samples: directives.flatMap((directive) => samplesOf(line, directive, atMs)) };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', reason: error.message };
    throw error;
  }
}
