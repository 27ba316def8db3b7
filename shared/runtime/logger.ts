import { systemClock } from './clock';

/** What our code logs through: allow-listed fields only, never bodies, keys, secrets, IPs or e-mails. */
export interface Log {
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  error(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** One line of JSON, written past Lambda's console, which would wrap it in JSON once more. */
export const writeLine = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** What helps at 3 a.m.; nothing else that an error may carry along (a parser's error holds the body). */
function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause instanceof Error ? { cause: errorFields(cause) } : {}) };
}

/** The logger of one function; one JSON line a call (ADR 0008: ours, because it starts in no time). */
export function functionLogger(service: string): Log {
  const write = (level: 'INFO' | 'ERROR', message: string, fields: Readonly<Record<string, unknown>>): void => {
    const { error, ...rest } = fields;
    writeLine({
      level,
      message,
      timestamp: new Date(systemClock.now()).toISOString(),
      service,
      ...rest,
      ...(error === undefined ? {} : { error: errorFields(error) }),
    });
  };
  return {
    info: (message, fields) => write('INFO', message, fields),
    error: (message, fields) => write('ERROR', message, fields),
  };
}
