import type { APIGatewayProxyEvent } from 'aws-lambda';
import { gatewayRequest } from '../../../local/gateway/gateway-responses';
import { proxyEvent } from '../../../local/gateway/handle-request';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { callerContext } from '../../../shared/http/caller';

const API = { apiId: 'api', stage: 'sandbox', account: '1', region: 'eu-central-1' };
const CALLER = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };

/** A request as a handler gets it from API Gateway; `headers` as they are on the wire, name by name. */
export function eventOf(
  method: string,
  url: string,
  { headers = [], body }: { headers?: ReadonlyArray<readonly [string, string]>; body?: string } = {},
): APIGatewayProxyEvent {
  const rawHeaders = headers.flat();
  const incoming = { method, url, rawHeaders, socket: { remoteAddress: '127.0.0.1' } };
  return proxyEvent({
    request: gatewayRequest(incoming as never).request,
    api: API,
    resourceId: 'resource',
    resourcePath: '/',
    pathParameters: {},
    authorizer: { ...callerContext(CALLER) },
    body: body ?? null,
    isBase64Encoded: false,
  }) as unknown as APIGatewayProxyEvent;
}
