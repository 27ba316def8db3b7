import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { exportTable, importTable } from '../../../bin/admin/table-commands';
import { openRequest } from '../../../local/backends/aws-client';
import { type Backend, startDynamodb, startFauxqs } from '../../../local/backends/start-backends';
import type { LocalRun } from '../../../local/start-local';
import { localClient } from '../../../shared/runtime/admin-wiring';
import { reconnectAccount } from '../../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount } from '../../support/api';
import {
  administrator,
  changedAssembly,
  eventually,
  startFixture,
  temporaryDirectory,
} from '../../support/local-fixture/fixture';
import { localRun } from '../../support/local-run';
import { startHere } from '../../support/machine/time-machine';

describe('restart', () => {
  const dataDir = temporaryDirectory();
  const storage = async (run: LocalRun) => (await fetch(`${run.url}/v1/storage`)).json();
  const MESSAGE = JSON.stringify({ kept: true });

  // Every start takes seconds, so the tests are about one data directory and follow its lives, in their order.
  describe('a restart', () => {
    let run: LocalRun | undefined;
    const relayed: string[] = [];
    let before: unknown;

    const start = async (options: Parameters<typeof startFixture>[0] = {}): Promise<LocalRun> => {
      run = await startFixture({ dataDir, ...options });
      return run;
    };
    const stop = async (): Promise<void> => {
      await run?.stop();
      run = undefined;
    };
    afterAll(stop);

    it('comes after a run that says where it is for as long as it lasts', async () => {
      const first = await start();
      await fetch(`${first.url}/v1/items/kept`, { method: 'PUT', body: '{"kind":"thing"}' });
      await fetch(`${first.url}/v1/items/before`, { method: 'PUT', body: '{"kind":"order"}' });
      await fetch(`${first.url}/v1/storage`, { method: 'PUT', body: 'kept object' });
      const admin = administrator(first);
      await admin.sqs.send(new SendMessageCommand({ QueueUrl: first.outputs.DeadUrl, MessageBody: MESSAGE }));
      before = await storage(first);
      await eventually(() => admin.item('relayed#before'));
      expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'))).toMatchObject({
        url: first.url,
        awsEndpoint: first.awsEndpoint,
        outputs: first.outputs,
        pid: process.pid,
        tableName: first.outputs.TableName,
        usagePlanId: first.outputs.PlanId,
      });
      await stop();
      expect(existsSync(join(dataDir, 'run.json'))).toBe(false);
    });

    it('keeps items, objects, secrets, API keys and messages', async () => {
      const second = await start();
      second.onLog(({ line }) => {
        if (line.includes('relaying')) relayed.push(JSON.parse(line).relaying);
      });
      const admin = administrator(second);
      expect(await admin.item('kept')).toMatchObject({ kind: { S: 'thing' } });
      expect(await storage(second)).toEqual(before);
      expect(await admin.receive(second.outputs.DeadUrl)).toEqual([MESSAGE]);
    });

    it('goes on in the stream where it stopped, repeating nothing', async () => {
      if (!run) throw new Error('The second run is not there');
      const admin = administrator(run);
      await fetch(`${run.url}/v1/items/after`, { method: 'PUT', body: '{"kind":"order"}' });
      await eventually(() => admin.item('relayed#after'));
      expect(relayed).toEqual(['after']);
    });

    it('refuses a data directory that another run uses', async () => {
      expect(run).toBeDefined();
      await expect(startFixture({ dataDir })).rejects.toThrow(
        `Another local run (process ${process.pid}) is using ${dataDir}`,
      );
      await stop();
    });

    it('refuses to forget kept data by running in memory', async () => {
      await expect(startFixture({ dataDir, inMemory: true })).rejects.toThrow(
        'has data that an in-memory run would lose',
      );
    });

    it('refuses a table whose keys have changed, and says what to do', async () => {
      const assembly = await changedAssembly((template) => template.replaceAll('"kind"', '"sort"'));
      await expect(startFixture({ assembly, dataDir })).rejects.toThrow('Start once with --reset');
    });

    it('forgets everything when asked to', async () => {
      const last = await start({ reset: true });
      expect(await administrator(last).item('kept')).toBeUndefined();
    });
  });
});

describe('own emulator', () => {
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
});

describe('restore', () => {
  /** The secret of the run under test, as an operator reads and writes it. */
  function secretsOfStage() {
    const client = new SecretsManagerClient(localClient(localRun()));
    const SecretId = localRun().outputs.DataKeySecretId;
    return {
      read: async () => (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString,
      write: (SecretString: string | undefined) => client.send(new PutSecretValueCommand({ SecretId, SecretString })),
    };
  }

  const directory = mkdtempSync(join(tmpdir(), 'restore-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('an empty stack is given a backup, and answers the old key as the old one did', async () => {
    const { account_id, key } = await newAccount('moving');
    const from = { ip_address: '52.94.76.1', device_fingerprint: 'd' };
    await call('POST', '/v1/events', { key, body: { event_type: 'signup', user_id: 'hasty', ...from } });
    const body = { user_id: 'hasty', amount: 1500, currency: 'USD', ...from };
    const screened = (await call('POST', '/v1/transactions/screen', { key, body })).json;
    const paths = [
      `/v1/transactions/${screened.transaction_id}`,
      `/v1/decisions/${screened.decision_id}`,
      `/v1/cases/${screened.case_id}`,
      '/v1/cases?status=open',
      '/v1/users/hasty/risk-profile',
    ];
    const answers = async () => Promise.all(paths.map(async (path) => (await call('GET', path, { key })).json));
    const before = await answers();
    expect(before[3].total).toBe(1);

    // Other tests write to the table meanwhile: only what is this account's is exported.
    const table = admin().tableNamed(undefined);
    const own = {
      name: table.name,
      scan: async (from: Parameters<typeof table.scan>[0]) => {
        const { items, next } = await table.scan(from);
        const isOwn = (item: (typeof items)[number]) => JSON.stringify(item).includes(account_id);
        return { items: items.filter(isOwn), next };
      },
    };
    const file = join(directory, 'backup.jsonl');
    const request = { file, stage: 'sandbox', nowMs: Date.now(), onProgress: () => undefined };
    const { items } = await exportTable(own, request);
    expect(items).toBeGreaterThan(10);

    const shared = process.env.LOCAL_RUN_DIR;
    const dataDir = join(directory, 'other');
    const stageSecret = await secretsOfStage().read();
    const stop = await startHere(dataDir);
    process.env.LOCAL_RUN_DIR = dataDir;
    try {
      expect(localRun().outputs.TableName).toBeTruthy();
      // Histories are named, and webhook secrets sealed, by a secret of the stage, which is not in the table.
      await secretsOfStage().write(stageSecret);
      // In other letters than below: the gateway remembers a refusal by the very header it came with.
      const headers = { Authorization: `bearer ${key}` };
      expect((await call('GET', paths[0] ?? '', { headers })).status).toBe(401);
      const restored = await importTable(admin().tableNamed(undefined), { ...request, isOverwriting: false });
      expect(restored).toEqual({ written: items, same: 0, overwritten: 0 });
      // The key's hash came with the table; the gateway does not know the account's rate-limit key yet.
      await reconnectAccount(admin(), account_id);
      expect(await answers()).toEqual(before);
      // And it goes on from there: the history knows this user's device.
      const next = (await call('POST', '/v1/transactions/screen', { key, body: { ...body, amount: 5 } })).json;
      expect(next.signals).not.toContain('new_device');
    } finally {
      process.env.LOCAL_RUN_DIR = shared;
      await stop();
    }
  }, 600_000);
});

describe('a restart with another template', () => {
  it('keeps the authorizer that the API was deployed with until there is another deployment', async () => {
    const own = temporaryDirectory();
    const said: string[] = [];
    const asked = async (change: (template: string) => string): Promise<number> => {
      const print = (line: string) => said.push(line);
      const run = await startFixture({ assembly: await changedAssembly(change), dataDir: own, print });
      const { status } = await fetch(`${run.url}/v1/guarded`, { headers: { Authorization: 'Token allow' } });
      await run.stop();
      return status;
    };
    const other = (template: string) => template.replaceAll('Bearer [a-z-]+', 'Token [a-z-]+');
    const redeployed = (template: string) =>
      template.replaceAll(/"ApiDeployment(?!Stage)(\w+)"/g, '"ApiDeployment$1Next"');
    expect(await asked((template) => template)).toBe(401);
    expect(await asked(other)).toBe(401);
    expect(said.join('\n')).toContain('as in AWS, the stage keeps the old one');
    expect(await asked((template) => redeployed(other(template)))).not.toBe(401);
  });
});
