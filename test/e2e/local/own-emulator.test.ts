import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openRequest } from '../../../local/backends/aws-client';
import { type Backend, startDynamodb, startFauxqs } from '../../../local/backends/start-backends';
import type { LocalRun } from '../../../local/start-local';
import { administrator, eventually, startFixture } from '../../support/local-fixture/fixture';

const fail = (problem: string): never => {
  throw new Error(problem);
};
let backends: readonly [Backend, Backend];
let emulator: Server;
let run: LocalRun | undefined;

// One address for everything, as the emulators people run have it; behind it, the same programs we start ourselves.
beforeAll(async () => {
  backends = await Promise.all([startDynamodb(undefined, fail, 'local'), startFauxqs('local')]);
  const [dynamodb, others] = backends.map(({ url }) => new URL(url));
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = String(incoming.headers['x-amz-target'] ?? '').startsWith('DynamoDB') ? dynamodb : others;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method, url: path, headers } = incoming;
    const options = { method, path, headers, host: target?.hostname, port: target?.port };
    const answer = await openRequest(options, Buffer.concat(chunks));
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  };
  // At the end a long poll is cut off: its client has gone too.
  emulator = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(emulator, 'listening');
});
afterAll(async () => {
  await run?.stop();
  emulator?.closeAllConnections();
  emulator?.close();
  await Promise.all((backends ?? []).map((backend) => backend.stop()));
});

it('serves the stack from an emulator of the user, grants still enforced', async () => {
  const endpointUrl = `http://127.0.0.1:${(emulator.address() as AddressInfo).port}`;
  run = await startFixture({ endpointUrl });
  const admin = administrator(run);
  const { url } = run;
  await fetch(`${url}/v1/items/one`, { method: 'PUT', body: '{"kind":"order"}' });
  await fetch(`${url}/v1/storage`, { method: 'POST', body: '{"job":"j"}' });
  expect((await fetch(`${url}/v1/storage`, { method: 'PUT', body: 'object' })).status).toBe(204);
  expect(await (await fetch(`${url}/v1/storage`)).json()).toMatchObject({ object: 'object' });
  expect(await eventually(() => admin.item('relayed#one'))).toBeDefined();
  expect(await eventually(() => admin.item('job#j'))).toMatchObject({ attempts: { N: '1' } });
  await fetch(`${url}/v1/overreach?call=delete`);
  expect(run.denials()).toMatchObject([{ function: 'Overreach', action: 'dynamodb:DeleteItem' }]);
});

it('says in one sentence that no emulator answers', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const started = startFixture({ endpointUrl: `http://127.0.0.1:${port}` });
  await expect(started).rejects.toThrow(`No DynamoDB at http://127.0.0.1:${port}`);
});
