import { networkInterfaces } from 'node:os';
import { APIGatewayClient, CreateApiKeyCommand, CreateUsagePlanKeyCommand } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { LocalRun } from '../../../local/start-local';
import { administrator, startFixture } from '../../support/local-fixture/fixture';
import { listeningSockets } from '../../support/machine/listening-sockets';

let run: LocalRun;
const portsBefore = new Set<number>();
beforeAll(async () => {
  // Other runs may be under test in this process tree.
  for (const { port } of listeningSockets(process.pid) ?? []) portsBefore.add(port);
  run = await startFixture({ inMemory: true });
});
afterAll(() => run?.stop());

const call = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${run.url}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
};
const bearer = (name: string) => ({ headers: { Authorization: `Bearer ${name}` } });

it('leaves it to the client when an idle connection ends, so that no request is written to one that was closed', async () => {
  // With a limit of its own, Node's server announces that limit and closes the connection in the same second as a client that obeys it.
  expect((await call('/v1/echo/fixed')).headers.get('keep-alive')).toBeNull();
});

describe('the proxy event', () => {
  it('has the shape of a REST API', async () => {
    const { json, headers } = await call('/v1/echo/a%2Fb%20c?x=1&x=2&y=%C3%A9+z&empty', {
      method: 'POST',
      body: '{"é":1}',
      headers: { 'X-Mixed-Case': 'kept', 'User-Agent': 'fixture' },
    });
    const { event } = json();
    expect(event).toMatchObject({
      resource: '/v1/echo/{name}',
      path: '/v1/echo/a%2Fb%20c',
      httpMethod: 'POST',
      pathParameters: { name: 'a/b c' },
      queryStringParameters: { x: '2', y: 'é z', empty: '' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['é z'], empty: [''] },
      stageVariables: null,
      body: '{"é":1}',
      isBase64Encoded: false,
      requestContext: {
        resourcePath: '/v1/echo/{name}',
        httpMethod: 'POST',
        stage: 'v',
        accountId: '000000000000',
        protocol: 'HTTP/1.1',
        path: '/v/v1/echo/a%2Fb%20c',
        identity: { sourceIp: '127.0.0.1', userAgent: 'fixture' },
        requestId: headers.get('x-amzn-requestid'),
      },
    });
    expect(event.requestContext).not.toHaveProperty('authorizer');
    expect(event.headers['x-mixed-case'] ?? event.headers['X-Mixed-Case']).toBe('kept');
    expect(event.multiValueHeaders['X-Forwarded-For']).toEqual(['127.0.0.1']);
    expect(event.requestContext.requestTime).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
  });

  it('has nulls where nothing was sent', async () => {
    const { event } = (await call('/v1/echo/fixed')).json();
    expect(event).toMatchObject({
      resource: '/v1/echo/fixed',
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      body: null,
    });
  });

  it('gathers the rest of the path for a greedy parameter', async () => {
    expect((await call('/v1/files/a/b%20c/d')).json().event.pathParameters).toEqual({ path: 'a/b c/d' });
  });

  it('reaches a function that sees its own environment and nothing of ours', async () => {
    const { environment } = (await call('/v1/echo/x')).json();
    expect(environment).toMatchObject({
      AWS_ENDPOINT_URL: run.awsEndpoint,
      AWS_REGION: run.region,
      _HANDLER: 'index.handler',
    });
    expect(environment).not.toHaveProperty('PATH');
    expect(environment).not.toHaveProperty('HOME');
  });

  it('is answered with single and repeated headers', async () => {
    const { headers } = await call('/v1/echo/x');
    expect([headers.get('x-fixture'), headers.get('x-many')]).toEqual(['echo', 'one, two']);
  });
});

describe('the gateway itself', () => {
  it('answers an unknown route with the gateway response of the template', async () => {
    const { status, headers, json } = await call('/v1/nowhere');
    const requestId = headers.get('x-amzn-requestid');
    expect(status).toBe(404);
    expect(headers.get('x-request-id')).toBe(requestId);
    expect(json()).toEqual({
      error: { code: 'MISSING_AUTHENTICATION_TOKEN', message: 'Missing Authentication Token', request_id: requestId },
    });
  });

  it('takes an unknown route with a header for a request that should have been signed, as AWS does', async () => {
    const { status, headers, json } = await call('/v1/nowhere', bearer('allow'));
    expect([status, headers.get('x-amzn-errortype')]).toEqual([403, 'IncompleteSignatureException']);
    expect(json().error).toMatchObject({
      code: 'INVALID_SIGNATURE',
      message: "'allow' not a valid key=value pair (missing equal-sign) in Authorization header: 'Bearer allow'.",
    });
  });

  it('fails where the function may not be invoked for the path as it was sent', async () => {
    const { status, json } = await call('/v1/misbehave/');
    expect([status, json().error.code]).toEqual([500, 'API_CONFIGURATION_ERROR']);
    expect((await call('/v1/echo/x/')).status).toBe(200);
  });

  it('has no template of a mock for another content type, and nothing else to answer with', async () => {
    const init = { method: 'DELETE', headers: { 'Content-Type': 'text/plain' }, body: 'x' };
    const { status, json } = await call('/v1/items/1', init);
    expect([status, json().error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('answers another method of a known path from the mock integration', async () => {
    const { status, headers, json } = await call('/v1/items/1', { method: 'DELETE' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, PUT']);
    expect(json()).toEqual({ error: { code: 'method_not_allowed', request_id: headers.get('x-request-id') } });
  });

  it.each([
    ['/v1/echo/%E0%A4%A', 400, 'BAD_REQUEST_PARAMETERS'],
    ['/v1/echo/x?q=%zz', 400, 'BAD_REQUEST_PARAMETERS'],
    ['/v1/misbehave?how=throw', 502, 'DEFAULT_5XX'],
    ['/v1/misbehave?how=exit', 502, 'DEFAULT_5XX'],
    ['/v1/misbehave?how=uncaught', 502, 'DEFAULT_5XX'],
    ['/v1/misbehave?how=hang', 502, 'DEFAULT_5XX'],
    ['/v1/misbehave?how=malformed', 502, 'DEFAULT_5XX'],
  ])('GET %s: %i %s', async (path, status, code) => {
    const answer = await call(path);
    expect(answer.status).toBe(status);
    expect(answer.json().error.code).toBe(code);
  });

  it('goes on after a function died', async () => {
    await call('/v1/misbehave?how=exit');
    expect((await call('/v1/misbehave')).text).toBe('well behaved');
  });

  it('refuses a body over 6 MB', async () => {
    const { status, json } = await call('/v1/echo/x', { method: 'POST', body: 'x'.repeat(6 * 1024 * 1024 + 1) });
    expect([status, json().error.code]).toEqual([413, 'REQUEST_TOO_LARGE']);
  });
});

describe('the authorizer', () => {
  it.each([
    ['no header', undefined, 401, 'UNAUTHORIZED'],
    ['a header that its expression refuses', 'Basic abc', 401, 'UNAUTHORIZED'],
    ['an unknown token', 'Bearer unknown', 401, 'UNAUTHORIZED'],
    ['a deny', 'Bearer deny', 403, 'ACCESS_DENIED'],
    ['a failure', 'Bearer broken', 500, 'AUTHORIZER_FAILURE'],
    ['an answer without a policy', 'Bearer nonsense', 500, 'AUTHORIZER_CONFIGURATION_ERROR'],
  ])('%s', async (_name, token, status, code) => {
    const answer = await call('/v1/guarded', token ? { headers: { Authorization: token } } : {});
    expect([answer.status, answer.json().error.code]).toEqual([status, code]);
  });

  it('hands its context to the function, as text', async () => {
    const { event } = (await call('/v1/guarded', bearer('allow'))).json();
    expect(event.requestContext.authorizer).toMatchObject({
      principalId: 'allow',
      account: 'allow',
      level: '7',
      trusted: 'true',
    });
  });

  it('is asked once a token, and its policy is evaluated for each method', async () => {
    const lines: string[] = [];
    const stopListening = run.onLog(({ line }) => lines.push(line));
    const read = await call('/v1/guarded', bearer('read-only'));
    const write = await call('/v1/guarded', { ...bearer('read-only'), method: 'POST' });
    stopListening();
    expect([read.status, write.status]).toEqual([200, 403]);
    expect(lines.filter((line) => line.includes('authorized'))).toHaveLength(1);
  });
});

describe('usage plans', () => {
  const createKey = async (name: string) => {
    const client = new APIGatewayClient(administrator(run).config);
    const value = `key-of-${name}-with-twenty-characters`;
    const { id } = await client.send(new CreateApiKeyCommand({ name, value, enabled: true }));
    await client.send(
      new CreateUsagePlanKeyCommand({ usagePlanId: run.outputs.PlanId, keyId: id, keyType: 'API_KEY' }),
    );
  };

  it('refuse a key they do not know', async () => {
    const { status, json } = await call('/v1/metered', bearer('stranger'));
    expect([status, json().error.code]).toEqual([403, 'INVALID_API_KEY']);
  });

  it('throttle a busy key and leave a quiet one alone', async () => {
    await Promise.all([createKey('busy'), createKey('quiet')]);
    await Promise.all([call('/v1/metered', bearer('quiet')), call('/v1/guarded', bearer('busy'))]);
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('/v1/metered', bearer('busy'))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(7);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(refused[0]?.json().error.code).toBe('THROTTLED');
    expect((await call('/v1/metered', bearer('quiet'))).status).toBe(200);
  });
});

describe('what else listens on this machine', () => {
  const item = { pk: { S: 'minted' } };
  const send = async (url: string, operation: string, input: object, credential?: string) => {
    const scope = `Credential=${credential}/20260101/us-east-1/dynamodb/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=00`;
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        ...(credential ? { authorization } : {}),
      },
      body: JSON.stringify(input),
    });
    return { status: response.status, text: await response.text() };
  };
  const now = () => (listeningSockets(process.pid) ?? []).filter(({ port }) => !portsBefore.has(port));

  it('is reachable from this machine only, but for DynamoDB Local, which cannot be told to', () => {
    const open = now().filter(({ isLoopback }) => !isLoopback);
    expect(open.filter(({ program }) => program !== 'java')).toEqual([]);
    // The gateway, the front, and the emulator of SQS and S3.
    if (process.platform === 'linux') expect(now().filter(({ isLoopback }) => isLoopback)).toHaveLength(3);
  });

  it('DynamoDB Local shows its data to nobody, from wherever they call', async () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const hosts = ['127.0.0.1', ...own.flatMap(({ family, address }) => (family === 'IPv4' ? [address] : []))];
    // Runs in memory share one that was started for all tests.
    const shared = process.env.LOCAL_DYNAMODB ? [Number(new URL(process.env.LOCAL_DYNAMODB).port)] : [];
    const ports = [...shared, ...now().flatMap(({ port, program }) => (program === 'java' ? [port] : []))];
    expect(ports).not.toEqual([]);
    for (const url of ports.flatMap((port) => hosts.map((host) => `http://${host}:${port}/`))) {
      for (const credential of [undefined, 'local', 'localadmin', 'x']) {
        const listed = await send(url, 'ListTables', {}, credential);
        expect(listed.text).not.toContain(run.outputs.TableName);
        const put = await send(url, 'PutItem', { TableName: run.outputs.TableName, Item: item }, credential);
        expect(put.status).toBe(400);
        expect(put.text).toMatch(/ResourceNotFoundException|MissingAuthenticationToken/);
      }
    }
    expect(await administrator(run).item('minted')).toBeUndefined();
  });

  it('the emulator of SQS and S3, and the front, take no request without a key of this run', async () => {
    const gatewayPort = Number(new URL(run.url).port);
    const others = now().filter(({ port, isLoopback }) => isLoopback && port !== gatewayPort);
    for (const { port } of others) {
      for (const credential of [undefined, 'local', 'local-admin']) {
        const { status, text } = await send(`http://127.0.0.1:${port}/`, 'ListTables', {}, credential);
        expect([400, 403]).toContain(status);
        expect(text).toMatch(/UnrecognizedClientException|Only the local run may call/);
      }
    }
  });

  it('the administrator has the token of this run, not only a name', async () => {
    const { endpoint, region, credentials } = administrator(run).config;
    const guess = (sessionToken: string | undefined) =>
      new DynamoDBClient({
        ...{ endpoint, region, maxAttempts: 1 },
        credentials: {
          accessKeyId: 'local-admin',
          secretAccessKey: 'local',
          ...(sessionToken ? { sessionToken } : {}),
        },
      }).send(new ListTablesCommand({}));
    for (const token of [undefined, 'local', credentials.sessionToken.replace(/^./, 'x')]) {
      await expect(guess(token)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    }
    await expect(guess(credentials.sessionToken)).resolves.toBeDefined();
  });
});
