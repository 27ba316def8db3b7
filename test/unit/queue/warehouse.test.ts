import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { parquetReadObjects } from 'hyparquet';
import { type Firehose, firehose } from '../../../local/aws/firehose';
import { caseRow, outcomeRow, reviewRow } from '../../../shared/domain/warehouse/warehouse-rows';
import {
  WAREHOUSE_TABLE_NAMES,
  WAREHOUSE_TABLES,
  type WarehouseRow,
} from '../../../shared/domain/warehouse/warehouse-tables';
import { warehouseStreams } from '../../../shared/queue/warehouse-streams';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import type { ChangeRecord } from '../../../shared/store/sdk/change-record';
import { readWarehouseRows } from '../../../shared/store/warehouse/read-warehouse-rows';
import { shopInMemory } from '../../support/shop-in-memory';
import { callerOf } from '../../support/traffic/payment';

const NOW = Date.parse('2026-11-18T09:30:00Z');
const STREAMS = { decisions: 's-decisions', outcomes: 's-outcomes', cases: 's-cases' };

/** The resources of the template that the local Firehose reads. */
const ofType = (type: string) =>
  WAREHOUSE_TABLE_NAMES.map((table) =>
    type === 'AWS::Glue::Table'
      ? {
          properties: {
            TableInput: {
              Name: `raw_${table}`,
              StorageDescriptor: {
                Columns: Object.entries(WAREHOUSE_TABLES[table]).map(([Name, [Type]]) => ({ Name, Type })),
              },
            },
          },
        }
      : {
          ref: STREAMS[table],
          properties: {
            ExtendedS3DestinationConfiguration: {
              Prefix: `${table}/dt=!{timestamp:yyyy-MM-dd}/hour=!{timestamp:HH}/`,
              ErrorOutputPrefix: `errors/!{firehose:error-output-type}/${table}/`,
              DataFormatConversionConfiguration: { SchemaConfiguration: { TableName: `raw_${table}` } },
            },
          },
        },
  );

type Answer = (input: {
  readonly Records: readonly object[];
}) => { readonly status: number; readonly body: object } | undefined;

/** A Firehose on this machine, whose answers a test may replace. */
async function withFirehose(
  answer: Answer,
  run: (world: {
    put(rows: readonly WarehouseRow[]): Promise<void>;
    local: Firehose;
    folder: string;
    calls: number[];
  }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-'));
  const local = firehose({ ofType } as never, folder, () => NOW);
  const calls: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const input = JSON.parse(Buffer.concat(chunks).toString());
    calls.push(input.Records.length);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const { status, body } = answer(input) ?? { status: 200, body: local.answer(operation, input) };
    response.writeHead(status, { connection: 'close' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'relay', secretAccessKey: 'secret' };
  try {
    await run({ ...warehouseStreams({ endpoint, credentials, region: 'eu-west-1' }, STREAMS), local, folder, calls });
  } finally {
    local.stop();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

async function rowsIn(folder: string, table: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (const path of filesIn(folder).filter((each) => each.includes(`/${table}/dt=`))) {
    const bytes = readFileSync(path);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    rows.push(...(await parquetReadObjects({ file })));
  }
  return rows;
}

const asUsual: Answer = () => undefined;
const row = (n: number): WarehouseRow => ({ table: 'cases', values: { event_id: `case:${n}`, risk_score: n } });
const taken = (count: number, refused: readonly number[]) => ({
  FailedPutCount: refused.length,
  RequestResponses: Array.from({ length: count }, (_, at) =>
    refused.includes(at) ? { ErrorCode: 'ServiceUnavailableException' } : { RecordId: String(at) },
  ),
});

describe('the streams of the warehouse', () => {
  it('take everything that happened at once in one call per table, 500 at most', () =>
    withFirehose(asUsual, async ({ put, local, folder, calls }) => {
      await Promise.all(Array.from({ length: 1_100 }, (_, n) => put([row(n)])));
      expect(calls.sort()).toEqual([100, 500, 500]);
      local.flush();
      const rows = await rowsIn(folder, 'cases');
      expect(new Set(rows.map(({ event_id }) => event_id)).size).toBe(1_100);
      expect(filesIn(folder)[0]).toContain('cases/dt=2026-11-18/hour=09/s-cases-');
    }));

  it('get what was refused again, and only that', async () => {
    let refuses = 2;
    await withFirehose(
      ({ Records: { length } }) => (refuses-- > 0 ? { status: 200, body: taken(length, [0]) } : undefined),
      async ({ put, calls }) => {
        await Promise.all([put([row(1)]), put([row(2)]), put([row(3)])]);
        expect(calls).toEqual([3, 1, 1]);
      },
    );
  });

  it.each<[string, Answer]>([
    ['refused for good', ({ Records: { length } }) => ({ status: 200, body: taken(length, [1]) })],
    ['never answered for', () => ({ status: 200, body: { RequestResponses: [{ RecordId: '1' }] } })],
  ])('a row that is %s is relayed again, and the others are not', (_, answer) =>
    withFirehose(answer, async ({ put }) => {
      const [first, second] = await Promise.allSettled([put([row(1)]), put([row(2)])]);
      expect(first).toMatchObject({ status: 'fulfilled' });
      if (second?.status === 'rejected') expect(second.reason).toMatchObject({ code: 'unavailable' });
    }),
  );

  it('that cannot be reached make their records wait', () =>
    withFirehose(
      () => ({ status: 400, body: { __type: 'AccessDeniedException' } }),
      async ({ put }) => expect(put([row(1)])).rejects.toMatchObject({ code: 'unavailable' }),
    ));
});

describe('the rows of the warehouse', () => {
  it('say what the API says, and name nobody', () =>
    withFirehose(asUsual, async ({ put, local, folder }) => {
      const shop = shopInMemory(callerOf('acc_1'));
      const record = await shop.pay('user-secret-1', 4_000, {
        ip_address: '91.0.0.1',
        device_fingerprint: 'device-secret-1',
        custom_attributes: { email: 'jane.secret@shop.example', card_fingerprint: 'card-secret-1' },
      });
      const NewImage = marshall(screeningItem('acc_1', record), {
        removeUndefinedValues: true,
        convertClassInstanceToMap: true,
      });
      // As Lambda hands it over: bytes are base64.
      const bytes = Object.entries(NewImage).map(([name, value]) => [
        name,
        value.B ? { B: Buffer.from(value.B as Uint8Array).toString('base64') } : value,
      ]);
      const change = {
        eventName: 'INSERT',
        dynamodb: { NewImage: Object.fromEntries(bytes) },
      } as unknown as ChangeRecord;
      // Twice, as after a relay that was killed in between.
      await put(readWarehouseRows(change));
      await put(readWarehouseRows(change));
      local.flush();
      const rows = await rowsIn(folder, 'decisions');
      expect(rows).toHaveLength(2);
      expect(new Set(rows.map(({ event_id }) => event_id)).size).toBe(1);
      expect(rows[0]).toMatchObject({
        decision_id: `dec_${record.ulid}`,
        account_id: 'acc_1',
        amount: 4_000,
        currency: 'EUR',
        decision: record.automated_decision,
        risk_score: BigInt(record.risk_score),
        occurred_at: new Date(record.screened_at_ms),
      });
      expect(JSON.parse(String(rows[0]?.contributions))).toEqual(
        Object.fromEntries(record.contributions.map(({ signal, points }) => [signal, points])),
      );
      const names = ['secret', ...record.entities.map((key) => key.slice(key.indexOf('#') + 1))];
      for (const path of filesIn(folder)) {
        const bytes = readFileSync(path).toString('latin1');
        expect([path, names.filter((name) => bytes.includes(name))]).toEqual([path, []]);
      }
    }));

  it('of reviews, outcomes and cases have an id per event', () => {
    const review = {
      decision: 'block',
      analyst_id: 'ana',
      notes: 'private',
      reviewed_at: '2026-11-18T09:00:00.000Z',
    } as const;
    const record = { ulid: 'U', review, review_count: 2 } as never;
    expect(reviewRow('acc_1', record)).toMatchObject([
      { table: 'outcomes', values: { event_id: 'reviewed:U:2', label: 'fraud' } },
    ]);
    const outcome = {
      type: 'chargeback',
      source: 'p',
      subject_id: null,
      occurred_at: review.reviewed_at,
      label: 'fraud',
    };
    expect(outcomeRow('acc_1', outcome as never)).toEqual([]);
    const applied = { ...outcome, subject_id: 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB' };
    expect(outcomeRow('acc_1', applied as never)).toMatchObject([
      { values: { decision_id: 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB', event_id: 'outcome:p:chargeback' } },
    ]);
    const open = {
      ulid: 'U',
      status: 'open',
      created_at_ms: NOW,
      resolved_at: null,
      resolved_by: null,
      risk_score: 70,
      notes: 'x',
    };
    expect(caseRow('acc_1', open as never).values).toMatchObject({
      event_id: 'case:U:open',
      occurred_at: '2026-11-18 09:30:00.000',
    });
  });

  it('that a table cannot hold are kept with the errors', () =>
    withFirehose(asUsual, async ({ put, local, folder }) => {
      await put([{ table: 'cases', values: { event_id: 'case:1', risk_score: 'many' } }, row(2)]);
      local.flush();
      expect(await rowsIn(folder, 'cases')).toHaveLength(1);
      expect(filesIn(folder).filter((path) => path.includes('errors/format-conversion-failed/cases/'))).toHaveLength(1);
    }));
});
