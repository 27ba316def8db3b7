import { request } from 'node:http';
import { json } from '../../../local/gateway/local-pages';
import { listenGateway } from '../../../local/gateway/server';

let gateway: Awaited<ReturnType<typeof listenGateway>>;
let port: number;
const fired: string[] = [];

beforeAll(async () => {
  gateway = await listenGateway(0);
  port = Number(new URL(gateway.url).port);
  const answer = async () => ({ status: 200, headers: {}, body: Buffer.from('api') });
  const fire = () => {
    fired.push('fired');
    return json({ done: true });
  };
  gateway.serve({
    api: answer,
    pages: [{ method: 'POST', path: /^schedules$/, answer: fire }],
    throughDistribution: (_method, _path, ask) => ask(),
  } as Parameters<typeof gateway.serve>[0]);
});
afterAll(() => gateway.close());
beforeEach(() => fired.splice(0));

const ask = (method: string, path: string, headers: Record<string, string>): Promise<readonly [number, string]> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve([answer.statusCode ?? 0, text]);
    });
    outgoing.on('error', reject).end();
  });

describe('a local run', () => {
  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('answers to %s', async (name) => {
    expect((await ask('POST', '/_local/schedules', { host: `${name}:${port}` }))[0]).toBe(200);
    const origin = `http://${name.toLowerCase()}:${port}`;
    expect((await ask('GET', '/v1/cases', { host: `${name}:${port}`, origin }))[0]).toBe(200);
  });

  it.each(['attacker.example', 'attacker.example:PORT', 'localhost.attacker.example:PORT', 'localhost', '127.0.0.1:1'])(
    'has nothing for a page whose name was made to resolve to this machine: %s',
    async (name) => {
      for (const path of ['/_local/schedules', '/v1/cases', '/console/']) {
        const [status, text] = await ask('POST', path, { host: name.replace('PORT', String(port)) });
        expect([status, JSON.parse(text).error.code]).toEqual([403, 'forbidden']);
        expect(text).toContain(`Use localhost:${port} or 127.0.0.1:${port}.`);
      }
      expect(fired).toEqual([]);
    },
  );

  it.each(['http://attacker.example', 'https://localhost:PORT', 'http://localhost:1', 'null'])(
    'has nothing for a page of another origin: %s',
    async (origin) => {
      const headers = { host: `localhost:${port}`, origin: origin.replace('PORT', String(port)) };
      expect((await ask('POST', '/_local/schedules', headers))[0]).toBe(403);
      expect(fired).toEqual([]);
    },
  );
});
