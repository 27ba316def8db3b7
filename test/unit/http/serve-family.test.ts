import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { serveFamily } from '../../../shared/http/serve-family';
import { eventOf } from '../../support/proxy-event';

const CONTEXT = {} as Context;
const says = (body: string) => async (): Promise<APIGatewayProxyResult> => ({ statusCode: 200, headers: {}, body });

const family = serveFamily([
  [{ method: 'GET', path: '/v1/things/{name}' }, says('read')],
  [{ method: 'PUT', path: '/v1/things/{name}' }, says('written')],
  [{ method: 'GET', path: '/v1/things' }, says('listed')],
]);

const ask = async (httpMethod: string, resource: string): Promise<APIGatewayProxyResult> =>
  family({ ...eventOf(httpMethod, '/'), resource }, CONTEXT);

describe('a function that serves a family of routes', () => {
  it('answers with the route that the gateway matched', async () => {
    expect((await ask('GET', '/v1/things/{name}')).body).toBe('read');
    expect((await ask('PUT', '/v1/things/{name}')).body).toBe('written');
    expect((await ask('GET', '/v1/things')).body).toBe('listed');
  });

  it('refuses every other method with 405, and says which ones the path supports', async () => {
    const refused = await ask('DELETE', '/v1/things/{name}');
    expect([refused.statusCode, refused.headers?.Allow]).toEqual([405, 'GET, PUT']);
    expect(JSON.parse(refused.body)).toMatchObject({
      error: { code: 'method_not_allowed', message: 'This path supports GET, PUT.' },
    });
    expect((await ask('OPTIONS', '/v1/things')).headers?.Allow).toBe('GET');
  });
});
