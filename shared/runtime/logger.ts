import { Logger } from '@aws-lambda-powertools/logger';

/** What our code logs through: allow-listed fields only, never bodies, keys, secrets, IPs or e-mails. */
export interface Log {
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  error(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** The logger of one function; one JSON line a call. */
export function functionLogger(serviceName: string): Log {
  const logger = new Logger({ serviceName });
  return {
    info: (message, fields) => logger.info(message, fields),
    error: (message, fields) => logger.error(message, fields),
  };
}
