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

describe('a restart', () => {
  let run: LocalRun | undefined;
  afterEach(async () => {
    await run?.stop();
    run = undefined;
  });

  it('keeps items, objects, secrets, API keys and messages', async () => {
    run = await startFixture({ dataDir });
    await fetch(`${run.url}/v1/items/kept`, { method: 'PUT', body: '{"kind":"thing"}' });
    await fetch(`${run.url}/v1/storage`, { method: 'PUT', body: 'kept object' });
    const MessageBody = JSON.stringify({ kept: true });
    await administrator(run).sqs.send(new SendMessageCommand({ QueueUrl: run.outputs.DeadUrl, MessageBody }));
    const before = await storage(run);
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'))).toMatchObject({
      url: run.url,
      awsEndpoint: run.awsEndpoint,
      outputs: run.outputs,
      pid: process.pid,
      tableName: run.outputs.TableName,
      usagePlanId: run.outputs.PlanId,
    });
    await run.stop();
    expect(existsSync(join(dataDir, 'run.json'))).toBe(false);

    run = await startFixture({ dataDir });
    const admin = administrator(run);
    expect(await admin.item('kept')).toMatchObject({ kind: { S: 'thing' } });
    expect(await storage(run)).toEqual(before);
    expect(await admin.receive(run.outputs.DeadUrl)).toEqual([MessageBody]);
  });

  it('goes on in the stream where it stopped, repeating nothing', async () => {
    run = await startFixture({ dataDir });
    await fetch(`${run.url}/v1/items/before`, { method: 'PUT', body: '{"kind":"order"}' });
    const first = administrator(run);
    await eventually(() => first.item('relayed#before'));
    await run.stop();

    run = await startFixture({ dataDir });
    const relayed: string[] = [];
    run.onLog(({ line }) => {
      if (line.includes('relaying')) relayed.push(JSON.parse(line).relaying);
    });
    const second = administrator(run);
    await fetch(`${run.url}/v1/items/after`, { method: 'PUT', body: '{"kind":"order"}' });
    await eventually(() => second.item('relayed#after'));
    expect(relayed).toEqual(['after']);
  });

  it('forgets everything when told to', async () => {
    run = await startFixture({ dataDir, reset: true });
    expect(await administrator(run).item('kept')).toBeUndefined();
  });

  it('refuses a data directory that another run uses', async () => {
    run = await startFixture({ dataDir });
    await expect(startFixture({ dataDir })).rejects.toThrow(
      `Another local run (process ${process.pid}) is using ${dataDir}`,
    );
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
});
