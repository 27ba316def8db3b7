import type {
  APIGatewayAuthorizerResult,
  APIGatewayRequestAuthorizerEvent,
  APIGatewayTokenAuthorizerEvent,
} from 'aws-lambda';
import { signedKey } from '../../shared/domain/accounts/api-key';
import { bearerToken, type TokenRefusal } from '../../shared/domain/accounts/token-holder';
import { shortMemory } from '../../shared/domain/short-memory';
import { callerContext } from '../../shared/http/caller';
import { metricValues } from '../../shared/metrics/define-metrics';
import { REQUEST_METRICS } from '../../shared/metrics/request-metrics';
import { accessTokens } from '../../shared/outbound/access-tokens';
import { providerKeys } from '../../shared/outbound/provider-keys';
import { type Clock, systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { fetchJson } from '../../shared/runtime/fetch-json';
import { functionLogger, type Log, takeColdStart } from '../../shared/runtime/logger';
import { keyReader, keyUseRecorder } from '../../shared/store/accounts/account-store';
import { openTable } from '../../shared/store/sdk/client';
import { type AuthenticateDeps, type Authenticated, authenticate } from '../../shared/usecases/accounts/authenticate';
import { type AuthenticateTokenDeps, authenticateToken } from '../../shared/usecases/accounts/authenticate-token';
import { noteKeyUse } from '../../shared/usecases/accounts/note-key-use';

/** `arn:…:api-id/stage/GET/v1/webhooks` → every route of the stage: the result is cached for all of them. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;

const STRANGER = 'unknown';

const policy = (Effect: 'Allow' | 'Deny', methodArn: string): APIGatewayAuthorizerResult['policyDocument'] => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: wholeStage(methodArn) }],
});

interface Deps extends AuthenticateDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** @default only keys are taken */
  readonly tokens?: AuthenticateTokenDeps['tokens'];
}

/** The caller, by a key or, where people sign in, by an access token in its place. */
async function bearer(deps: Deps, header: string): Promise<Authenticated | TokenRefusal | undefined> {
  const token = deps.tokens && bearerToken(header);
  return deps.tokens && token
    ? authenticateToken({ keys: deps.keys, tokens: deps.tokens }, token)
    : authenticate(deps, header);
}

/** The header of a request that a client of AWS signed; the gateway passes on names as they were sent. */
function signedHeader({ headers }: APIGatewayRequestAuthorizerEvent): string | undefined {
  const name = Object.keys(headers ?? {}).find((each) => each.toLowerCase() === 'authorization');
  return name === undefined ? undefined : headers?.[name];
}

/**
 * The gateway cannot cache by a header that changes with each signature, so keys are remembered here, for as long as it
 * would. Not for the other authorizer: there the two would add up to more than the promised 60 s.
 */
const MEMORY = { lifeMs: 50_000, most: 1_000 };

const remembering = ({ keys, clock }: Deps): AuthenticateDeps['keys'] => ({
  ownerOf: shortMemory((hash) => keys.ownerOf(hash), clock.now, MEMORY),
  account: shortMemory((accountId) => keys.account(accountId), clock.now, MEMORY),
});

/**
 * Refuses with a policy, which the gateway caches and turns into ACCESS_DENIED, our 401. Throwing would count as a
 * crash of this function: a stranger with a bad key could set off alarms and roll back deployments. Anything that does
 * throw here is our own failure: AUTHORIZER_FAILURE, our 503, which is never cached.
 */
export const build = (deps: Deps) => {
  const signed = { ...deps, keys: remembering(deps) };
  return async (
    event: APIGatewayTokenAuthorizerEvent | APIGatewayRequestAuthorizerEvent,
  ): Promise<APIGatewayAuthorizerResult> => {
    const startedAt = deps.clock.now();
    const tell = (outcome: 'granted' | 'refused' | 'failed', fields: object = {}): void => {
      const duration_ms = deps.clock.now() - startedAt;
      const metrics = { ColdStarts: takeColdStart() ? 1 : 0, Unavailable: outcome === 'failed' ? 1 : 0 };
      deps.log.info('key', { outcome, duration_ms, ...fields }, metricValues(REQUEST_METRICS, metrics));
    };
    const asked =
      event.type === 'REQUEST'
        ? authenticate(signed, signedHeader(event), signedKey)
        : bearer(deps, event.authorizationToken);
    const answer = await asked.catch((error) => {
      deps.log.error('authorizer failed', { error: error.cause ?? error });
      tell('failed');
      throw error;
    });
    const [who, refusal] = typeof answer === 'string' ? [undefined, answer] : [answer];
    const { account_id, key_id } = who?.caller ?? {};
    tell(who ? 'granted' : 'refused', { account_id, key_id, refusal });
    if (!who) return { principalId: STRANGER, policyDocument: policy('Deny', event.methodArn) };
    return {
      principalId: who.caller.account_id,
      policyDocument: policy('Allow', event.methodArn),
      context: { ...callerContext(who.caller) },
      usageIdentifierKey: who.rateLimitKey,
    };
  };
};

const table = openTable(config.tableName());
const log = functionLogger('authorize');
const signIn = config.signIn();

export const handler = build({
  clock: systemClock,
  stage: config.stage(),
  keys: keyReader(table),
  noteUse: noteKeyUse({ uses: keyUseRecorder(table), log }),
  log,
  ...(signIn
    ? {
        tokens: accessTokens({
          settings: signIn,
          keys: providerKeys({ issuer: signIn.issuer, clock: systemClock, fetchJson, log }),
          clock: systemClock,
        }),
      }
    : {}),
});
