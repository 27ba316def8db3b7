import { isDeepStrictEqual } from 'node:util';
import { ROUTES } from '../../shared/routes';
import { openapiDocument } from '../../shared/routes/openapi';

type Json = Record<string, unknown>;

interface Media {
  readonly content?: Record<string, { readonly schema: Json }>;
}

type Operation = (typeof ROUTES)[number]['operation'];

/** Names of responses in the SDK that do not follow from the operation. */
const ANSWERS: Partial<Record<Operation, string>> = {
  'screen-transaction': 'Transaction',
  'screen-event': 'ScreenedEvent',
  'get-decision': 'ReportedDecision',
  'review-decision': 'Decision',
  'export-user': 'UserExport',
  'erase-user': 'RequestedErasure',
  'forget-labels': 'ForgottenLabels',
  'resolve-case': 'Case',
  'record-outcome': 'Outcome',
  'add-references': 'AddedReferences',
  'claim-case': 'Case',
  'comment-case': 'CaseComment',
  'resolve-cases': 'CaseResults',
  'list-keys': 'ApiKeyList',
  'create-webhook': 'CreatedWebhook',
  'test-webhook': 'Delivery',
  'redeliver-message': 'Delivery',
  'test-rule': 'RuleTest',
  'put-event-type': 'DeclaredEventType',
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

/** `get-case` and `put-case` answer a `Case`, `list-cases` a `CaseList`, any other verb its own `…Answer`. */
export function answerName(operation: Operation): string {
  const [, verb, noun = ''] = /^(get|put|list)-(.+)$/.exec(operation) ?? [];
  const usual =
    verb === 'list' ? `${noun.replace(/ies$/, 'y').replace(/s$/, '')}-list` : (verb && noun) || `${operation}-answer`;
  return ANSWERS[operation] ?? pascal(usual);
}
export const requestName = (operation: Operation): string => `${pascal(operation)}Request`;

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
    if (request) named.set(requestName(operation), request);
    if (answer) named.set(answerName(operation), answer);
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

export function withReferences(schema: unknown, names: ReadonlyMap<string, Json>, self?: string): unknown {
  const bare = new Map([...names].map(([name, named]) => [name, withoutTexts(named) as Json]));
  const walk = (at: unknown, own?: string): unknown => {
    if (Array.isArray(at)) return at.map((each) => walk(each));
    if (typeof at !== 'object' || at === null) return at;
    const shape = withoutTexts(at) as Json;
    for (const [name, named] of bare) {
      if (name !== own && isSameShape(shape, named)) return { $ref: `#/definitions/${name}` };
    }
    return Object.fromEntries(
      Object.entries(at).map(([key, value]) => [key, key === 'examples' ? value : walk(value)]),
    );
  };
  return walk(schema, self);
}

/** The meaning of a field, and an example of it, may differ where the shape is the same. */
function withoutTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { description: _text, examples: _values, ...rest } = schema as Json;
  const isText = typeof _text === 'string' || _text === undefined;
  // A property may itself be called so.
  const kept = isText ? rest : (schema as Json);
  return Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, withoutTexts(value)]));
}

/** A list entry is the same as its GET's response, without `warnings`, which concern a request. */
function isSameShape(part: Json, named: Json): boolean {
  return isDeepStrictEqual(part, named) || isDeepStrictEqual(part, withoutWarnings(named));
}

function withoutWarnings(schema: Json): Json {
  const { warnings, ...properties } = (schema.properties ?? {}) as Json;
  return warnings === undefined ? schema : { ...schema, properties };
}

/** Removes bounds, which TypeScript cannot express and j2t would only turn into noisy comments or tuples of every length. */
function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { minItems: _min, maxItems: _max, propertyNames: _names, examples: _values, ...rest } = schema as Json;
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutBounds(value)]));
}

export function schemaNames(): Map<string, Json> {
  const routes = namedSchemas();
  const parts = Object.entries(PARTS).map(([name, [of, ...path]]) => [name, partAt(routes.get(of), path)] as const);
  return new Map([...routes, ...parts]);
}

export function sdkDefinitions(): Record<string, unknown> {
  const names = schemaNames();
  return Object.fromEntries(
    [...names].map(([name, schema]) => [name, withoutBounds(withReferences(schema, names, name))]),
  );
}
