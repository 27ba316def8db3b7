import { compilePolicy, evaluate, type PolicyDocument, type Statement } from '../iam/roles';
import type { LambdaFunction } from '../lambda/lambda-function';
import { StartError } from '../start-error';
import type { StackResource } from '../template/resolve-stack';
import type { GatewayErrorType, GatewayRequest } from './gateway-responses';

interface AuthorizerProperties {
  readonly Type: 'TOKEN' | 'REQUEST';
  readonly IdentitySource?: string;
  readonly IdentityValidationExpression?: string;
  readonly AuthorizerResultTtlInSeconds?: number;
}

interface Result {
  readonly principalId: string;
  readonly statements: readonly Statement[];
  readonly context: Readonly<Record<string, string>>;
  readonly usageIdentifierKey: string | undefined;
}

export type Authorization =
  | { readonly granted: false; readonly error: GatewayErrorType; readonly message?: string }
  | {
      readonly granted: true;
      readonly context: Readonly<Record<string, unknown>>;
      readonly usageIdentifierKey: string | undefined;
    };

export interface AuthorizerInput {
  readonly request: GatewayRequest;
  readonly methodArn: string;
  /** The event of a REQUEST authorizer without its type and ARN; created only when needed. */
  event(): object;
}

export type Authorizer = (input: AuthorizerInput) => Promise<Authorization>;

const DEFAULT_TTL_SECONDS = 300;

function identityReader(source: string): (request: GatewayRequest) => string | undefined {
  const [, part, name = ''] = /^method\.request\.(header|querystring)\.(.+)$/.exec(source.trim()) ?? [];
  if (!part) throw new Error(`the identity source ${source} is not emulated`);
  return part === 'header'
    ? (request) => request.header(name)
    : (request) => request.query.findLast(([sent]) => sent === name)?.[1];
}

/** The function's response, validated; undefined if API Gateway would call it misconfigured. */
function parseResult(payload: string): Result | undefined {
  const answer = JSON.parse(payload) as {
    principalId?: unknown;
    policyDocument?: PolicyDocument;
    context?: Record<string, unknown>;
    usageIdentifierKey?: string;
  } | null;
  if (typeof answer?.principalId !== 'string' || !answer.policyDocument?.Statement) return undefined;
  const context = Object.entries(answer.context ?? {});
  if (context.some(([, value]) => typeof value === 'object')) return undefined;
  return {
    principalId: answer.principalId,
    statements: compilePolicy(answer.policyDocument),
    context: Object.fromEntries(context.map(([name, value]) => [name, String(value)])),
    usageIdentifierKey: answer.usageIdentifierKey,
  };
}

function decide(result: Result, methodArn: string, integrationLatency: number): Authorization {
  const decision = evaluate(result.statements, { action: 'execute-api:Invoke', resource: methodArn });
  if (decision === 'explicitly denied') {
    return {
      granted: false,
      error: 'ACCESS_DENIED',
      message: 'User is not authorized to access this resource with an explicit deny',
    };
  }
  if (decision === 'not allowed') return { granted: false, error: 'ACCESS_DENIED' };
  const context = { ...result.context, principalId: result.principalId, integrationLatency };
  return { granted: true, context, usageIdentifierKey: result.usageIdentifierKey };
}

/** A Lambda authorizer with its cache: the *policy* is cached by identity, the decision is made for each method. */
export function lambdaAuthorizer(resource: StackResource, target: LambdaFunction, now: () => number): Authorizer {
  const properties = resource.properties as unknown as AuthorizerProperties;
  if (properties.Type !== 'TOKEN' && properties.Type !== 'REQUEST') {
    throw new StartError(
      `${resource.logicalId} (${resource.type}) is a ${String(properties.Type)} authorizer, which is not emulated.`,
    );
  }
  const readers = (properties.IdentitySource?.split(',') ?? []).map(identityReader);
  // Only TOKEN authorizers have one; API Gateway ignores it on others.
  const expression = properties.Type === 'TOKEN' ? properties.IdentityValidationExpression : undefined;
  const valid = expression ? new RegExp(`^(?:${expression})$`) : undefined;
  const ttlMs = (properties.AuthorizerResultTtlInSeconds ?? DEFAULT_TTL_SECONDS) * 1_000;
  const cache = new Map<string, { readonly result: Result; readonly until: number }>();

  return async ({ request, methodArn, event }) => {
    const identities = readers.map((read) => read(request));
    const [token] = identities;
    if (identities.some((identity) => !identity)) return { granted: false, error: 'UNAUTHORIZED' };
    if (valid && !valid.test(token ?? '')) return { granted: false, error: 'UNAUTHORIZED' };

    const key = JSON.stringify(identities);
    const cached = cache.get(key);
    if (cached && cached.until > now()) return decide(cached.result, methodArn, 0);

    const started = now();
    const outcome = await target.invoke(
      properties.Type === 'TOKEN'
        ? { type: 'TOKEN', methodArn, authorizationToken: token }
        : { type: 'REQUEST', methodArn, ...event() },
    );
    if (!outcome.ok) {
      // The only message with a meaning: any other is a failure of the authorizer itself.
      const error = outcome.error.errorMessage === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE';
      return { granted: false, error };
    }
    const result = parseResult(outcome.payload);
    if (!result) return { granted: false, error: 'AUTHORIZER_CONFIGURATION_ERROR' };
    if (ttlMs > 0) cache.set(key, { result, until: now() + ttlMs });
    return decide(result, methodArn, now() - started);
  };
}
