import { isDeepStrictEqual } from 'node:util';
import { codeSamples } from '../../docs/site/code-samples';
import type { OpenapiDocument, Operation } from '../../docs/site/openapi-document';
import { webhookEvents } from '../../docs/site/webhook-events';
import { NEWEST_API_VERSION } from '../../shared/domain/api-version';
import { ROUTES } from '../../shared/routes';
import { openapiDocument } from '../../shared/routes/openapi';
import { answerName, requestName, schemaNames, withReferences } from './sdk-types';

/** Parts of schemas that occur more than once, each by an example of its path below `components.schemas`. */
const REPEATED_PARTS: Readonly<Record<string, readonly string[]>> = {
  Warnings: ['Transaction', 'properties', 'warnings'],
  DecidedBy: ['Transaction', 'properties', 'decided_by'],
  Review: ['Decision', 'properties', 'review', 'anyOf', '0'],
  Agent: ['Decision', 'properties', 'agent'],
  DeclaredAgent: ['ScreenTransactionRequest', 'properties', 'agent'],
  DecidedDecisions: ['DecisionList', 'properties', 'decisions'],
  DecisionCounts: ['Overview', 'properties', 'screenings'],
  CaseCounts: ['Overview', 'properties', 'cases'],
  Money: ['Overview', 'properties', 'money'],
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), value);

/** `invalid_request` is InvalidRequest. */
const pascal = (code: string): string =>
  code.replace(/(^|_)(\w)/g, (_all, _line, letter: string) => letter.toUpperCase());

/** The value with every part that equals one of these replaced by a reference to it; the part itself stays. */
function replaced(value: unknown, parts: ReadonlyMap<string, unknown>, kind: string, self?: unknown): unknown {
  if (!isObject(value)) return value;
  if (value !== self) {
    for (const [name, part] of parts) {
      if (isDeepStrictEqual(value, part)) return { $ref: `#/components/${kind}/${name}` };
    }
  }
  if (Array.isArray(value)) return value.map((each) => replaced(each, parts, kind));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, parts, kind)]));
}

interface Described {
  readonly parameters: readonly Json[];
  readonly responses: Readonly<Record<string, Json>>;
}

const operationsOf = (document: Json): Described[] =>
  ['paths', 'webhooks'].flatMap((part) =>
    Object.values(document[part] as Record<string, Record<string, Described>>).flatMap((path) => Object.values(path)),
  );

function responsesOf(document: Json): Map<string, unknown> {
  const named = new Map<string, unknown>();
  for (const { responses } of operationsOf(document)) {
    for (const response of Object.values(responses)) {
      const examples = at(response, ['content', 'application/json', 'examples']);
      if (isObject(examples)) named.set(Object.keys(examples).map(pascal).join('Or'), response);
    }
  }
  return named;
}

/** Parameters that several operations have; of those with one name, only the most frequent is shared. */
function parametersOf(document: Json): Map<string, unknown> {
  const seen = new Map<string, { readonly parameter: Json; count: number }[]>();
  for (const parameter of operationsOf(document).flatMap(({ parameters }) => parameters)) {
    if ('$ref' in parameter) continue;
    const others = seen.get(String(parameter.name)) ?? [];
    const known = others.find((each) => isDeepStrictEqual(each.parameter, parameter));
    if (known) known.count += 1;
    else seen.set(String(parameter.name), [...others, { parameter, count: 1 }]);
  }
  return new Map(
    [...seen].flatMap(([name, variants]) => {
      const [most] = variants.sort((a, b) => b.count - a.count);
      return most && most.count > 1 ? [[name, most.parameter] as const] : [];
    }),
  );
}

/**
 * The document with what it repeats (errors, parameters, parts of schemas) under a name, and references in its place. The
 * meaning stays the same: without references it is deeply equal.
 */
export function withSharedComponents<Document extends object>(document: Document): Document {
  const { components, ...rest } = document as Json & { components: Record<string, Json> };
  const [responses, parameters] = [responsesOf(rest), parametersOf(rest)];
  const schemas = new Map(Object.entries(REPEATED_PARTS).map(([name, path]) => [name, at(components.schemas, path)]));
  for (const [name, part] of schemas) {
    if (part === undefined) throw new Error(`No schema for ${name}: adjust REPEATED_PARTS above`);
  }
  const short = replaced(replaced(rest, responses, 'responses'), parameters, 'parameters');
  const parts = new Map([...schemas].filter(([name]) => components.schemas?.[name] === undefined));
  const shared = Object.fromEntries([...parts].map(([name, part]) => [name, replaced(part, parts, 'schemas', part)]));
  return {
    ...(replaced(short, parts, 'schemas') as Json),
    components: {
      ...components,
      responses: Object.fromEntries(responses),
      parameters: { ...components.parameters, ...Object.fromEntries(parameters) },
      schemas: { ...(replaced(components.schemas, parts, 'schemas') as Json), ...shared },
    },
  } as unknown as Document;
}

type Json = Record<string, unknown>;

const asComponents = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', '"#/components/schemas/'));

/** The published document: named schemas, webhook payloads and code samples. */
export function publishedOpenapi(): OpenapiDocument {
  const document = JSON.parse(JSON.stringify(openapiDocument())) as OpenapiDocument & { components: { schemas: Json } };
  const names = schemaNames();
  // The document knows it as Error; the clients, where that name is taken, as ErrorBody.
  const { ErrorBody: _, ...schemas } = Object.fromEntries(
    [...names].map(([name, schema]) => [name, asComponents(withReferences(schema, names, name))]),
  );
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  for (const route of ROUTES) {
    if ('public' in route) continue;
    const method = route.method.toLowerCase();
    const operation = document.paths[route.path]?.[method] as Operation & { 'x-codeSamples'?: unknown };
    operation['x-codeSamples'] = codeSamples(route.method, route.path, operation);
    const request = operation.requestBody?.content['application/json'] as { schema: unknown } | undefined;
    if (request) request.schema = reference(requestName(route.operation));
    const answer = operation.responses[route.success.status]?.content?.['application/json'] as
      | { schema: unknown }
      | undefined;
    if (answer) answer.schema = reference(answerName(route.operation));
  }
  const { ErrorCode: _code, ...named } = schemas as Json;
  const components = { ...document.components, schemas: { ...named, ...document.components.schemas } };
  const whole = { ...document, webhooks: webhookEvents(NEWEST_API_VERSION), components };
  // As it is written: members that are undefined are not there.
  return withSharedComponents(JSON.parse(JSON.stringify(whole)) as OpenapiDocument);
}
