import middy, { type MiddlewareObj } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Caller } from '../domain/accounts/account';
import { NEWEST_API_VERSION, resolveApiVersion, SERVICE_VERSION } from '../domain/api-version';
import { DomainError, type Fault } from '../domain/errors';
import type { IdempotencyClaim } from '../domain/idempotency';
import { traceIdOf } from '../domain/traceparent';
import { metricValues } from '../metrics/define-metrics';
import { REQUEST_METRICS } from '../metrics/request-metrics';
import type { IdempotencyMode, Route } from '../routes/define-route';
import type { Clock } from '../runtime/clock';
import { type Log, takeColdStart, type WideLine } from '../runtime/logger';
import type { AnswerOf } from '../schemas/answer-of';
import { answer, Created, errorAnswer, errorAnswers } from './answer';
import { type CallerContext, callerOf, provenAuthor, requirePermission, traceOf } from './caller';
import { fenceParsedBody, fenceRawBody, fillBody, requireUtf8 } from './fenced-body';
import { type AnswerStore, answerOnce, claimOf, REPLAYED_HEADER, type RecordAnswer, Replayed } from './idempotency';
import { headerOf, ifVersionOf, parseInput, pathParams } from './parse-input';

/** One wide log line per request: who, what, how it ended, how long it took. None of its content. */
export function requestLog(
  route: Pick<Route, 'operation'>,
  { clock, log, line }: { readonly clock: Clock; readonly log: Log; readonly line?: WideLine },
): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  let startedAt = 0;
  const write = (request: { event: APIGatewayProxyEvent; response: APIGatewayProxyResult | null }): void => {
    const { event, response } = request;
    const caller = event.requestContext.authorizer as CallerContext | null | undefined;
    const gathered = line?.take();
    const isCold = takeColdStart();
    const trace = traceOf(event);
    const fields = {
      operation: route.operation,
      request_id: event.requestContext.requestId,
      trace_id: trace && traceIdOf(trace),
      account_id: caller?.account_id,
      key_id: caller?.key_id,
      status: response?.statusCode,
      replayed: response?.headers?.['Idempotent-Replayed'] === 'true' || undefined,
      duration_ms: clock.now() - startedAt,
      // Once per environment is enough to see which version runs, and costs the other lines nothing.
      service_version: isCold ? SERVICE_VERSION : undefined,
      ...gathered?.fields,
    };
    const metrics = metricValues(REQUEST_METRICS, {
      ColdStarts: isCold ? 1 : 0,
      Unavailable: response?.statusCode === 503 ? 1 : 0,
      UnhandledErrors: response?.statusCode === 500 ? 1 : 0,
    });
    log.info('request', fields, gathered ? [...metrics, ...gathered.metrics] : metrics);
  };
  return {
    before: () => {
      startedAt = clock.now();
      // Discards anything left over from a request that died halfway.
      line?.take();
    },
    after: write,
    onError: write,
  };
}

type Schema = z.ZodMiniType;
type Parsed<Checked> = Checked extends Schema ? z.output<Checked> : undefined;
type Answered<Success> = Success extends () => Schema ? AnswerOf<Success> & object : undefined;

/** Added by the route's idempotency mode to a request that has an `Idempotency-Key`. */
type OnceOf<Mode, Success> = Mode extends 'answer'
  ? {
      /** Turns the response into the record that must commit with the effect. */
      readonly record?: RecordAnswer<Answered<Success>>;
    }
  : Mode extends 'claim'
    ? { readonly claim?: IdempotencyClaim }
    : unknown;

export type RequestOf<Path, Query, Body, Success = undefined, Mode = undefined> = {
  readonly caller: Caller;
  readonly params: Parsed<Path>;
  readonly query: Parsed<Query>;
  readonly body: Parsed<Body>;
  readonly ifVersion?: number | undefined;
} & OnceOf<Mode, Success>;

/** A handler's result: exactly as its route's success schema describes, marked if it was created. */
export type ResultOf<Success, Mode> =
  | Answered<Success>
  | Created<Answered<Success>>
  | (Mode extends 'claim' ? Replayed<Answered<Success>> : never);

export interface EndpointDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly line?: WideLine;
}

export interface AnswerOnceDeps extends EndpointDeps {
  readonly answers: AnswerStore;
}

interface EndpointOptions<Answer> {
  /** Body rules that a schema cannot express; reported together with the schema's own faults. */
  readonly bodyFaults?: (body: unknown, caller: Caller) => Fault[] | Promise<Fault[]>;
  readonly statusOf?: (answer: Answer) => number;
  /** Throws if a recorded response must not be shown any more. @default always allowed */
  readonly mayReplay?: (caller: Caller, recorded: Answer) => Promise<void>;
}

/**
 * The fence checks the media type: the parser would refuse `application/JSON` and a header named `CONTENT-TYPE`. The
 * option is missing from the parser's types.
 */
const TYPE_IS_CHECKED: object = { disableContentTypeCheck: true };

/** The middleware chain shared by all /v1 endpoints: errors, log line, body, checks, run, serialise. */
export function endpoint<
  Path extends Schema | undefined,
  Query extends Schema | undefined,
  Body extends Schema | undefined,
  Success extends (() => Schema) | undefined,
  Mode extends IdempotencyMode | undefined,
>(
  route: Route<string, Path, Query, Body, Success, Mode>,
  deps: Mode extends 'answer' ? AnswerOnceDeps : EndpointDeps,
  run: (request: RequestOf<Path, Query, Body, Success, Mode>) => Promise<ResultOf<Success, Mode>>,
  options: EndpointOptions<Answered<Success>> = {},
) {
  // middy runs onError in reverse order: the first one registered has the last word.
  const chain = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(requestLog(route, deps))
    .use(errorAnswers(deps.log))
    .before(({ event }) => void resolveApiVersion(headerOf(event, 'X-Api-Version')))
    .before(({ event }) => requirePermission(route, event));
  if (route.body) {
    if (route.bodyOptional) chain.before(({ event }) => fillBody(event));
    chain
      .before(({ event }) => requireUtf8(event))
      .before(({ event }) => fenceRawBody(event.body ?? '', headerOf(event, 'Content-Type'), route.bodyLimits))
      .use(jsonBodyParser(TYPE_IS_CHECKED))
      .before(({ event }) => fenceParsedBody(event.body, route.bodyLimits));
  }
  const handler = chain.handler(async (event) => {
    const frame = {
      requestId: event.requestContext.requestId,
      apiVersion: resolveApiVersion(headerOf(event, 'X-Api-Version')),
    };
    const caller = callerOf(event);
    const further = options.bodyFaults && (await options.bodyFaults(event.body, caller));
    const { warnings, ...input } = provenAuthor(parseInput(route, event, further), caller, route);
    const statusOf = (result: object | undefined): number =>
      options.statusOf?.(result as Answered<Success>) ?? route.success.status;
    const serialise = (result: object | undefined) => bodyText(result, warnings);
    // The only cast from a runtime check to the route's types.
    const precondition = route.conditional ? { ifVersion: ifVersionOf(event) } : {};
    const runWith = (once: object) =>
      run({ caller, ...input, ...precondition, ...once } as RequestOf<Path, Query, Body, Success, Mode>);
    const claim = route.idempotency && claimOf(event, route, input.params as Record<string, string> | undefined);
    if (claim && route.idempotency === 'answer') {
      const { answers, clock } = deps as AnswerOnceDeps;
      const accountId = caller.account_id;
      const { mayReplay } = options;
      return answerOnce<object | undefined>({
        ...{ claim, accountId, frame, statusOf, serialise, answers, clock },
        mayReplay: mayReplay && ((body) => mayReplay(caller, JSON.parse(body) as Answered<Success>)),
        run: (record) => runWith({ record }),
      });
    }
    const result: object | undefined = await runWith(claim ? { claim } : {});
    if (result instanceof Replayed)
      return answer(frame, statusOf(result.answer), serialise(result.answer), REPLAYED_HEADER);
    if (result instanceof Created) return answer(frame, result.status, serialise(result.answer));
    return answer(frame, statusOf(result), serialise(result));
  });
  return Object.assign(handler, { route });
}

function bodyText(result: object | undefined, warnings: readonly string[]): string {
  if (result === undefined) return '';
  const all = [...warnings, ...((result as { warnings?: string[] }).warnings ?? [])];
  return JSON.stringify(all.length > 0 ? { ...result, warnings: all } : result);
}

export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly body: string;
  header(name: string): string | undefined;
}

/** Events of processors have a few kilobytes; their own limit is 256 KB. */
const MAX_BODY_BYTES = 256 * 1024;

/** A public endpoint that checks a signature instead of a key, and answers with a fixed text. */
export const rawEndpoint = (
  route: Pick<Route, 'operation' | 'method' | 'path'>,
  deps: EndpointDeps,
  run: (request: RawRequest) => Promise<string>,
) => {
  const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(requestLog(route, deps))
    .use(errorAnswers(deps.log))
    .handler(async (event): Promise<APIGatewayProxyResult> => {
      const sent = event.body ?? '';
      const body = event.isBase64Encoded ? Buffer.from(sent, 'base64').toString('utf8') : sent;
      if (Buffer.byteLength(body) > MAX_BODY_BYTES) {
        throw new DomainError('payload_too_large', `The body must not exceed ${MAX_BODY_BYTES} bytes.`);
      }
      const params = pathParams(route.path, event);
      const text = await run({ params, body, header: (name) => headerOf(event, name) });
      return {
        statusCode: 200,
        headers: {
          'Content-Type': 'text/plain',
          'X-Request-Id': event.requestContext.requestId,
          'X-Api-Version': NEWEST_API_VERSION,
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        },
        body: text,
      };
    });
  return Object.assign(handler, { route });
};

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

type FamilyMember = Handler & { readonly route: Pick<Route, 'method' | 'path'> };

/** One function for all routes of a family: by the gateway's resource and the method. Other methods get 405. */
export function serveFamily(members: readonly FamilyMember[]): Handler {
  const handlers = new Map(members.map((member) => [`${member.route.method} ${member.route.path}`, member]));
  return async (event, context) => {
    const handler = handlers.get(`${event.httpMethod} ${event.resource}`);
    return handler ? handler(event, context) : notAllowed(event, members);
  };
}

function notAllowed(event: APIGatewayProxyEvent, members: readonly FamilyMember[]): APIGatewayProxyResult {
  const allowed = members
    .flatMap(({ route: { method, path } }) => (path === event.resource ? [method] : []))
    .join(', ');
  const error = new DomainError('method_not_allowed', `This path supports ${allowed}.`);
  const refused = errorAnswer({ requestId: event.requestContext.requestId }, error);
  return { ...refused, headers: { ...refused.headers, Allow: allowed } };
}
