import type * as z from 'zod/mini';
import type { ErrorCode } from '../domain/errors';

type AnySchema = z.ZodMiniType;

/** One endpoint of the API: the single source of its types, runtime checks, OpenAPI entry and deployment. */
export interface Route<
  Operation extends string = string,
  Path extends AnySchema | undefined = AnySchema | undefined,
  Query extends AnySchema | undefined = AnySchema | undefined,
  Body extends AnySchema | undefined = AnySchema | undefined,
> {
  /** Verb-noun; also the name of the file in functions/http and of the function that is deployed. */
  readonly operation: Operation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Served without an API key. */
  readonly public?: true;
  /** A POST whose effect an `Idempotency-Key` makes happen once. */
  readonly idempotent?: true;
  readonly params?: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    /** Made only for OpenAPI and tests: a function never pays for the schema of its own answer. */
    readonly schema?: () => AnySchema;
    readonly contentType?: string;
    readonly example?: unknown;
  };
  /** Codes beyond those that every route can answer. */
  readonly errors: readonly ErrorCode[];
  readonly requestExample?: unknown;
}

/** Keeps the name's and the schemas' exact types, so that a handler's input is inferred from its route. */
export const defineRoute = <
  const Operation extends string,
  Path extends AnySchema | undefined = undefined,
  Query extends AnySchema | undefined = undefined,
  Body extends AnySchema | undefined = undefined,
>(
  route: Route<Operation, Path, Query, Body>,
): Route<Operation, Path, Query, Body> => route;
