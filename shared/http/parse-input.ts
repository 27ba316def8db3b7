import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Fault, notFound } from '../domain/errors';
import type { Route } from '../routes/define-route';
import { FaultList } from './fault-list';
import { schemaFault } from './faults';
import { pathParams } from './path-params';
import { knows, sortedWarnings, unknownMembers } from './unknown-members';

/** The checked parts of a request, and warnings about it. */
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
export function parseInput(
  route: Route,
  event: APIGatewayProxyEvent,
  bodyFaults: (body: unknown) => Fault[] = () => [],
): Input {
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
  const warnings = unknownMembers(querySchema, rawQuery);
  let body: unknown;
  if (route.body) {
    const rawBody: unknown = event.body ?? undefined;
    body = read(route.body, rawBody, 'body');
    const further = bodyFaults(rawBody).filter(({ field }) => !faults.names(field));
    for (const fault of further) faults.add(() => fault);
    warnings.push(...unknownMembers(route.body, rawBody));
  }
  faults.refuseIfAny();
  return { params, query, body, warnings: sortedWarnings(warnings) };
}
