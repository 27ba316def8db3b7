import { connect } from 'node:net';
import { Script } from 'node:vm';
import { version } from '../../package.json';
import { newApiKey } from '../../shared/domain/accounts/api-key';
import { randomBytes } from '../../shared/runtime/ids';
import { call, newAccount, type Reply } from '../support/api';
import { localRun } from '../support/local-run';

const endpoint = { url: 'https://example.com/hooks', events: ['case.created'] };

function expectEnvelope(reply: Reply, status: number, code: string): void {
  expect([reply.status, reply.json?.error.code]).toEqual([status, code]);
  expect(reply.headers.get('content-type')).toBe('application/json');
  expect(reply.headers.get('x-api-version')).toBe('2026-11-14');
  expect(reply.json.error.request_id).toBe(reply.headers.get('x-request-id'));
  expect(reply.json.error.message.length).toBeGreaterThan(10);
}

describe('authentication', () => {
  const unknown = newApiKey('sandbox', randomBytes);
  const otherStage = newApiKey('production', randomBytes);
  it.each([
    ['no header', {}],
    ['another scheme', { Authorization: `Basic ${unknown}` }],
    ['no scheme', { Authorization: unknown }],
    ['junk', { Authorization: 'Bearer junk' }],
    ['a wrong checksum', { Authorization: `Bearer ${unknown.slice(0, -1)}${unknown.endsWith('a') ? 'b' : 'a'}` }],
    ['an unknown key', { Authorization: `Bearer ${unknown}` }],
    ["the other stage's key", { Authorization: `Bearer ${otherStage}` }],
    ['an empty header', { Authorization: '' }],
  ])('%s is 401', async (_name, headers) => {
    expectEnvelope(
      await call('GET', '/v1/webhooks', { headers: headers as Record<string, string> }),
      401,
      'unauthorized',
    );
  });

  it('says whether the form is wrong or the key unknown', async () => {
    const told = async (headers: Record<string, string>) =>
      (await call('GET', '/v1/webhooks', { headers })).json.error.message;
    expect(await told({ Authorization: `Bearer ${otherStage}` })).toContain('begins with sk_test_');
    expect(await told({ Authorization: `Bearer ${unknown}` })).toContain('Unknown key');
  });

  it('comes before everything else about a request', async () => {
    expectEnvelope(await call('POST', '/v1/webhooks', { body: 'not json' }), 401, 'unauthorized');
  });
});

describe('routes and methods', () => {
  it.each(['/', '/v1', '/v1/', '/v1/nope', '/v2/webhooks', '/v1/webhooks/a/b/c', '/V1/webhooks'])(
    '%s is 404',
    async (path) => {
      const { key } = await newAccount();
      expectEnvelope(await call('GET', path, { key }), 404, 'not_found');
      expectEnvelope(await call('POST', path, { body: {} }), 404, 'not_found');
    },
  );

  it.each([
    ['PUT', '/v1/webhooks', 'POST, GET'],
    ['DELETE', '/v1/webhooks', 'POST, GET'],
    ['OPTIONS', '/v1/webhooks', 'POST, GET'],
    ['GET', '/v1/webhooks/wh_x', 'DELETE'],
    ['POST', '/openapi.json', 'GET'],
  ])('%s %s is 405', async (method, path, allow) => {
    const { key } = await newAccount();
    const reply = await call(method, path, { key });
    expectEnvelope(reply, 405, 'method_not_allowed');
    expect(reply.headers.get('allow')).toBe(allow);
  });

  it('a malformed escape in the path is 400, in our envelope', async () => {
    const { key } = await newAccount();
    expectEnvelope(await call('DELETE', '/v1/webhooks/%E0%A4%A', { key }), 400, 'invalid_request');
  });
});

describe('bodies', () => {
  const text = (bytes: number) => `{"pad":"${'a'.repeat(bytes - 10)}"}`;
  let key: string;
  beforeAll(async () => {
    ({ key } = await newAccount());
  });

  it.each([
    ['64 KB + 1 byte', text(65_537), 413, 'payload_too_large'],
    ['11 MB, more than the gateway takes', text(11_000_000), 413, 'payload_too_large'],
    ['64 KB exactly, faults and all', text(65_536), 400, 'invalid_request'],
    ['no JSON', '{', 400, 'invalid_request'],
    ['an empty body', '', 400, 'invalid_request'],
    ['an array', '[]', 400, 'invalid_request'],
    ['null', 'null', 400, 'invalid_request'],
    ['17 levels', `{"a":${'['.repeat(16)}${']'.repeat(16)}}`, 400, 'invalid_request'],
    ['30,000 levels', '['.repeat(30_000), 400, 'invalid_request'],
    [
      '1,001 members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, 1]))),
      400,
      'invalid_request',
    ],
    ['Infinity', '{"a":1e400}', 400, 'invalid_request'],
    [
      '__proto__',
      '{"__proto__":{"x":1},"url":"https://example.com","events":["case.created"]}',
      400,
      'invalid_request',
    ],
    ['constructor', '{"a":{"constructor":1}}', 400, 'invalid_request'],
  ])('%s', async (_name, body, status, code) => {
    expectEnvelope(await call('POST', '/v1/webhooks', { key, body }), status, code);
  });

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    '%s is 415',
    async (type) => {
      const reply = await call('POST', '/v1/webhooks', { key, body: '{}', headers: { 'Content-Type': type } });
      expectEnvelope(reply, 415, 'unsupported_media_type');
    },
  );

  it('bytes that are no UTF-8 do no harm', async () => {
    const { port } = new URL(localRun().url);
    const body = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    const head = [
      'POST /v1/webhooks HTTP/1.1',
      `Host: localhost:${port}`,
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ].join('\r\n');
    const answer = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(Number(port), 'localhost', () =>
        socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body])),
      );
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('invalid_request');
  });
});

describe('X-Api-Version', () => {
  it('may pin the version, and names the one in effect', async () => {
    const { key } = await newAccount();
    const pinned = await call('GET', '/v1/webhooks', { key, headers: { 'X-Api-Version': '2026-11-14' } });
    expect([pinned.status, pinned.headers.get('x-api-version')]).toEqual([200, '2026-11-14']);
  });

  it.each(['2026-11-15', '1', 'latest', ''])('%p is refused', async (version) => {
    const { key } = await newAccount();
    const reply = await call('GET', '/v1/webhooks', { key, headers: { 'X-Api-Version': version } });
    expectEnvelope(reply, 400, 'unsupported_api_version');
  });

  it('is checked before the body', async () => {
    const { key } = await newAccount();
    const reply = await call('POST', '/v1/webhooks', { key, body: 'junk', headers: { 'X-Api-Version': 'x' } });
    expectEnvelope(reply, 400, 'unsupported_api_version');
  });
});

describe('isolation', () => {
  it("answers another account's id exactly like an unknown one", async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const { webhook_id } = (await call('POST', '/v1/webhooks', { key: one.key, body: endpoint })).json;
    const foreign = await call('DELETE', `/v1/webhooks/${webhook_id}`, { key: other.key });
    const unknown = await call('DELETE', '/v1/webhooks/wh_00000000000000000000000000', { key: other.key });
    expectEnvelope(foreign, 404, 'not_found');
    const withoutRequestId = ({ json }: Reply) => ({ ...json.error, request_id: '' });
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown));
    expect((await call('GET', '/v1/webhooks', { key: one.key })).json.webhooks).toHaveLength(1);
    expect((await call('GET', '/v1/webhooks', { key: other.key })).json.webhooks).toEqual([]);
  });
});

describe('the reference', () => {
  it('is served without a key', async () => {
    const openapi = await call('GET', '/openapi.json');
    expect([openapi.status, openapi.json.openapi]).toEqual([200, '3.1.0']);
    expect(openapi.json.info['x-service-version']).toBe(version);
    const page = await call('GET', '/docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    const script = /src="([^"]+)"/.exec(page.text)?.[1];
    expect(script).toBe('docs/reference.js');
    const { text } = await call('GET', `/${script}`);
    expect(text.length).toBeGreaterThan(500_000);
    expect(() => new Script(text)).not.toThrow();
    expect(page.text).not.toMatch(/(src|href)="https?:/);
  });
});
