import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidRequest } from '../domain/errors';

/** What a decoder puts in place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

const refusal = () =>
  invalidRequest([{ field: 'body', message: 'must be UTF-8, without the replacement character U+FFFD' }]);

/**
 * Refuses a body that is not UTF-8, and decodes one that arrives in base64. The gateway decodes others itself and
 * replaces what it cannot read, so that two different users become the same: the replacement character is refused as the
 * sign of it. Someone who means that character may send it as an escape.
 */
export function requireUtf8(event: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>): void {
  if (event.isBase64Encoded && event.body !== null) {
    try {
      event.body = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(event.body, 'base64'));
    } catch {
      throw refusal();
    }
    event.isBase64Encoded = false;
  }
  if (event.body?.includes(REPLACEMENT)) throw refusal();
}
