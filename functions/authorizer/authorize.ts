import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { callerContext } from '../../shared/http/caller';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { keyReader } from '../../shared/store/account-store';
import { openTable } from '../../shared/store/client';
import { type AuthenticateDeps, authenticate } from '../../shared/usecases/authenticate';

/** `arn:…:api-id/stage/GET/v1/webhooks` → every route of the stage: the answer is cached for all of them. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;

export const build =
  (deps: AuthenticateDeps & { readonly log: Log }) =>
  async (event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const who = await authenticate(deps, event.authorizationToken).catch((error) => {
      deps.log.error('authorizer failed', { error: error.cause ?? error });
      throw error;
    });
    // The gateway knows this very word: it answers 401. Any other error becomes AUTHORIZER_FAILURE, our 503.
    if (!who) throw new Error('Unauthorized');
    return {
      principalId: who.caller.account_id,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: wholeStage(event.methodArn) }],
      },
      context: { ...callerContext(who.caller) },
      usageIdentifierKey: who.rateLimitKey,
    };
  };

export const handler = build({
  stage: config.stage(),
  keys: keyReader(openTable(config.tableName())),
  log: functionLogger('authorize'),
});
