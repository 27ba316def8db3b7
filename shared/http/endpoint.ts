import middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Caller } from '../domain/accounts/account';
import { resolveApiVersion } from '../domain/api-version';
import type { Fault } from '../domain/errors';
import type { IdempotencyClaim } from '../domain/idempotency';
import type { Route } from '../routes/define-route';
import type { Clock } from '../runtime/clock';
import type { Log } from '../runtime/logger';
import type { WideLine } from '../runtime/wide-line';
import { answer } from './answer';
import { callerOf } from './caller';
import { errorAnswers } from './error-answers';
import { fenceParsedBody, fenceRawBody } from './fenced-body';
import { headerOf } from './headers';
import { type AnswerStore, answerOnce, claimOf, REPLAYED_HEADER, type RecordAnswer, Replayed } from './idempotency';
import { parseInput } from './parse-input';
import { requestLog } from './request-log';

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** What a handler works with; it never sees the raw event. */
export interface RequestOf<Path, Query, Body> {
  readonly caller: Caller;
  readonly params: Parsed<Path>;
  readonly query: Parsed<Query>;
  readonly body: Parsed<Body>;
  /** Present when an `Idempotency-Key` was sent: turns the answer into the record that must commit with the effect. */
  readonly record?: RecordAnswer;
  /** The key's claim itself, for what answers a repeat from its own data (deps without `answers`). */
  readonly claim?: IdempotencyClaim;
}

/** What every endpoint needs, whatever it does. */
export interface EndpointDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Where the use case adds to the log line of the request. */
  readonly line?: WideLine;
  /** Where answers to an `Idempotency-Key` are kept; without it an idempotent route's handler gets the claim. */
  readonly answers?: AnswerStore;
}

interface EndpointOptions {
  /** Rules on the body that a schema cannot hold; reported together with the schema's own faults. */
  readonly bodyFaults?: (body: unknown) => Fault[];
}

/** The chain of every /v1 endpoint, once: errors, log line, body, checks, run, serialise. */
export function endpoint<
  Path extends z.ZodMiniType | undefined,
  Query extends z.ZodMiniType | undefined,
  Body extends z.ZodMiniType | undefined,
>(
  route: Route<string, Path, Query, Body>,
  deps: EndpointDeps,
  run: (request: RequestOf<Path, Query, Body>) => Promise<object | Replayed | undefined>,
  options: EndpointOptions = {},
) {
  // middy runs onError in reverse order: what is registered first has the last word.
  const chain = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(requestLog(route, deps))
    .use(errorAnswers(deps.log))
    .before(({ event }) => void resolveApiVersion(headerOf(event, 'X-Api-Version')));
  if (route.body) {
    chain
      .before(({ event }) => fenceRawBody(event.body ?? '', headerOf(event, 'Content-Type')))
      .use(jsonBodyParser())
      .before(({ event }) => fenceParsedBody(event.body));
  }
  return chain.handler(async (event) => {
    const frame = {
      requestId: event.requestContext.requestId,
      apiVersion: resolveApiVersion(headerOf(event, 'X-Api-Version')),
    };
    const { params, query, body, warnings } = parseInput(route, event, options.bodyFaults);
    const serialise = (result: object | undefined): string => {
      if (result === undefined) return '';
      const all = [...warnings, ...((result as { warnings?: string[] }).warnings ?? [])];
      return JSON.stringify(all.length > 0 ? { ...result, warnings: all } : result);
    };
    const request = { caller: callerOf(event), params, query, body } as RequestOf<Path, Query, Body>;
    const status = route.success.status;
    const claim = route.idempotent && claimOf(event);
    if (claim && deps.answers) {
      return answerOnce({ claim, request, frame, status, serialise, run, answers: deps.answers, clock: deps.clock });
    }
    const result = await run(claim ? { ...request, claim } : request);
    if (result instanceof Replayed) return answer(frame, status, serialise(result.answer), REPLAYED_HEADER);
    return answer(frame, status, serialise(result));
  });
}
