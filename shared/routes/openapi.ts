import * as z from 'zod/mini';
import { API_VERSIONS, NEWEST_API_VERSION, SERVICE_VERSION } from '../domain/api-version';
import { type ErrorCode, STATUS } from '../domain/errors';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../domain/idempotency';
import { errorBody } from '../schemas/conventions';
import type { Route } from './define-route';
import { describeSchema } from './describe-schema';
import { ERROR_EXAMPLES } from './examples';
import { ROUTES } from './index';

export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Transactions: 'Screen payments and read their results.',
  Events: 'Screen logins, signups and account changes.',
  Decisions: 'Find decisions, read their explanation, and correct them.',
  Cases: 'The review queue: claim, discuss and resolve what was held.',
  Users: 'What is known about a user, and who they are connected with.',
  Outcomes: 'Report chargebacks and other outcomes, so that scores learn from them.',
  Lists: 'Values that are always allowed, blocked or reviewed.',
  Attributes: 'How your custom attributes are read, and which of their values are entities.',
  'Event types': 'Types of events of your own, besides the built-in ones.',
  Counters: 'Counts of your own, in windows of time, for rules to read.',
  Rules: 'Conditions of your own on screenings: write, test and roll them out.',
  Overview: 'Counts and amounts of a period.',
  'Personal data': 'Export and erase what is stored about a person.',
  Webhooks: 'Endpoints that receive events, and their deliveries.',
  Reference: 'This API itself: its documentation, and the key in use.',
};

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

const WHEN: Record<ErrorCode, string> = {
  invalid_request:
    'Not JSON, a missing or invalid field, or an invalid or repeated query parameter. `details` lists every problem, up to 50.',
  unsupported_api_version: '`X-Api-Version` is not a known version.',
  unauthorized: 'The key or access token is missing, malformed, unknown, expired, revoked or for another stage.',
  forbidden: 'The role of the key or person does not include the permission that the call needs; `message` names it.',
  not_found: 'Unknown ID, another account’s ID, or a result older than 90 days.',
  method_not_allowed: 'The path does not support this method; `Allow` lists those it does.',
  case_not_open: 'The case is already approved, rejected or expired.',
  case_claimed: 'Somebody else works on the case; `details` names them. `force: true` resolves it all the same.',
  list_type_fixed: 'The list exists with another type.',
  in_use: 'A rule or counter needs it as it is; `details` names them.',
  built_in: 'The name is that of a built-in type.',
  idempotency_in_progress: 'A request with the same `Idempotency-Key` is still running.',
  version_mismatch: '`If-Match` names another version than the current one.',
  payload_too_large: 'The body is over 64 KB, or the larger limit that the route states.',
  unsupported_media_type: 'The body is not `application/json`.',
  idempotency_mismatch: 'The same `Idempotency-Key` was used with a different body.',
  rate_limited: 'Too many requests; `Retry-After` says when to retry.',
  internal_error: 'A bug in the service.',
  unavailable: 'The service is temporarily unavailable; `Retry-After` says when to retry.',
};

const EXAMPLE_REQUEST_ID = '5b1f2f0e-6c1d-4a7b-9d3e-0c8a4f1e2b7d';

const ERROR_EXAMPLE = {
  error: { code: 'invalid_request', ...ERROR_EXAMPLES.invalid_request, request_id: EXAMPLE_REQUEST_ID },
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
          description: group.map((code) => `\`${code}\`: ${WHEN[code]}`).join('\n\n'),
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

function successResponse(route: Route, description = route.success.description, hasExample = true): Json {
  const { success } = route;
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    'X-Api-Version': { $ref: '#/components/headers/X-Api-Version' },
  };
  if (success.status === 204) return { description, headers };
  const contentType = success.contentType ?? 'application/json';
  const schema = success.schema
    ? describeSchema(jsonSchema(success.schema(), 'output'), nounOf(route), success.example)
    : { type: contentType === 'application/json' ? 'object' : 'string' };
  const example = success.example === undefined || !hasExample ? {} : { example: success.example };
  return { description, headers, content: { [contentType]: { schema, ...example } } };
}

function operation(route: Route): Json {
  const { accepted } = route.success;
  const common = route.public
    ? []
    : [{ $ref: '#/components/parameters/X-Api-Version' }, { $ref: '#/components/parameters/traceparent' }];
  const once = route.idempotency ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : [];
  const conditional = route.conditional ? [{ $ref: '#/components/parameters/If-Match' }] : [];
  const example = route.requestExample === undefined ? {} : { example: route.requestExample };
  const body = route.body && {
    requestBody: {
      required: !route.bodyOptional,
      content: {
        'application/json': {
          schema: describeSchema(jsonSchema(route.body, 'input'), nounOf(route), route.requestExample),
          ...example,
        },
      },
    },
  };
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
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
      [route.success.status]: successResponse(route),
      ...(accepted === undefined ? {} : { 202: successResponse(route, accepted, false) }),
      ...(route.success.created === undefined ? {} : { 201: successResponse(route, route.success.created) }),
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
      schemas: { Error: describeSchema(jsonSchema(errorBody(), 'output'), 'body', ERROR_EXAMPLE) },
      examples: Object.fromEntries(
        Object.entries(ERROR_EXAMPLES).map(([code, { message, details }]) => [
          code,
          {
            summary: WHEN[code as ErrorCode],
            value: { error: { code, message, request_id: EXAMPLE_REQUEST_ID, ...(details ? { details } : {}) } },
          },
        ]),
      ),
    },
  };
}
