import type * as z from 'zod/mini';
import type { Permission } from '../domain/accounts/role';
import type { ErrorCode } from '../domain/errors';

type AnySchema = z.ZodMiniType;

/**
 * How the effect of a POST happens only once per `Idempotency-Key`.
 * - `answer`: the response is recorded in one DynamoDB transaction with the effect, and a repeat gets that record.
 * - `claim`: the use case gets the key's claim, and answers a repeat from what it stored itself.
 */
export type IdempotencyMode = 'answer' | 'claim';

export interface BodyLimits {
  readonly bytes: number;
  /** Members of objects, however deep. */
  readonly fields: number;
}

/** One route of the API: the single source of its types, runtime checks and deployment. `route-docs.json` describes it. */
export interface Route<
  Operation extends string = string,
  Path extends AnySchema | undefined = AnySchema | undefined,
  Query extends AnySchema | undefined = AnySchema | undefined,
  Body extends AnySchema | undefined = AnySchema | undefined,
  Success extends (() => AnySchema) | undefined = (() => AnySchema) | undefined,
  Mode extends IdempotencyMode | undefined = IdempotencyMode | undefined,
  Family extends string | undefined = string | undefined,
> {
  /** Verb-noun; also the name of the file in functions/http and of the deployed function, unless it has a family. */
  readonly operation: Operation;
  /**
   * The function that serves this route along with others: CloudFormation allows a stack 500 resources, of which a
   * function needs nine. @default its own function, with the least privilege and its own metrics
   */
  readonly family?: Family;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly tag: string;
  /** Must be included in the key's role; `none` only for routes without a key. Checked before the request is read. */
  readonly permission: Permission | 'none';
  /** Served without an API key. */
  readonly public?: true;
  /** Requests per second to a public route, and how many more at once. @default enough for a page of documentation */
  readonly throttle?: { readonly rateLimit: number; readonly burstLimit: number };
  /** @default an `Idempotency-Key` has no effect on this route */
  readonly idempotency?: Mode;
  /** Takes `If-Match` with the version that the caller saw. @default the header has no effect */
  readonly conditional?: true;
  readonly params?: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** An absent body counts as an empty object. @default a body is required */
  readonly bodyOptional?: true;
  /** @default 64 KB and 1,000 fields */
  readonly bodyLimits?: BodyLimits;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    /**
     * Called only for OpenAPI and in tests: a function never pays for its own response schema. Its type binds
     * the handler to it. @default an empty response
     */
    readonly schema?: Success;
    readonly contentType?: string;
  };
  /** Besides those that every route has, and those that a body, a key or a condition brings. @default none */
  readonly errors?: readonly ErrorCode[];
}

/** A route as it is written: without a status, success is 200. */
type Described<Whole extends Route> = Omit<Whole, 'method' | 'path' | 'success'> & {
  readonly success: Omit<Whole['success'], 'status'> & { readonly status?: 201 | 202 | 204 };
};

/** Keeps the exact types of name, schemas and mode: a handler's input and response are inferred from its route. */
export const defineRoute = <
  const Operation extends string,
  Path extends AnySchema | undefined = undefined,
  Query extends AnySchema | undefined = undefined,
  Body extends AnySchema | undefined = undefined,
  Success extends (() => AnySchema) | undefined = undefined,
  const Mode extends IdempotencyMode | undefined = undefined,
  const Family extends string | undefined = undefined,
>(
  at: `${Route['method']} /${string}`,
  route: Described<Route<Operation, Path, Query, Body, Success, Mode, Family>>,
): Route<Operation, Path, Query, Body, Success, Mode, Family> => {
  const [method, path] = at.split(' ') as [Route['method'], string];
  return { ...route, method, path, success: { status: 200, ...route.success } };
};

export type FunctionOf<Served extends Route> = [NonNullable<Served['family']>] extends [never]
  ? Served['operation']
  : NonNullable<Served['family']>;

/** The name of the function that serves a route; also of its file in functions/http. */
export const functionOf = <Served extends Route>({ family, operation }: Served): FunctionOf<Served> =>
  (family ?? operation) as FunctionOf<Served>;
