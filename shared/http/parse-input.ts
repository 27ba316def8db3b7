import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { echoed, type Fault, invalidRequest, notFound } from '../domain/errors';
import type { Route } from '../routes/define-route';
import { FaultList, schemaFault } from './faults';

/** A request header by name, case-insensitively. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const found = Object.entries(event.headers ?? {}).find(([header]) => header.toLowerCase() === wanted);
  return found?.[1];
}

/** Whether a client sent a header more than once, in which case `headerOf` knows only the last value. */
export function isHeaderRepeated(event: APIGatewayProxyEvent, name: string): boolean {
  const wanted = name.toLowerCase();
  const values = Object.entries(event.multiValueHeaders ?? {}).filter(([header]) => header.toLowerCase() === wanted);
  return values.flatMap(([, sent]) => sent ?? []).length > 1;
}

/**
 * The parameters of a path, decoded once. They are cut out of `event.path`, which a REST API passes on as it was sent:
 * gateway types differ in whether they decode `event.pathParameters`, and a user ID may well contain a `%`.
 * @throws DomainError if an escape is malformed or stands for bytes that are not UTF-8
 */
export function pathParams(template: string, event: APIGatewayProxyEvent): Record<string, string> {
  const names = template.split('/').reverse();
  // From the end: a custom domain's base path may precede the path that we know.
  // API Gateway takes a trailing slash for the same resource.
  const values = event.path.replace(/\/$/, '').split('/').reverse();
  try {
    return Object.fromEntries(
      names.flatMap((name, at) =>
        name.startsWith('{') ? [[name.slice(1, -1), decodeURIComponent(values[at] ?? '')]] : [],
      ),
    );
  } catch {
    throw invalidRequest([{ field: 'path', message: 'must be percent-encoded UTF-8' }]);
  }
}

/** The path of a resource as one text, however the client escaped it: for names of what happens there. */
export const canonicalPath = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
}

const WRAPPERS = new Set(['optional', 'nullable', 'default', 'prefault', 'readonly']);

const definition = (schema: z.ZodMiniType): Definition => schema._zod.def as unknown as Definition;

const MOST_CHARACTERS = 64;

/** None of our names is longer, so a longer one need not be echoed in full. */
const shown = (name: string): string => (name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS)}…` : name);

/** Ignores case and separators: `ipAddress`, `IP-Address` and `ip_address` are one name to a person. */
const folded = (name: string): string =>
  name
    .slice(0, MOST_CHARACTERS)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

export const knows = (schema: z.ZodMiniType, name: string): boolean =>
  Object.hasOwn(definition(schema).shape ?? {}, name);

/**
 * Sorted, regardless of the order of members, so that a repeated request gets the same bytes; and no more of them than
 * a person reads.
 */
export function sortedWarnings(warnings: readonly string[]): string[] {
  const sorted = [...warnings].sort();
  const listed = echoed(sorted);
  const more = sorted.length - listed.length;
  return more > 0 ? [...listed, `${more} more unknown fields were ignored.`] : sorted;
}

/** A member that no schema knows, and the one that was probably meant. */
interface UnknownMember {
  readonly field: string;
  readonly meant: string | undefined;
}

const suggestion = ({ meant }: UnknownMember): string => (meant ? `; did you mean ${meant}?` : '.');

/** Whether two names are the same but for one slip: a letter too many, too few or wrong, or two that changed places. */
function isSlip(a: string, b: string): boolean {
  const [short, long] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  let [start, end] = [0, 0];
  while (start < short && a[start] === b[start]) start++;
  while (end < short - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return short > 3 && long - start - end <= (short === long ? 2 : 1);
}

/** The known name that a person meant: the same but for its spelling, or else the only one that begins or ends like it. */
function meantBy(name: string, names: readonly string[]): string | undefined {
  const sought = folded(name);
  const alike = names.filter(
    (candidate) => sought.length > 1 && (folded(candidate).startsWith(sought) || folded(candidate).endsWith(sought)),
  );
  const same = names.find((candidate) => folded(candidate) === sought) ?? (alike.length === 1 ? alike[0] : undefined);
  return same ?? names.find((candidate) => isSlip(folded(candidate), sought));
}

/**
 * Each member that no schema knows. Such members are ignored and never stored, but not
 * silently: a misspelt `ipAddress` would quietly cost accuracy.
 */
function unknownMembers(schema: z.ZodMiniType, value: unknown, path = ''): UnknownMember[] {
  const def = definition(schema);
  if (WRAPPERS.has(def.type) && def.innerType) return unknownMembers(def.innerType, value, path);
  if (def.type === 'array' && def.element && Array.isArray(value)) {
    const element = def.element;
    return value.flatMap((entry, index) => unknownMembers(element, entry, `${path}${index}.`));
  }
  if (def.type !== 'object' || !def.shape || value === null || typeof value !== 'object') return [];
  const shape = def.shape;
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known) return unknownMembers(known, member, `${path}${name}.`);
    const meant = meantBy(name, Object.keys(shape));
    return [{ field: `${path}${shown(name)}`, meant: meant && `${path}${meant}` }];
  });
}

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly warnings: string[];
}

const NO_QUERY = z.object({});

/** The noun of an ID is the message of its schema's checks, see `resourceId`. */
function checkedParams(route: Route, event: APIGatewayProxyEvent): unknown {
  const params = route.params?.safeParse(pathParams(route.path, event));
  // An ID that cannot be one of ours gets a 404, as any unknown ID does, and no table is asked for it.
  if (params && !params.success) throw notFound(nounOf(params.error.issues));
  return params?.data;
}

const nounOf = ([issue]: readonly z.core.$ZodIssue[]): string =>
  issue === undefined || issue.code === 'invalid_type' ? 'resource' : issue.message;

/** Parameters of a query that occur more than once: which of the values is meant, nobody can tell. */
const repeatedParameters = (event: APIGatewayProxyEvent): string[] =>
  Object.entries(event.multiValueQueryStringParameters ?? {})
    .filter(([, values]) => (values?.length ?? 0) > 1)
    .map(([name]) => name);

/** Checks path, query and body against the route's schemas; reports all faults at once. */
export function parseInput(route: Route, event: APIGatewayProxyEvent, bodyFaults: readonly Fault[] = []): Input {
  const faults = new FaultList();
  const read = (schema: z.ZodMiniType, value: unknown, rootName: string): unknown => {
    const result = schema.safeParse(value);
    for (const issue of result.error?.issues ?? []) faults.add(() => schemaFault(issue, value, rootName));
    return result.data;
  };

  const params = checkedParams(route, event);
  const rawQuery = event.queryStringParameters ?? {};
  const querySchema = route.query ?? NO_QUERY;
  for (const name of repeatedParameters(event)) {
    // One that no schema knows is ignored with a warning, however often it occurs.
    if (knows(querySchema, name)) faults.add(() => ({ field: name, message: 'must not be repeated' }));
  }
  const query = read(querySchema, rawQuery, 'query');
  const unknown = unknownMembers(querySchema, rawQuery);
  let body: unknown;
  if (route.body) {
    const rawBody: unknown = event.body ?? undefined;
    body = read(route.body, rawBody, 'body');
    const further = bodyFaults.filter(({ field }) => !faults.names(field));
    for (const fault of further) faults.add(() => fault);
    unknown.push(...unknownMembers(route.body, rawBody));
  }
  // Where something is missing, what was sent in its place is half of the answer.
  if (faults.any)
    for (const each of unknown) faults.add(() => ({ field: each.field, message: `is unknown${suggestion(each)}` }));
  faults.refuseIfAny();
  const warnings = unknown.map((each) => `Unknown field ${each.field} was ignored${suggestion(each)}`);
  return { params, query, body, warnings: sortedWarnings(warnings) };
}

const VERSION = /^(?:W\/)?"?(\d{1,9})"?$/;

/** The version in `If-Match`: undefined if the caller does not care which one it changes. */
export function ifVersionOf(event: APIGatewayProxyEvent): number | undefined {
  const sent = headerOf(event, 'If-Match');
  if (sent === undefined || sent === '*') return undefined;
  const version = VERSION.exec(sent.trim())?.[1];
  if (version === undefined) throw invalidRequest([{ field: 'If-Match', message: 'must be a version such as "3"' }]);
  return Number(version);
}
