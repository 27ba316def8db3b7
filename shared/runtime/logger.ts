import type { Stage } from '../domain/stage';
import type { MetricValue } from '../metrics/define-metrics';
import { systemClock } from './clock';
import { config } from './config';
import { embeddedMetrics, loggedValues } from './embedded-metrics';

type Fields = Readonly<Record<string, unknown>>;

/** The log of our code: allow-listed fields only, never bodies, keys, secrets, IPs or email addresses. */
export interface Log {
  info(message: string, fields: Fields, metrics?: readonly MetricValue[]): void;
  error(message: string, fields: Fields, metrics?: readonly MetricValue[]): void;
}

/** The fields that help at 3 a.m.; nothing else that an error may carry (a parser's error holds the body). */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause instanceof Error ? { cause: errorFields(cause) } : {}) };
}

/**
 * The logger of one function; one JSON line per call (ADR 0008: our own, because it starts instantly). It bypasses
 * Lambda's console, which would wrap the line in JSON once more.
 */
export function functionLogger(
  service: string,
  stage: Stage = config.stage(),
  sendsMetrics: boolean = config.sendsMetrics(),
): Log {
  const write = (
    level: 'INFO' | 'ERROR',
    message: string,
    fields: Fields,
    metrics: readonly MetricValue[] = [],
  ): void => {
    const nowMs = systemClock.now();
    const { error, ...rest } = fields;
    const line = JSON.stringify({
      level,
      message,
      timestamp: new Date(nowMs).toISOString(),
      service,
      stage,
      ...rest,
      ...(error === undefined ? {} : { error: errorFields(error) }),
    });
    const values = sendsMetrics ? embeddedMetrics(metrics, nowMs) : loggedValues(metrics);
    const text = metrics.length === 0 || values === '' ? line : `${line.slice(0, -1)},${values}}`;
    process.stdout.write(`${text}\n`);
  };
  return {
    info: (message, fields, metrics) => write('INFO', message, fields, metrics),
    error: (message, fields, metrics) => write('ERROR', message, fields, metrics),
  };
}

export interface LineContent {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly metrics: readonly MetricValue[];
}

/** Collects it while the request runs. Lambda runs one request at a time per environment, so one holder is enough. */
export interface WideLine {
  add(content: LineContent): void;
  take(): LineContent;
}

const EMPTY: LineContent = { fields: {}, metrics: [] };

export function wideLine(): WideLine {
  let gathered = EMPTY;
  return {
    add: ({ fields, metrics }) => {
      gathered = { fields: { ...gathered.fields, ...fields }, metrics: [...gathered.metrics, ...metrics] };
    },
    take: () => {
      const taken = gathered;
      gathered = EMPTY;
      return taken;
    },
  };
}

let isCold = true;

/** Whether this environment has just started; true once. */
export function takeColdStart(): boolean {
  const wasCold = isCold;
  isCold = false;
  return wasCold;
}
