import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Fault, invalidRequest, notFound } from '../domain/errors';
import type { Route } from '../routes/define-route';
import { schemaFaults } from './faults';
import { pathParams } from './path-params';
import { unknownMembers } from './unknown-members';

/** The checked parts of a request, and warnings about it. */
interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly warnings: string[];
}

const NO_QUERY = z.object({});

/** Checks path, query and body against the route's schemas; reports all faults at once. */
export function parseInput(
  route: Route,
  event: APIGatewayProxyEvent,
  bodyFaults: (body: unknown) => Fault[] = () => [],
): Input {
  const faults: Fault[] = [];
  const read = (schema: z.ZodMiniType, value: unknown, rootName: string): unknown => {
    const result = schema.safeParse(value);
    if (!result.success) faults.push(...schemaFaults(result.error.issues, value, rootName));
    return result.data;
  };

  // An ID that cannot be one of ours gets a 404, as any unknown ID does.
  const params = route.params?.safeParse(pathParams(route.path, event));
  if (params && !params.success) throw notFound('resource');

  const rawQuery = event.queryStringParameters ?? {};
  const querySchema = route.query ?? NO_QUERY;
  const query = read(querySchema, rawQuery, 'query');
  const warnings = unknownMembers(querySchema, rawQuery);
  let body: unknown;
  if (route.body) {
    const rawBody: unknown = event.body ?? undefined;
    body = read(route.body, rawBody, 'body');
    const alreadyNamed = new Set(faults.map(({ field }) => field));
    faults.push(...bodyFaults(rawBody).filter(({ field }) => !alreadyNamed.has(field)));
    warnings.push(...unknownMembers(route.body, rawBody));
  }
  if (faults.length > 0) throw invalidRequest(faults);
  // Sorted, regardless of the order of members: a repeated request gets the same bytes.
  warnings.sort();
  return { params: params?.data, query, body, warnings };
}
