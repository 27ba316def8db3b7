import type { APIGatewayProxyEvent } from 'aws-lambda';
import { DomainError, invalidRequest } from '../domain/errors';
import type { BodyLimits } from '../routes/define-route';
import { FaultList } from './faults';

export const MAX_BODY_BYTES = 64 * 1024;
export const MAX_DEPTH = 16;
export const MAX_KEYS = 1000;
const USUAL_LIMITS: BodyLimits = { bytes: MAX_BODY_BYTES, fields: MAX_KEYS };
const REFUSED_KEYS = new Set(['__proto__', 'constructor']);

/** The body that a route expects; by default at most 64 KB of JSON. */
interface ExpectedBody extends Partial<BodyLimits> {
  readonly type?: string;
}

/** Rejects a body by its size and declared type, before any of it is parsed. */
export function fenceRawBody(
  body: string,
  contentType: string | undefined,
  { bytes = MAX_BODY_BYTES, type: wanted = 'application/json' }: ExpectedBody = {},
): void {
  if (body === '') throw invalidRequest([{ field: 'body', message: 'is required, and must be a JSON object' }]);
  const [type, ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  if (type?.trim() !== wanted || (charset && !/^charset="?utf-?8"?$/.test(charset))) {
    throw new DomainError('unsupported_media_type', `Send the body as Content-Type: ${wanted} (UTF-8).`);
  }
  if (Buffer.byteLength(body) > bytes) {
    throw new DomainError('payload_too_large', `The body must not exceed ${bytes} bytes.`);
  }
}

interface Member {
  readonly value: unknown;
  readonly name: string;
  readonly parent?: Member;
  readonly depth: number;
}

const pathOf = ({ name, parent }: Member): string => (parent?.parent ? `${pathOf(parent)}.${name}` : name);

/**
 * Rejects parsed JSON that nothing downstream could hold: DynamoDB takes 32 levels, lib-dynamodb throws above
 * MAX_SAFE_INTEGER, and JSON.parse reads 1e400 as Infinity. Iterative, because 64 KB can nest 32,000 arrays. Paths are
 * written only for what is reported: a name of 30 KB may stand above thousands of numbers.
 */
export function fenceParsedBody(root: unknown, { fields } = USUAL_LIMITS): void {
  const faults = new FaultList();
  const pending: Member[] = [{ value: root, name: 'body', depth: 0 }];
  let keys = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const at = next;
    const { value, depth } = at;
    if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
      faults.add(() => ({ field: pathOf(at), message: 'must be a finite number within ±9007199254740991' }));
    }
    if (value === null || typeof value !== 'object') continue;
    if (depth >= MAX_DEPTH) throw tooBig(`The body is nested more than ${MAX_DEPTH} levels deep.`);
    const isArray = Array.isArray(value);
    for (const [name, inner] of Object.entries(value)) {
      if (!isArray && ++keys > fields) throw tooBig(`The body has more than ${fields} fields.`);
      const member = { value: inner, name, parent: at, depth: depth + 1 };
      if (REFUSED_KEYS.has(name)) {
        faults.add(() => ({ field: pathOf(member), message: `the name ${name} is not allowed` }));
      }
      pending.push(member);
    }
  }
  faults.refuseIfAny();
}

const tooBig = (message: string) => new DomainError('invalid_request', message, [{ field: 'body', message }]);

/** A decoder's stand-in for bytes that are not UTF-8. */
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

/** Treats an absent body as an empty object, whatever content type the client declared for it (`curl -d ''`). */
export function fillBody(event: APIGatewayProxyEvent): void {
  if ((event.body ?? '') !== '') return;
  const others = Object.entries(event.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-type');
  event.body = '{}';
  event.isBase64Encoded = false;
  event.headers = { ...Object.fromEntries(others), 'Content-Type': 'application/json' };
}
