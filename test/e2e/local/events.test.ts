import type { LocalRun } from '../../../local/start-local';
import { administrator, eventually, startFixture } from '../../support/local-fixture/fixture';

let run: LocalRun;
let admin: ReturnType<typeof administrator>;
beforeAll(async () => {
  run = await startFixture({ inMemory: true });
  admin = administrator(run);
});
afterAll(() => run?.stop());

const put = (id: string, body: object) =>
  fetch(`${run.url}/v1/items/${id}`, { method: 'PUT', body: JSON.stringify(body) });
const send = (job: object) => fetch(`${run.url}/v1/storage`, { method: 'POST', body: JSON.stringify(job) });

describe('a stream', () => {
  it('hands what passes the filter to its function', async () => {
    await put('ignored', { kind: 'other' });
    await put('seen', { kind: 'order' });
    const note = await eventually(() => admin.item('relayed#seen'));
    expect(note.source?.S).toMatch(/^arn:aws:dynamodb:us-east-1:000000000000:table\/.+\/stream\//);
    expect(await admin.item('relayed#ignored')).toBeUndefined();
  });

  // A reader that asked only every second would never manage it; a busy machine manages it now and then.
  it('can deliver within 200 ms once its function is warm', async () => {
    await put('warm', { kind: 'order' });
    await eventually(() => admin.item('relayed#warm'));
    let changes = 0;
    await eventually(async () => {
      const id = `fast-${changes++}`;
      await put(id, { kind: 'order' });
      const written = Date.now();
      await eventually(() => admin.item(`relayed#${id}`));
      return Date.now() - written < 200 || undefined;
    }, 20_000);
  });

  it('gives up on a poisoned record alone, and tells the failure queue where it was', async () => {
    const ids = Array.from({ length: 12 }, (_none, index) => `batch-${index}`);
    await Promise.all(ids.map((id, index) => put(id, { kind: 'order', poison: index === 5 })));
    for (const id of ids) if (id !== 'batch-5') await eventually(() => admin.item(`relayed#${id}`), 20_000);
    const [message] = await eventually(async () => {
      const bodies = await admin.receive(run.outputs.FailuresUrl);
      return bodies.length > 0 ? bodies : undefined;
    });
    expect(JSON.parse(message ?? '')).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted', functionArn: expect.stringMatching(/:function:/) },
      responseContext: { statusCode: 200 },
      version: '1.0',
      DDBStreamBatchInfo: { batchSize: 1, streamArn: expect.stringMatching(/\/stream\//) },
    });
    expect(await admin.item('relayed#batch-5')).toBeUndefined();
  });
});

describe('a queue', () => {
  it('loses what succeeded, and repeats what failed until the dead-letter queue has it', async () => {
    await Promise.all([send({ job: 'good' }), send({ job: 'bad', fail: true }), send({ job: 'better' })]);
    const dead = await eventually(async () => {
      const bodies = await admin.receive(run.outputs.DeadUrl);
      return bodies.length > 0 ? bodies : undefined;
    });
    expect(dead.map((body) => JSON.parse(body))).toEqual([{ job: 'bad', fail: true }]);
    const attempts = async (job: string) => (await admin.item(`job#${job}`))?.attempts?.N;
    expect([await attempts('good'), await attempts('better'), await attempts('bad')]).toEqual(['1', '1', '2']);
  });
});

describe('a schedule', () => {
  it('can be fired by name, with the event of EventBridge', async () => {
    const [outcome] = await run.fireSchedule('EveryMinute');
    expect(outcome?.ok && JSON.parse(outcome.payload)).toMatchObject({
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      detail: {},
      resources: [expect.stringMatching(/:rule\//)],
    });
  });

  it('can be fired over HTTP', async () => {
    const [name] = run.schedules;
    const fired = await fetch(`${run.url}/_local/schedules/${name}`, { method: 'POST' });
    expect([fired.status, ((await fired.json()) as { ok: boolean }[])[0]?.ok]).toEqual([200, true]);
    expect((await fetch(`${run.url}/_local/schedules/nothing`, { method: 'POST' })).status).toBe(404);
    await expect(run.fireSchedule('nothing')).rejects.toThrow('no such schedule: nothing');
  });
});
