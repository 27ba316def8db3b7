import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidRequest } from '../domain/errors';
import { headerOf } from './headers';

const VERSION = /^(?:W\/)?"?(\d{1,9})"?$/;

/** The version in `If-Match`: undefined if the caller does not care which one it changes. */
export function ifVersionOf(event: APIGatewayProxyEvent): number | undefined {
  const sent = headerOf(event, 'If-Match');
  if (sent === undefined || sent === '*') return undefined;
  const version = VERSION.exec(sent.trim())?.[1];
  if (version === undefined) throw invalidRequest([{ field: 'If-Match', message: 'must be a version such as "3"' }]);
  return Number(version);
}
