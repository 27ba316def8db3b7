import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { exportTable, importTable } from '../../bin/admin/backup/copy-table';
import { localClient } from '../../shared/runtime/admin-wiring';
import { tableCopyStore } from '../../shared/store/table-copy-store';
import { localRun } from '../support/local-run';

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
