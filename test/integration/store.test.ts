import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { exportTable, importTable } from '../../bin/admin/table-commands';
import { DEFAULT_SETTINGS, labelEndMs } from '../../shared/domain/accounts/account';
import { idempotencyClaim } from '../../shared/domain/idempotency';
import { EMPTY_REGISTRY, promote, register } from '../../shared/domain/models/registry-state';
import { localClient } from '../../shared/runtime/admin-wiring';
import { outcomeStore } from '../../shared/store/cases/outcome-store';
import { idempotencyStore } from '../../shared/store/idempotency-store';
import { labelReader, sampleWriter } from '../../shared/store/models/label-store';
import { modelRegistry, modelRegistryReader, STATE_KEY } from '../../shared/store/models/model-registry';
import { batchGet } from '../../shared/store/sdk/batch-get';
import type { Table } from '../../shared/store/sdk/client';
import { type ObjectStore, s3ObjectStore } from '../../shared/store/sdk/object-store';
import { tableCopyStore } from '../../shared/store/table-copy-store';
import { webhookRegistrar, webhookSender } from '../../shared/store/webhooks/webhook-store';
import { reviewDecision } from '../../shared/usecases/cases/record-outcome';
import { screenSubject } from '../../shared/usecases/screening/screen-subject';
import { reseal, sealedByVersion } from '../../shared/usecases/secrets/reseal';
import { admin } from '../support/api';
import { localRun } from '../support/local-run';
import { emptyTable } from '../support/stores/empty-table';
import { callerOf, payment, screeningDeps } from '../support/stores/screening-deps';

describe('batch get', () => {
  const keyOf = (number: number) => ({ pk: `P#${number % 7}`, sk: `S#${number}` });

  async function fill(table: Table, count: number, member = {}): Promise<void> {
    const numbers = Array.from({ length: count }, (_, number) => number);
    await Promise.all(
      numbers.map((number) =>
        table.client.send(new PutCommand({ TableName: table.name, Item: { ...keyOf(number), number, ...member } })),
      ),
    );
  }

  it('finds each of many, also what is asked for twice, and nothing for what is not there', async () => {
    const table = await emptyTable();
    await fill(table, 130);
    const asked = [...Array(140).keys(), 3, 3, 129].map(keyOf);
    const itemOf = await batchGet(table, asked);
    expect([0, 99, 100, 129].map((number) => itemOf(keyOf(number))?.number)).toEqual([0, 99, 100, 129]);
    expect([itemOf(keyOf(130)), itemOf(keyOf(9999))]).toEqual([undefined, undefined]);
  });

  it('asks nothing of the table for no keys', async () => {
    const itemOf = await batchGet({ client: undefined as never, name: 'none' }, []);
    expect(itemOf(keyOf(1))).toBeUndefined();
  });

  it('what DynamoDB leaves out is unavailable, and not taken for missing', async () => {
    const table = await emptyTable();
    // More than the 16 MB that fit an answer.
    await fill(table, 48, { filler: 'x'.repeat(390_000) });
    const itemOf = await batchGet(table, [...Array(48).keys()].map(keyOf));
    const answers = [...Array(48).keys()].map((number) => {
      try {
        return itemOf(keyOf(number))?.number;
      } catch (error) {
        return (error as { code?: string }).code;
      }
    });
    const read = answers.filter((answer) => typeof answer === 'number').length;
    expect(read).toBeGreaterThan(30);
    expect(answers.filter((answer) => answer === 'unavailable')).toHaveLength(48 - read);
    expect(read).toBeLessThan(48);
  });
});

describe('table copy', () => {
  const directory = mkdtempSync(join(tmpdir(), 'table-copy-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  let client: DynamoDBClient;
  beforeAll(() => {
    client = new DynamoDBClient(localClient(localRun()));
  });
  afterAll(() => client.destroy());

  async function newTable(name: string): Promise<string> {
    const attributes = ['pk', 'sk'] as const;
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: attributes.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' })),
      }),
    );
    return name;
  }

  async function contentsOf(TableName: string): Promise<unknown[]> {
    const items: unknown[] = [];
    for await (const { Items = [] } of paginateScan({ client }, { TableName })) items.push(...Items);
    return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }

  const request = { stage: 'sandbox', nowMs: 0, onProgress: () => undefined };

  it('brings a table back from a file with every type, across pages of a megabyte', async () => {
    const [from, to] = [await newTable(`copy-from-${randomUUID()}`), await newTable(`copy-to-${randomUUID()}`)];
    const everything = {
      s: { S: 'Zoë 🦊\u0000' },
      n: { N: '-12345678901234567890.0000000001' },
      b: { B: Uint8Array.from([0, 1, 254, 255]) },
      bool: { BOOL: false },
      nothing: { NULL: true },
      list: { L: [{ S: 'a' }, { M: { deep: { B: Uint8Array.from([7]) } } }] },
      map: { M: { B: { S: 'a member named B' }, empty: { M: {} } } },
      ss: { SS: ['b', 'a'] },
      ns: { NS: ['2', '10'] },
      bs: { BS: [Uint8Array.from([1]), Uint8Array.from([2, 3])] },
      ttl: { N: '1800000000' },
    };
    // Three pages: a scan hands over a megabyte at a time.
    for (let n = 0; n < 12; n++) {
      const Item = { pk: { S: `p${n}` }, sk: { S: 'x' }, ...everything, filling: { S: 'x'.repeat(250_000) } };
      await client.send(new PutItemCommand({ TableName: from, Item }));
    }
    const file = join(directory, 'copy.jsonl');
    const { items, pages } = await exportTable(tableCopyStore(client, from), { ...request, file });
    expect(items).toBe(12);
    expect(pages).toBeGreaterThan(1);
    const restoring = { ...request, file, isOverwriting: false };
    expect((await importTable(tableCopyStore(client, to), restoring)).written).toBe(12);
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
    expect(await importTable(tableCopyStore(client, to), restoring)).toEqual({ written: 0, same: 12, overwritten: 0 });
  });
});

describe('training sample', () => {
  const clock = { now: () => Date.now() };
  const month = new Date().toISOString().slice(0, 7);
  const ulidEnding = (end: string) => () => `01JCM0DE00000000000000000000`.slice(0, 26 - end.length) + end;

  function table() {
    const { outputs } = localRun();
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(localRun())));
    return { client, name: outputs.TableName ?? '' };
  }

  const screened = (account: string, end: string) =>
    screenSubject(
      { ...screeningDeps(), newUlid: ulidEnding(end), samples: sampleWriter(table()) },
      callerOf(account),
      payment(),
    );

  it('keeps one of the sample, presumed legitimate, until a person says otherwise', async () => {
    const account = `acc_sample_${Date.now()}`;
    const { record } = await screened(account, '0A');
    await screened(account, 'ZZ');
    const labels = labelReader(table());
    expect(await labels.storedInMonth(account, month)).toEqual([
      expect.objectContaining({
        source: 'sample',
        label: 'legitimate',
        subject_id: `txn_${record.ulid}`,
        ttl: expect.any(Number),
      }),
    ]);
    expect(await labels.ofMonth(account, month)).toEqual([]);

    const deps = { clock, outcomes: outcomeStore(table()) };
    await reviewDecision(deps, callerOf(account), `dec_${record.ulid}`, { decision: 'block' });
    expect(await labels.storedInMonth(account, month)).toEqual([
      expect.objectContaining({ source: 'decision_review', label: 'fraud', subject_id: `txn_${record.ulid}` }),
    ]);
    const [said] = await labels.storedInMonth(account, month);
    expect(said?.ttl).toBe(Math.ceil(labelEndMs(DEFAULT_SETTINGS, record) / 1000));
    expect(await labels.ofMonth(account, month)).toHaveLength(1);
  });

  it('does not fail a screening when the sample cannot be kept', async () => {
    const deps = {
      ...screeningDeps(),
      newUlid: ulidEnding('0B'),
      samples: { keep: () => Promise.reject(new Error('throttled')) },
    };
    const { record } = await screenSubject(deps, callerOf(`acc_lost_${Date.now()}`), payment());
    expect(record.automated_decision).toBe('allow');
  });
});

describe('rotation', () => {
  const newEndpoint = () => ({
    webhook_id: `wh_${randomUUID()}`,
    url: 'https://receiver.example/hooks',
    events: ['case.created'] as const,
    label: null,
    status: 'enabled' as const,
    created_at: '2026-11-14T00:00:00.000Z',
  });

  function table() {
    const { outputs } = localRun();
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(localRun())));
    return { client, name: outputs.TableName ?? '' };
  }

  /** The administrator's view of one account only: other tests seal, too, and with whatever key their function holds. */
  function dataKeyOf(accountId: string) {
    const { dataKey } = admin();
    async function* all() {
      for await (const sealed of dataKey.sealed.all()) if (sealed.key.pk.includes(accountId)) yield sealed;
    }
    return { ...dataKey, sealed: { ...dataKey.sealed, all } };
  }

  it('a rotated data key: both versions open, everything is sealed anew, and stays readable', async () => {
    const accountId = `acc_${randomUUID()}`;
    const dataKey = dataKeyOf(accountId);
    const endpoint = newEndpoint();
    const now = Date.now();
    const record = {
      ...idempotencyClaim('POST', '/v1/webhooks', randomUUID(), { a: 1 }),
      status: 201,
      body: '{"signing_secret":"whsec_old"}',
    };
    await webhookRegistrar(table(), dataKey.sealer).insert(accountId, { endpoint, secret: 'whsec_old' }, now, record);
    const before = await dataKey.currentVersion();

    const version = await dataKey.addVersion();
    // Another instance, as a function that starts now: nothing of the old key is in its memory.
    const fresh = dataKeyOf(accountId);
    expect(await fresh.currentVersion()).toBe(version);
    const found = () => webhookSender(table(), admin().dataKey.sealer).find(accountId, endpoint.webhook_id);
    const answer = () => idempotencyStore(table(), admin().dataKey.sealer).find(accountId, record.scope, now);
    expect((await found())?.signing_secret).toBe('whsec_old');
    expect([...(await sealedByVersion(fresh))]).toEqual([[before, 2]]);

    expect(await reseal(fresh, () => undefined)).toEqual({ resealed: 2, current: 0, changedMeanwhile: 0 });
    expect([...(await sealedByVersion(fresh))]).toEqual([[version, 2]]);
    expect((await found())?.signing_secret).toBe('whsec_old');
    expect((await answer())?.body).toBe(record.body);
    expect((await reseal(fresh, () => undefined)).resealed).toBe(0);
  });

  it('leaves alone what somebody changed while it was being sealed anew', async () => {
    const { dataKey, webhookSecrets } = admin();
    const accountId = `acc_${randomUUID()}`;
    const endpoint = newEndpoint();
    await webhookRegistrar(table(), dataKey.sealer).insert(accountId, { endpoint, secret: 'whsec_first' }, Date.now());
    await dataKey.addVersion();
    const fresh = dataKeyOf(accountId);
    const rival = {
      ...fresh,
      sealed: {
        ...fresh.sealed,
        replace: async (...args: Parameters<typeof fresh.sealed.replace>) => {
          await webhookSecrets.rotate(accountId, endpoint.webhook_id, 'whsec_second', Date.now() + 60_000);
          return fresh.sealed.replace(...args);
        },
      },
    };
    expect((await reseal(rival, () => undefined)).changedMeanwhile).toBe(1);
    const kept = await webhookSender(table(), fresh.sealer).find(accountId, endpoint.webhook_id);
    expect([kept?.signing_secret, kept?.previous?.secret]).toEqual(['whsec_second', 'whsec_first']);
  });

  it('a rotated signing secret keeps the one before, and a missing endpoint is no endpoint', async () => {
    const { dataKey, webhookSecrets } = admin();
    const accountId = `acc_${randomUUID()}`;
    const endpoint = newEndpoint();
    await webhookRegistrar(table(), dataKey.sealer).insert(accountId, { endpoint, secret: 'whsec_a' }, Date.now());
    expect(await webhookSecrets.rotate(accountId, endpoint.webhook_id, 'whsec_b', 5)).toBe(true);
    const rotated = await webhookSender(table(), dataKey.sealer).find(accountId, endpoint.webhook_id);
    expect(rotated).toMatchObject({ signing_secret: 'whsec_b', previous: { secret: 'whsec_a', untilMs: 5 } });
    expect(await webhookSecrets.rotate(accountId, 'wh_none', 'whsec_c', 5)).toBe(false);
    expect(await webhookSecrets.rotate('acc_other', endpoint.webhook_id, 'whsec_c', 5)).toBe(false);
  });
});

describe('model registry', () => {
  /** The run's registry below a prefix of the test's own: the real one is used by other tests. */
  function bucketBelow(prefix: string): ObjectStore {
    const { awsEndpoint, outputs } = localRun();
    const { region, credentials } = localClient(localRun());
    const bucket = outputs.ModelRegistryBucket ?? '';
    const store = s3ObjectStore({ bucket, region, credentials, endpoint: awsEndpoint });
    return {
      get: (key, etag) => store.get(`${prefix}/${key}`, etag),
      put: (key, body, condition) => store.put(`${prefix}/${key}`, body, condition),
    };
  }

  let next = 0;
  const freshBucket = () => bucketBelow(`test-${Date.now()}-${next++}`);
  const cause = { at: '2026-11-14T09:30:00.000Z', by: 'test', reason: 'because' };

  it('begins empty, keeps what is written, and tells when nothing changed', async () => {
    const registry = modelRegistry(freshBucket());
    expect(await registry.state()).toEqual({ state: EMPTY_REGISTRY, etag: undefined });
    await registry.change((state) => register(state, 'm1', 'sandbox', cause));
    const { state, etag } = await registry.state();
    expect(state.models.map(({ version }) => version)).toEqual(['m1']);
    expect(await registry.stateSince(etag)).toBe('unchanged');
    await registry.change((before) => promote(before, 'm1', cause));
    expect(await registry.stateSince(etag)).toMatchObject({ state: { models: [{ status: 'champion' }] } });
  });

  it('loses no change of rivals', async () => {
    const registry = modelRegistry(freshBucket());
    const versions = ['a', 'b', 'c', 'd', 'e'];
    const results = await Promise.allSettled(
      versions.map((version) => registry.change((state) => register(state, version, 'sandbox', cause))),
    );
    const kept = (await registry.state()).state.models.map(({ version }) => version).sort();
    // Each rival needs at most one round more than it has rivals, and has five.
    expect(results.map(({ status }) => status)).toEqual(versions.map(() => 'fulfilled'));
    expect(kept).toEqual(versions);
  });

  it('writes nothing when the change is refused, or is none', async () => {
    const bucket = freshBucket();
    const registry = modelRegistry(bucket);
    await expect(registry.change((state) => promote(state, 'nobody', cause))).rejects.toThrow(/no model nobody/);
    await registry.change((state) => state);
    expect(await bucket.get(STATE_KEY)).toBeUndefined();
  });

  it('never overwrites a version', async () => {
    const registry = modelRegistry(freshBucket());
    const files = { artefact: Buffer.from([1, 2, 3]), text: 'tree', metadata: '{"a":1}', evaluation: '{}' };
    await registry.store('m1', files);
    await registry.store('m1', { ...files, metadata: '{"a":2}' });
    expect(Buffer.from(await registry.file('m1', 'metadata')).toString()).toBe('{"a":1}');
    expect([...(await registry.file('m1', 'artefact'))]).toEqual([1, 2, 3]);
    await expect(registry.file('m2', 'artefact')).rejects.toThrow('models/m2/artefact.bin');
  });

  it('refuses a document of another format rather than misread it', async () => {
    const bucket = freshBucket();
    await bucket.put(STATE_KEY, '{"format":2}');
    await expect(modelRegistryReader(bucket).state()).rejects.toThrow(/format 2/);
  });
});
