import type { MetricValue } from '../metrics/define-metrics';

export const METRIC_NAMESPACE = 'FraudScreening';

/** The only dimension of all our metrics: any other would multiply CloudWatch's charge ($0.30 per metric per month). */
export const STAGE_DIMENSION = 'stage';

/**
 * Metrics in CloudWatch's embedded metric format, as the text of further fields for a log line that also has `stage`:
 * CloudWatch extracts them from the log, so sending them costs no call. Concatenated by hand, because the names are
 * ours and need no escaping: half the time of `JSON.stringify`. The format takes 100 metrics; our lines have a dozen.
 */
export function embeddedMetrics(metrics: readonly MetricValue[], nowMs: number): string {
  let definitions = '';
  let values = '';
  let directives = '';
  for (const { name, unit, by, value } of metrics) {
    if (!isSound(value)) continue;
    const definition = `{"Name":"${name}","Unit":"${unit}"}`;
    values += `,"${name}":${textOf(value)}`;
    if (by === undefined) definitions += `${definitions && ','}${definition}`;
    else directives += `${directives && ','}${directive(`"${STAGE_DIMENSION}","${by}"`, definition)}`;
  }
  if (definitions) directives = `${directive(`"${STAGE_DIMENSION}"`, definitions)}${directives && ','}${directives}`;
  return `"_aws":{"Timestamp":${nowMs},"CloudWatchMetrics":[${directives}]}${values}`;
}

/** The same values as plain fields of the line: searchable, but no metrics that CloudWatch would charge for. */
export const loggedValues = (metrics: readonly MetricValue[]): string =>
  metrics
    .filter(({ value }) => isSound(value))
    .map(({ name, value }) => `"${name}":${textOf(value)}`)
    .join(',');

/** NaN is not valid JSON, and the format wants at least one value: a wrong one must not spoil the line. */
const isSound = (value: MetricValue['value']): boolean =>
  typeof value === 'number' ? Number.isFinite(value) : value.length > 0 && value.every(Number.isFinite);

const textOf = (value: MetricValue['value']): string => (typeof value === 'number' ? `${value}` : `[${value.join()}]`);

const directive = (dimensions: string, definitions: string): string =>
  `{"Namespace":"${METRIC_NAMESPACE}","Dimensions":[[${dimensions}]],"Metrics":[${definitions}]}`;
