import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { NEWEST_API_VERSION } from '../../shared/domain/api-version';
import { ROUTES } from '../../shared/routes';
import { openapiDocument } from '../../shared/routes/openapi';

type Json = Record<string, unknown>;

interface Media {
  readonly content?: Record<string, { readonly schema: Json }>;
}

type Operation = (typeof ROUTES)[number]['operation'];

export const TYPES_FILE = join(__dirname, '../../sdk/client/src/types.ts');

/** Names of responses in the SDK for which `<Operation>Answer` would be clumsy. */
const ANSWERS: Partial<Record<Operation, string>> = {
  'screen-transaction': 'Transaction',
  'get-transaction': 'Transaction',
  'screen-event': 'ScreenedEvent',
  'get-decision': 'Decision',
  'review-decision': 'Decision',
  'list-decisions': 'DecisionList',
  'get-risk-profile': 'RiskProfile',
  'get-user-links': 'UserLinks',
  'export-user': 'UserExport',
  'erase-user': 'RequestedErasure',
  'get-erasure': 'Erasure',
  'forget-labels': 'ForgottenLabels',
  'list-cases': 'CaseList',
  'get-case': 'Case',
  'resolve-case': 'Case',
  'claim-case': 'Case',
  'comment-case': 'CaseComment',
  'get-case-timeline': 'CaseTimeline',
  'resolve-cases': 'CaseResults',
  'get-me': 'Me',
  'get-overview': 'Overview',
  'create-webhook': 'CreatedWebhook',
  'list-webhooks': 'WebhookList',
  'test-webhook': 'Delivery',
  'list-deliveries': 'DeliveryList',
  'redeliver-message': 'Delivery',
  'put-rule': 'Rule',
  'get-rule': 'Rule',
  'list-rules': 'RuleList',
  'list-rule-versions': 'RuleVersionList',
  'put-list': 'List',
  'get-list': 'List',
  'list-lists': 'Lists',
  'add-list-entries': 'AddedListEntries',
  'list-list-entries': 'ListEntryPage',
};

/** Nested shapes that deserve a name, each by an example of where it occurs. */
const PARTS: Readonly<Record<string, readonly [of: string, ...path: string[]]>> = {
  Explanation: ['Transaction', 'explanation'],
  RiskLevel: ['Transaction', 'risk_level'],
  DecisionName: ['Transaction', 'decision'],
  BillingAddress: ['ScreenTransactionRequest', 'billing_address'],
  PaymentMethod: ['ScreenTransactionRequest', 'payment_method'],
  UserAction: ['ScreenEventRequest', 'event_type'],
  CaseStatus: ['Case', 'status'],
  SubjectType: ['Case', 'subject_type'],
  Webhook: ['WebhookList', 'webhooks', 'items'],
  EventType: ['CreateWebhookRequest', 'events', 'items'],
  DeliveryStatus: ['Delivery', 'status'],
  DeliveryAttempt: ['Delivery', 'attempts', 'items'],
  RuleAction: ['Rule', 'action'],
  RuleState: ['Rule', 'state'],
  AppliedRule: ['Transaction', 'rules', 'items'],
  ListEffect: ['List', 'effect'],
  ListEntry: ['ListEntryPage', 'entries', 'items'],
  ErrorCode: ['ErrorBody', 'error', 'code'],
};

const pascal = (operation: string): string =>
  operation.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase());

/** Requests and responses of every route, by name. */
function namedSchemas(): Map<string, Json> {
  const document = openapiDocument() as unknown as {
    paths: Record<string, Record<string, { requestBody?: Media; responses: Record<string, Media> }>>;
    components: { schemas: { Error: Json } };
  };
  const named = new Map<string, Json>();
  for (const { operation, path, method, success, ...route } of ROUTES) {
    if ('public' in route) continue;
    const described = document.paths[path]?.[method.toLowerCase()];
    const request = described?.requestBody?.content?.['application/json']?.schema;
    const answer = described?.responses[success.status]?.content?.['application/json']?.schema;
    if (request) named.set(`${pascal(operation)}Request`, request);
    if (answer) named.set(ANSWERS[operation] ?? `${pascal(operation)}Answer`, answer);
  }
  return named.set('ErrorBody', document.components.schemas.Error);
}

function partAt(schema: Json | undefined, path: readonly string[]): Json {
  const found = path.reduce<Json | undefined>((at, name) => {
    const properties = at?.properties as Record<string, Json> | undefined;
    return properties?.[name] ?? (at?.[name] as Json | undefined);
  }, schema);
  if (!found) throw new Error(`No schema at ${path.join('.')}: adjust PARTS in bin/sdk/sdk-types.ts`);
  return found;
}

/** The schema, with every named part replaced by a reference to it. */
function withReferences(schema: unknown, names: ReadonlyMap<string, Json>, self?: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => withReferences(each, names));
  if (typeof schema !== 'object' || schema === null) return schema;
  for (const [name, named] of names) {
    if (name !== self && isSameShape(schema as Json, named)) return { $ref: `#/definitions/${name}` };
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withReferences(value, names)]));
}

/** A list entry is the same as its GET's response, without `warnings`, which concern a request. */
function isSameShape(part: Json, named: Json): boolean {
  return isDeepStrictEqual(part, named) || isDeepStrictEqual(part, withoutWarnings(named));
}

function withoutWarnings(schema: Json): Json {
  const { warnings, ...properties } = (schema.properties ?? {}) as Json;
  return warnings === undefined ? schema : { ...schema, properties };
}

/** What TypeScript cannot express and j2t would only turn into noisy comments or tuples of every length. */
function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { minItems: _min, maxItems: _max, propertyNames: _names, ...rest } = schema as Json;
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutBounds(value)]));
}

/** Every shape that a client names, with references from one to another. */
export function sdkDefinitions(): Record<string, unknown> {
  const routes = namedSchemas();
  const parts = Object.entries(PARTS).map(([name, [of, ...path]]) => [name, partAt(routes.get(of), path)] as const);
  const names = new Map([...routes, ...parts]);
  return Object.fromEntries(
    [...names].map(([name, schema]) => [name, withoutBounds(withReferences(schema, names, name))]),
  );
}

/** The source of the client's types, from the schemas that validate requests and describe responses. */
export async function sdkTypes(): Promise<string> {
  const definitions = sdkDefinitions();
  const types = await compile({ definitions } as JSONSchema, ROOT_NAME, {
    additionalProperties: false,
    bannerComment: '// Written by `npm run sdk:types` from the schemas of the API. Do not edit.',
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 120, bracketSpacing: true, trailingComma: 'all' },
  });
  return `${types.replace(REFERENCE_NOTES, '').replace(ROOT_TYPE, '')}
/** The version of the API that these types describe, and that every request pins. */
export const API_VERSION = '${NEWEST_API_VERSION}';
`;
}

/* The compiler needs one root schema, and adds to every type a comment that it was found there. */
const ROOT_NAME = 'Root';
const ROOT_TYPE = /export interface Root \{[^}]*\}\n/;
const REFERENCE_NOTES = /\/\*\*\n \* This interface was referenced by[^/]*\*\/\n/g;
