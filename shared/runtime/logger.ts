import type { Stage } from '../domain/stage';
import type { Figure } from '../metrics/define-metrics';
import { systemClock } from './clock';
import { config } from './config';
import { embeddedMetrics } from './embedded-metrics';

type Fields = Readonly<Record<string, unknown>>;

/** What our code logs through: allow-listed fields only, never bodies, keys, secrets, IPs or email addresses. */
export interface Log {
  /** One line; its metric values, if any, belong to the stage. */
  info(message: string, fields: Fields, figures?: readonly Figure[]): void;
  error(message: string, fields: Fields, figures?: readonly Figure[]): void;
}

/** What helps at 3 a.m.; nothing else that an error may carry (a parser's error holds the body). */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause instanceof Error ? { cause: errorFields(cause) } : {}) };
}

/**
 * The logger of one function; one JSON line per call (ADR 0008: our own, because it starts instantly). It bypasses
 * Lambda's console, which would wrap the line in JSON once more.
 */
export function functionLogger(service: string, stage: Stage = config.stage()): Log {
  const write = (level: 'INFO' | 'ERROR', message: string, fields: Fields, figures: readonly Figure[] = []): void => {
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
    const text = figures.length === 0 ? line : `${line.slice(0, -1)},${embeddedMetrics(figures, nowMs)}}`;
    process.stdout.write(`${text}\n`);
  };
  return {
    info: (message, fields, figures) => write('INFO', message, fields, figures),
    error: (message, fields, figures) => write('ERROR', message, fields, figures),
  };
}
