import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { callerContext } from '../../shared/http/caller';
import { metricValues } from '../../shared/metrics/define-metrics';
import { REQUEST_METRICS } from '../../shared/metrics/request-metrics';
import { type Clock, systemClock } from '../../shared/runtime/clock';
import { takeColdStart } from '../../shared/runtime/cold-start';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { keyReader, keyUseRecorder } from '../../shared/store/accounts/account-store';
import { openTable } from '../../shared/store/sdk/client';
import { type AuthenticateDeps, authenticate } from '../../shared/usecases/accounts/authenticate';
import { noteKeyUse } from '../../shared/usecases/accounts/note-key-use';

/** `arn:…:api-id/stage/GET/v1/webhooks` → every route of the stage: the result is cached for all of them. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;

/** The principal of a request with an unknown key. */
const STRANGER = 'unknown';

const policy = (Effect: 'Allow' | 'Deny', methodArn: string): APIGatewayAuthorizerResult['policyDocument'] => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: wholeStage(methodArn) }],
});

type Deps = AuthenticateDeps & { readonly clock: Clock; readonly log: Log };

/**
 * Refuses with a policy, which the gateway caches and turns into ACCESS_DENIED, our 401. Throwing would count as a
 * crash of this function: a stranger with a bad key could set off alarms and roll back deployments. Anything that does
 * throw here is our own failure: AUTHORIZER_FAILURE, our 503, which is never cached.
 */
export const build =
  (deps: Deps) =>
  async (event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const startedAt = deps.clock.now();
    const tell = (outcome: 'granted' | 'refused' | 'failed', fields: object = {}): void => {
      const duration_ms = deps.clock.now() - startedAt;
      const metrics = { ColdStarts: takeColdStart() ? 1 : 0, Unavailable: outcome === 'failed' ? 1 : 0 };
      deps.log.info('key', { outcome, duration_ms, ...fields }, metricValues(REQUEST_METRICS, metrics));
    };
    const who = await authenticate(deps, event.authorizationToken).catch((error) => {
      deps.log.error('authorizer failed', { error: error.cause ?? error });
      tell('failed');
      throw error;
    });
    tell(who ? 'granted' : 'refused', { account_id: who?.caller.account_id, key_id: who?.caller.key_id });
    if (!who) return { principalId: STRANGER, policyDocument: policy('Deny', event.methodArn) };
    return {
      principalId: who.caller.account_id,
      policyDocument: policy('Allow', event.methodArn),
      context: { ...callerContext(who.caller) },
      usageIdentifierKey: who.rateLimitKey,
    };
  };

const table = openTable(config.tableName());
const log = functionLogger('authorize');

export const handler = build({
  clock: systemClock,
  stage: config.stage(),
  keys: keyReader(table),
  noteUse: noteKeyUse({ uses: keyUseRecorder(table), log }),
  log,
});
