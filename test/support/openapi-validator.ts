import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { withoutReferences } from '../../docs/site/openapi-document';
import type { Reply } from './api';

// biome-ignore lint/suspicious/noExplicitAny: tests look into schemas of every shape.
export const openapi: any = withoutReferences(
  JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')),
);

const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
ajv.addSchema(openapi, 'openapi.json');
const compiled = new Map<string, ValidateFunction>();

/** Differences between an answer and the OpenAPI document; empty when it is as described. */
export function answerFaults(method: string, path: string, reply: Reply): string[] {
  const described = openapi.paths[path][method.toLowerCase()].responses[reply.status];
  if (!described) return [`${method} ${path}: the status ${reply.status} is not described`];
  const faults: string[] = [];
  if (!reply.headers.get('x-request-id')) faults.push('no X-Request-Id');
  if (!reply.headers.get('x-api-version')) faults.push('no X-Api-Version');
  const [contentType] = Object.keys(described.content ?? {});
  if (!contentType) return reply.text === '' ? faults : [...faults, 'a body where none is described'];
  if (!reply.headers.get('content-type')?.startsWith(contentType)) faults.push(`not ${contentType}`);
  if (contentType !== 'application/json') return faults;
  const pointer = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    String(reply.status),
    'content',
    contentType,
    'schema',
  ]
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  let validate = compiled.get(pointer);
  if (!validate) {
    validate = ajv.compile({ $ref: `openapi.json#/${pointer}` });
    compiled.set(pointer, validate);
  }
  if (!validate(reply.json)) faults.push(ajv.errorsText(validate.errors));
  return faults;
}
