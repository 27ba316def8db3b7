import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gatewayRequest, proxyResponse } from '../../../local/gateway/gateway-responses';
import { proxyEvent } from '../../../local/gateway/handle-request';
import { type Method, restApi } from '../../../local/gateway/rest-api';
import { type FrontAccess, type FunctionConfig, functionConfig } from '../../../local/lambda/function-config';
import type { InvocationOutcome, LambdaFunction } from '../../../local/lambda/lambda-function';
import { loadAssembly } from '../../../local/template/load-assembly';
import { resolveStacks } from '../../../local/template/resolve-stack';
import type { Reply } from '../api';
import type { Case } from './fuzz-cases';

type Handler = (event: unknown, context: object) => Promise<unknown>;

/** Loads a built handler into this process with the environment of its function and nothing else, as a cold start does. */
function coldStart({ taskRoot, handler, environment }: FunctionConfig): Handler {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  const [file = '', name = ''] = handler.split('.');
  return (require(join(taskRoot, file)) as Record<string, Handler>)[name] as Handler;
}

/** A function of the template that runs here: no thread, no time-out. */
function builtFunction(config: FunctionConfig): LambdaFunction {
  let loaded: Handler | undefined;
  const context = { functionName: config.functionName, getRemainingTimeInMillis: () => 30_000 };
  return {
    config,
    limit: Number.POSITIVE_INFINITY,
    invoke: async (event): Promise<InvocationOutcome> => {
      loaded ??= coldStart(config);
      const given = JSON.parse(JSON.stringify(event)) as { requestContext?: { requestId: string } };
      const awsRequestId = given.requestContext?.requestId ?? 'authorizer';
      return { ok: true, payload: JSON.stringify(await loaded(given, { ...context, awsRequestId })) };
    },
    stop: async () => undefined,
  };
}

const incoming = (method: string, url: string, headers: Readonly<Record<string, string>>): IncomingMessage =>
  ({ method, url, rawHeaders: Object.entries(headers).flat(), socket: { remoteAddress: '127.0.0.1' } }) as never;

/**
 * The API of an assembly, its built handlers called in this process: what a request costs is the handler and the
 * database, not HTTP, threads and throttles. Tables and rights are those of the run that `access` leads to.
 */
export function builtApi(assembly: string, stackName: string, access: FrontAccess) {
  const stacks = resolveStacks(loadAssembly(assembly, stackName), access.awsEndpoint);
  const functions = new Map(
    stacks.all.flatMap((stack) =>
      stack.resources
        .filter(({ type, name }) => type === 'AWS::Lambda::Function' && !name.startsWith('Custom'))
        .flatMap((resource) => {
          const built = builtFunction(functionConfig(stack, resource, access, assembly));
          return [
            [built.config.arn, built],
            [built.config.functionName, built],
          ] as const;
        }),
    ),
  );
  const api = restApi(stacks, functions, Date.now);
  if (!api) throw new Error(`${stackName} has no REST API`);

  const requestOf = (method: string, path: string, headers: Readonly<Record<string, string>>) => {
    // As a client's own URL parser writes it.
    const { pathname, search } = new URL(path, 'http://localhost');
    const { request, decoded } = gatewayRequest(incoming(method, pathname + search, headers));
    return { request, match: decoded ? api.routes.match(request.segments, method) : undefined };
  };

  return {
    /** Asks the authorizer, as the gateway does; what it said of the caller is kept by the gateway for a minute. */
    async authorize(method: string, path: string, key: string): Promise<Readonly<Record<string, unknown>>> {
      const { request, match } = requestOf(method, path, { Authorization: `Bearer ${key}` });
      const methodArn = `arn:aws:execute-api:${api.facts.region}:${api.facts.account}:${api.facts.apiId}/${api.facts.stage}/${method}${path}`;
      const granted = await match?.route.authorizer?.({ request, methodArn, event: () => ({}) });
      if (!granted?.granted) throw new Error(`The authorizer refuses ${method} ${path}`);
      return granted.context;
    },

    /** Calls the handler behind a request; undefined where no handler is, which is the gateway's to answer. */
    async call(
      method: string,
      { path, headers, body }: Case,
      authorizer: Readonly<Record<string, unknown>> | undefined,
    ): Promise<Reply | undefined> {
      const typed = body === undefined ? headers : { 'Content-Type': 'application/json', ...headers };
      const { request, match } = requestOf(method, path, typed);
      const integration: Method['integration'] | undefined = match?.route.integration;
      if (!match || integration?.kind !== 'lambda') return undefined;
      const outcome = await integration.target.invoke(
        proxyEvent({
          request,
          api: api.facts,
          resourceId: match.route.resourceId,
          resourcePath: match.path,
          pathParameters: match.pathParameters,
          authorizer,
          body: body || null,
          isBase64Encoded: false,
        }),
      );
      const answer = outcome.ok ? proxyResponse(outcome.payload, false) : undefined;
      if (!answer) throw new Error(`${method} ${path}: the handler gave no answer of a proxy`);
      const answered = new Headers();
      for (const [name, value] of Object.entries(answer.headers)) answered.set(name, String(value));
      const text = answer.body.toString();
      const isJson = answered.get('content-type')?.startsWith('application/json') && text !== '';
      return { status: answer.status, headers: answered, text, json: isJson ? JSON.parse(text) : undefined };
    },
  };
}
