import * as z from 'zod/mini';
import { API_VERSIONS, NEWEST_API_VERSION, SERVICE_VERSION } from '../domain/api-version';
import { type ErrorCode, STATUS } from '../domain/errors';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../domain/idempotency';
import { errorBody } from '../schemas/conventions';
import type { Route } from './define-route';
import { describeSchema } from './describe-schema';
import { ROUTES } from './index';
import { ERROR_DOCS, routeDocs, TAG_DESCRIPTIONS } from './route-docs';

const EVERYWHERE: readonly ErrorCode[] = [
  'invalid_request',
  'unsupported_api_version',
  'unauthorized',
  'forbidden',
  'method_not_allowed',
  'rate_limited',
  'internal_error',
  'unavailable',
];

const PUBLIC_EVERYWHERE: readonly ErrorCode[] = ['rate_limited', 'internal_error'];

const EXAMPLE_REQUEST_ID = '5b1f2f0e-6c1d-4a7b-9d3e-0c8a4f1e2b7d';

const errorExample = (code: ErrorCode) => {
  const { message, details } = ERROR_DOCS[code];
  return { error: { code, message, request_id: EXAMPLE_REQUEST_ID, ...(details ? { details } : {}) } };
};

type Json = Record<string, unknown>;

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

function parametersOf(schema: z.ZodMiniType | undefined, source: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, member]) => {
    const { description, ...rest } = member;
    const isRequired = source === 'path' || required.includes(name);
    return { name, in: source, required: isRequired, ...(description ? { description } : {}), schema: rest };
  });
}

const header = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema });

/** The codes of a route: those of every route, its own, and those that a body, a key or a condition brings. */
function codesOf({ public: isPublic, body, idempotency, conditional, errors = [] }: Route): readonly ErrorCode[] {
  const codes = new Set([...(isPublic ? PUBLIC_EVERYWHERE : EVERYWHERE), ...errors]);
  if (idempotency) codes.add('idempotency_in_progress').add('idempotency_mismatch');
  if (conditional) codes.add('version_mismatch');
  if (body) codes.add('payload_too_large').add('unsupported_media_type');
  return [...codes];
}

function errorResponses(route: Route): Json {
  const byStatus = groupByStatus(codesOf(route));
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [
        String(status),
        {
          description: group.map((code) => `\`${code}\`: ${ERROR_DOCS[code].when}`).join('\n\n'),
          headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(group.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
            },
          },
        },
      ]),
  );
}

function groupByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(STATUS[code], [...(groups.get(STATUS[code]) ?? []), code]);
  return groups;
}

/** The noun that a response's fields belong to, where their names alone do not say it. */
const nounOf = ({ operation }: Pick<Route, 'operation'>): string => operation.split('-').at(-1) ?? '';

const shown = (example: unknown): Json => (example === undefined ? {} : { example });

function successResponse(route: Route, description: string, example: unknown, hasExample = true): Json {
  const { success } = route;
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    'X-Api-Version': { $ref: '#/components/headers/X-Api-Version' },
  };
  if (success.status === 204) return { description, headers };
  const contentType = success.contentType ?? 'application/json';
  const schema = success.schema
    ? describeSchema(jsonSchema(success.schema(), 'output'), nounOf(route), example)
    : { type: contentType === 'application/json' ? 'object' : 'string' };
  return { description, headers, content: { [contentType]: { schema, ...(hasExample ? shown(example) : {}) } } };
}

function operation(route: Route): Json {
  const { summary, description, success, accepted, created, request, example } = routeDocs(route.operation);
  const common = route.public
    ? []
    : [{ $ref: '#/components/parameters/X-Api-Version' }, { $ref: '#/components/parameters/traceparent' }];
  const once = route.idempotency ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : [];
  const conditional = route.conditional ? [{ $ref: '#/components/parameters/If-Match' }] : [];
  const body = route.body && {
    requestBody: {
      required: !route.bodyOptional,
      content: {
        'application/json': {
          schema: describeSchema(jsonSchema(route.body, 'input'), nounOf(route), request),
          ...shown(request),
        },
      },
    },
  };
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary,
    description,
    ...(route.public ? { security: [] } : {}),
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...common,
      ...once,
      ...conditional,
    ],
    ...body,
    responses: {
      [route.success.status]: successResponse(route, success, example),
      ...(accepted === undefined ? {} : { 202: successResponse(route, accepted, example, false) }),
      ...(created === undefined ? {} : { 201: successResponse(route, created, example) }),
      ...errorResponses(route),
    },
  };
}

export function openapiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const route of ROUTES)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fraud Screening Service',
      version: NEWEST_API_VERSION,
      'x-service-version': SERVICE_VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Scores transactions and user actions for fraud risk, synchronously, and explains every score. All calls need `Authorization: Bearer <API key>`; sandbox keys start with `sk_test_`, production keys with `sk_live_`. The access token of a person who signed in by OpenID Connect works in place of a key. Unknown fields are ignored and listed in `warnings`.',
    },
    servers: [{ url: '/', description: 'Where this document was served from' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(ROUTES.map((route) => route.tag))].map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key for the stage or, where people sign in by OpenID Connect, their access token.',
        },
      },
      headers: {
        'X-Request-Id': header('Include it when you ask about a request.'),
        'X-Api-Version': header('The version in effect.', { type: 'string', enum: [...API_VERSIONS] }),
      },
      parameters: {
        'X-Api-Version': {
          name: 'X-Api-Version',
          in: 'header',
          required: false,
          description: 'Pins the API version; the default is the newest.',
          schema: { type: 'string', enum: [...API_VERSIONS] },
        },
        traceparent: {
          name: 'traceparent',
          in: 'header',
          required: false,
          description:
            'Your trace (W3C Trace Context). Log lines have its ID; webhooks and bus events about what was screened hand it on. One that is not valid is ignored.',
          schema: { type: 'string', examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'] },
        },
        'If-Match': {
          name: 'If-Match',
          in: 'header',
          required: false,
          description: 'The version that the caller saw, as in `"3"`: if it has changed since, the answer is 412.',
          schema: { type: 'string', pattern: '^(W/)?"?[0-9]+"?$' },
        },
        'Idempotency-Key': {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'For 24 hours the same key and body return the first response, byte for byte, with `Idempotent-Replayed: true`.',
          schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
        },
      },
      schemas: { Error: describeSchema(jsonSchema(errorBody(), 'output'), 'body', errorExample('invalid_request')) },
      examples: Object.fromEntries(
        Object.entries(ERROR_DOCS).map(([code, { when }]) => [
          code,
          { summary: when, value: errorExample(code as ErrorCode) },
        ]),
      ),
    },
  };
}
