import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { LocalRun } from '../../../local/start-local';
import {
  administrator,
  changedAssembly,
  eventually,
  startFixture,
  temporaryDirectory,
} from '../../support/local-fixture/fixture';

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
