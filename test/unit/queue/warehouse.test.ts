import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readWarehouse } from '../../../bin/warehouse/read-warehouse';
import { WAREHOUSE_QUERIES } from '../../../lib/constructs/warehouse-queries';
import type { Firehose } from '../../../local/aws/firehose';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { backtestSql } from '../../../shared/domain/warehouse/backtest-query';
import { erasedMarks } from '../../../shared/domain/warehouse/erased-people';
import { caseRow, outcomeRow, personOf, recordOfRow, reviewRow } from '../../../shared/domain/warehouse/warehouse-rows';
import { WAREHOUSE_TABLES, type WarehouseRow } from '../../../shared/domain/warehouse/warehouse-tables';
import { decisionAnswer } from '../../../shared/http/presenters/decision-answer';
import type { ChangeRecord } from '../../../shared/store/change-record';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { readParquet } from '../../../shared/store/warehouse/parquet-rows';
import { readWarehouseRows } from '../../../shared/store/warehouse/read-warehouse-rows';
import { erasedFile } from '../../../shared/store/warehouse/warehouse-files';
import { eraseFromWarehouse } from '../../../shared/usecases/personal-data/erase-from-warehouse';
import { PATIENCE_MS, relayBatch } from '../../../shared/usecases/webhooks/relay-events';
import { patient } from '../../support/patience';
import { shopInMemory } from '../../support/shop-in-memory';
import { sized } from '../../support/sized';
import { callerOf } from '../../support/traffic/payment';
import { type Answer, NOW, withWarehouse as withFirehose } from '../../support/warehouse';

// Synthesizes the warehouse and opens DuckDB.
jest.setTimeout(patient(60_000));

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

async function rowsIn(folder: string, table: string): Promise<Record<string, unknown>[]> {
  const paths = filesIn(folder).filter((each) => each.endsWith('.parquet') && each.includes(`/${table}/dt=`));
  return (await Promise.all(paths.map((path) => readParquet(readFileSync(path))))).flat();
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
  it('take everything that happened at once in one call per table, 100 at most', () =>
    withFirehose(asUsual, async ({ put, local, folder, calls }) => {
      await Promise.all(Array.from({ length: 220 }, (_, n) => put([row(n)])));
      expect(calls.sort()).toEqual([100, 100, 20]);
      local.flush();
      const rows = await rowsIn(folder, 'cases');
      expect(new Set(rows.map(({ event_id }) => event_id)).size).toBe(220);
      expect(filesIn(folder)[0]).toContain('cases/dt=2026-11-18/hour=09/fraud-screening-sandbox-cases-');
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

/** A change as Lambda hands it over: bytes are base64. */
function changeOf(now: object, before?: object): ChangeRecord {
  const image = (item: object) => {
    const options = { removeUndefinedValues: true, convertClassInstanceToMap: true };
    const all = Object.entries(marshall(item, options)).map(([name, value]) => [
      name,
      value.B ? { B: Buffer.from(value.B as Uint8Array).toString('base64') } : value,
    ]);
    return Object.fromEntries(all);
  };
  const dynamodb = { NewImage: image(now), ...(before && { OldImage: image(before) }) };
  return { eventName: before ? 'MODIFY' : 'INSERT', dynamodb } as unknown as ChangeRecord;
}

/** A decision as GET /v1/decisions/{id} shows it, without the user's ID. */
const shown = (record: ScreeningRecord) => {
  const { user_id, ...answer } = decisionAnswer(record);
  return JSON.parse(JSON.stringify(answer));
};

const chunksOf = <Of>(all: readonly Of[], size: number): Of[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

describe('a bad day', () => {
  // The short form meets every fault as well.
  const decisions = sized(10_000, 150);

  it(
    'leaves every decision, review and outcome in the views once, as the API shows it',
    async () => {
      const random = seededRandom(3);
      let isDown = false;
      let take: Firehose['answer'] = () => ({});
      /** Refuses some of a batch or all of it, or takes what it does and never says so. */
      const badDay: Answer = (input) => {
        if (isDown) return { status: 500, body: {} };
        const luck = random();
        if (luck > 0.3) return undefined;
        const refused = [...input.Records.keys()].filter(() => luck < 0.05 || random() < 0.5);
        const rest = input.Records.filter((_, at) => !refused.includes(at));
        if (rest.length > 0) take('PutRecordBatch', { ...input, Records: rest });
        return luck > 0.2 ? { status: 500, body: {} } : { status: 200, body: taken(input.Records.length, refused) };
      };
      await withFirehose(badDay, async ({ put, local, query }) => {
        take = local.answer;
        const shop = shopInMemory(callerOf('acc_1'));
        const records = new Map<string, ScreeningRecord>();
        const changes: ChangeRecord[] = [];
        for (let n = 0; n < decisions; n++) {
          shop.pass(random() * 60_000);
          const record = await shop.pay(`user-${n % 97}`, Math.ceil(random() * 90_000) / 100, {
            ip_address: '91.0.0.1',
          });
          const [subject_id, reviewed_at] = [`txn_${record.ulid}`, new Date(shop.now()).toISOString()];
          const review = { decision: n % 3 === 0 ? 'block' : 'allow', reviewed_at };
          const said = {
            source: `dp_${n}`,
            type: 'chargeback',
            label: 'fraud',
            label_in_force: 'fraud',
            amount: '1.5',
          };
          const item = screeningItem('acc_1', record);
          records.set(`dec_${record.ulid}`, record);
          changes.push(
            changeOf(item),
            changeOf({ ...item, review, review_count: 1 }, item),
            changeOf({
              ...{ ...said, pk: 'x', entity: 'outcome', account_id: 'acc_1', subject_id },
              ...{ occurred_at: reviewed_at, recorded_at_ms: shop.now() },
            }),
          );
        }
        const find = async (_: string, ulid: string) => records.get(`dec_${ulid}`);
        const rows = { screenings: { find }, person: personOf('pseudonym') };
        const late: ChangeRecord[] = [];
        const warehouse = { put: async (raw: ChangeRecord) => put(await readWarehouseRows(rows, raw)) };
        const deps = {
          ...{ warehouse, read: () => undefined, report: () => undefined, queue: { send: async () => 0 } },
          setAside: async (raw: ChangeRecord) => void late.push(raw),
        };
        for (const [number, batch] of chunksOf(changes, 100).entries()) {
          let left = batch.map((raw, at) => ({ sequence: String(at), committedAtMs: NOW, raw }));
          for (let handed = 0; left.length > 0; handed++) {
            // At least one of each, whatever the dice say.
            const isKilled = handed === 0 && (number === 1 || random() < 0.1);
            isDown = handed === 0 && !isKilled && (number === 3 || random() < 0.1);
            const clock = { now: () => NOW + (isDown ? PATIENCE_MS : 0) };
            const { failed } = await relayBatch({ ...deps, clock } as never, isKilled ? left.slice(0, 50) : left);
            // Nobody hears how far it came: the stream hands all of it over again.
            if (!isKilled) left = left.filter(({ sequence }) => failed.includes(sequence));
          }
          local.flush();
        }
        isDown = false;
        const setAside = late.length;
        for (let raw = late.pop(); raw; raw = late.pop())
          await warehouse.put(raw).catch(() => late.push(raw as ChangeRecord));
        local.flush();
        const found = async (sql: string) => {
          const { names, rows: cells } = await query(sql);
          return cells.map((row) => Object.fromEntries(row.map((value, at) => [names[at], value])));
        };
        const kept = await found('SELECT * FROM decisions');
        expect(kept.map((row) => shown(recordOfRow(row))).sort(byId)).toEqual(
          [...records.values()].map(shown).sort(byId),
        );
        const ended = await found('SELECT event_id, kind, label, user_pseudonym FROM outcomes');
        const fraud = ended.filter(({ kind, label }) => kind === 'review' && label === 'fraud');
        expect([ended.length, new Set(ended.map(({ event_id }) => event_id)).size]).toEqual([
          2 * decisions,
          2 * decisions,
        ]);
        expect([fraud.length, ended.filter(({ user_pseudonym }) => !user_pseudonym)]).toEqual([
          Math.ceil(decisions / 3),
          [],
        ]);
        // There was something to lose, and to find twice.
        const [raw] = await found(
          'SELECT (SELECT count(*) FROM raw_decisions) + (SELECT count(*) FROM raw_outcomes) AS n',
        );
        expect(Number(raw?.n)).toBeGreaterThan(3 * decisions);
        expect(setAside).toBeGreaterThan(0);
      });
    },
    patient(sized(900_000, 180_000)),
  );
});

const byId = (a: { readonly decision_id: string }, b: { readonly decision_id: string }): number =>
  a.decision_id < b.decision_id ? -1 : 1;

describe('the rows of the warehouse', () => {
  it('say what the API says, and name people by pseudonym', () =>
    withFirehose(asUsual, async ({ put, local, folder }) => {
      const shop = shopInMemory(callerOf('acc_1'));
      const record = await shop.pay('user-secret-1', 4_000, {
        ip_address: '91.0.0.1',
        device_fingerprint: 'device-secret-1',
        custom_attributes: { email: 'jane.secret@shop.example', card_fingerprint: 'card-secret-1' },
      });
      const change = changeOf(screeningItem('acc_1', record));
      // Twice, as after a relay that was killed in between.
      const rowsOf = () =>
        readWarehouseRows({ screenings: { find: async () => undefined }, person: personOf('pseudonym') }, change);
      await put(await rowsOf());
      await put(await rowsOf());
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
      expect(rows[0]).toMatchObject({ user_pseudonym: record.entities[0]?.slice('user#'.length), user_id: null });
      // As rules are tested on it.
      const again = recordOfRow(rows[0] ?? {});
      const { vector, observed, entities, screened_at_ms } = record;
      expect(again).toMatchObject({ entities, screened_at_ms });
      expect([again.vector, again.observed].map(String)).toEqual([vector, observed].map(String));
      expect(shown(again)).toEqual(shown(record));
      const names = ['secret'];
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
    expect(reviewRow('acc_1', record, () => ({}))).toMatchObject([
      { table: 'outcomes', values: { event_id: 'reviewed:U:2', label: 'fraud' } },
    ]);
    const outcome = {
      type: 'chargeback',
      source: 'p',
      subject_id: null,
      occurred_at: review.reviewed_at,
      recorded_at_ms: NOW,
      label: 'fraud',
      label_in_force: 'legitimate',
    };
    expect(outcomeRow('acc_1', outcome as never)).toEqual([]);
    const applied = { ...outcome, subject_id: 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB' };
    expect(outcomeRow('acc_1', applied as never)).toMatchObject([
      { values: { decision_id: 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB', event_id: 'outcome:p:chargeback' } },
    ]);
    const left = { label: 'fraud', label_in_force: 'legitimate', recorded_at: '2026-11-18 09:30:00.000' };
    expect(outcomeRow('acc_1', applied as never)).toMatchObject([{ values: left }]);
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

/** The bytes of every file, and what compressed or encoded bytes stand for. */
async function contentsOf(folder: string): Promise<string[]> {
  const all = filesIn(folder).map(async (path) => {
    const bytes = readFileSync(path);
    const plain = path.endsWith('.parquet')
      ? JSON.stringify(await readParquet(bytes), (_, value) => (typeof value === 'bigint' ? String(value) : value))
      : [...bytes.toString().matchAll(/"rawData":"([^"]+)"/g)].map(([, raw = '']) => atob(raw)).join();
    return `${bytes.toString('latin1')} ${plain}`;
  });
  return Promise.all(all);
}

const OCCURRED = '2026-11-18 09:00:00.000';
const about = (user: string, more: object): object => ({
  account_id: 'acc_1',
  occurred_at: OCCURRED,
  user_pseudonym: user,
  ...more,
});
const decided = (n: number, user: string, more: object = {}): WarehouseRow => ({
  table: 'decisions',
  values: about(user, {
    event_id: `decided:${n}`,
    decision_id: `dec_${n}`,
    subject_type: 'transaction',
    amount: 10.5,
    amount_usd: 10.5,
    risk_score: n,
    decision: n % 2 === 0 ? 'allow' : 'review',
    rules: n % 2 === 0 ? '[]' : '["gift_cards","new_user"]',
    signals: n % 2 === 0 ? '[]' : '["new_device"]',
    ...{ lists: '[]', counters: '{}', contributions: '{}', stored: '{}', decided_by_kind: 'score' },
    ...more,
  }) as WarehouseRow['values'],
});
const ended = (n: number, user: string, label: string): WarehouseRow => ({
  table: 'outcomes',
  values: about(user, {
    event_id: `outcome:${n}`,
    decision_id: `dec_${n}`,
    kind: 'outcome',
    type: 'chargeback',
    label,
    label_in_force: label,
    recorded_at: OCCURRED,
  }) as WarehouseRow['values'],
});
const resolved = (n: number, user: string): WarehouseRow => ({
  table: 'cases',
  values: about(user, {
    event_id: `case:${n}:approved`,
    case_id: `case_${n}`,
    decision_id: `dec_${n}`,
    status: 'approved',
    opened_at: '2026-11-18 08:30:00.000',
    resolved_by: 'ana',
  }) as WarehouseRow['values'],
});

describe('the files of the warehouse, read by DuckDB as Athena reads them', () => {
  it('have the columns, types and partitions that Glue says', () =>
    withFirehose(asUsual, async ({ put, local, query }) => {
      const [before] = (await query('SELECT count(*) FROM decisions')).rows;
      expect(before).toEqual(['0']);
      await put([decided(1, 'u1'), ended(1, 'u1', 'fraud'), resolved(1, 'u1')]);
      local.flush();
      for (const [table, columns] of Object.entries(WAREHOUSE_TABLES)) {
        const names = [...Object.keys(columns), 'dt', 'hour'];
        const types = await query(`SELECT ${names.map((name) => `typeof(${name}) AS ${name}`)} FROM raw_${table}`);
        const duck: Record<string, string> = { string: 'VARCHAR' };
        const expected = [
          ...Object.values(columns).map(([type]) => duck[type] ?? type.toUpperCase()),
          'VARCHAR',
          'VARCHAR',
        ];
        expect([table, types.names, types.rows]).toEqual([table, names, [expected]]);
        const where = await query(`SELECT dt, hour, "$path" FROM raw_${table} WHERE dt = '2026-11-18'`);
        const path = expect.stringMatching(
          `^s3://[^/]+/${table}/dt=2026-11-18/hour=09/fraud-screening-sandbox-${table}`,
        );
        expect(where.rows).toEqual([['2026-11-18', '09', path]]);
      }
    }));

  it('a file outside of what projection knows is not found, and a row that is there twice is in the view once', () =>
    withFirehose(asUsual, async ({ put, local, query, files, folder }) => {
      await put([decided(1, 'u1'), decided(1, 'u1'), decided(2, 'u2')]);
      local.flush();
      await put([decided(1, 'u1')]);
      local.flush();
      const [file = ''] = filesIn(folder).flatMap((path) => /decisions\/.*/.exec(path) ?? []);
      await files.write('decisions/dt=2026-11-18/hour=24/odd.parquet', await files.read(file));
      expect((await query('SELECT count(*) FROM raw_decisions')).rows).toEqual([['4']]);
      expect((await query('SELECT event_id, count(*) FROM decisions GROUP BY 1 ORDER BY 1')).rows).toEqual([
        ['decided:1', '1'],
        ['decided:2', '1'],
      ]);
    }));

  it('has thousands of files, as a local run writes one per second', () =>
    withFirehose(asUsual, async ({ put, local, query, folder }) => {
      await put([row(1)]);
      local.flush();
      const [file = ''] = filesIn(folder);
      for (let n = 0; n < 1_000; n++) copyFileSync(file, file.replace('.parquet', `-${n}.parquet`));
      expect((await query('SELECT count(*) FROM raw_cases')).rows).toEqual([['1001']]);
    }));

  it('answer the six saved queries', () =>
    withFirehose(asUsual, async ({ put, local, query }) => {
      await put([1, 2, 3, 4].map((n) => decided(n, `u${n}`)));
      await put([ended(2, 'u2', 'fraud'), ended(3, 'u3', 'fraud'), ended(1, 'u1', 'legitimate'), resolved(1, 'u1')]);
      local.flush();
      const answers = new Map<string, unknown>();
      for (const { name, sql } of WAREHOUSE_QUERIES) answers.set(name, (await query(sql)).rows);
      expect(Object.fromEntries(answers)).toEqual({
        'approval-rate-by-day': [['2026-11-18', '4', '50.0', '21.0']],
        'precision-of-rules': expect.arrayContaining([
          ['gift_cards', '2', '2', '1', '50.0'],
          ['new_user', '2', '2', '1', '50.0'],
        ]),
        'missed-fraud': [['dec_2', '2026-11-18 09:00:00', '2', '10.5', '[]']],
        'signals-of-chargebacks': [['new_device', '2', '2']],
        reviewers: [['ana', '1', '0.0', '30.0']],
        'cost-per-decision': [['4', '2', '10.5', '2625.0', '1250.0']],
      });
    }));
});

describe('how a decision ended', () => {
  /** An outcome or review and what it left, an hour after the one before it. */
  const said = (n: number, hour: number, kind: string, [label, label_in_force]: [string, string]): WarehouseRow => ({
    table: 'outcomes',
    values: {
      ...ended(n, `u${n}`, label).values,
      ...{ event_id: `${kind}:${n}:${hour}`, kind, label_in_force, recorded_at: `2026-11-18 0${hour}:00:00.000` },
    },
  });

  it('the last review says, and without one the last outcome: not everything that was ever said', () =>
    withFirehose(asUsual, async ({ put, local, query, folder }) => {
      await put([1, 2, 3, 4].map((n) => decided(n * 2, `u${n * 2}`)));
      await put([
        // Called fraud by mistake, and corrected; a late chargeback changes nothing.
        said(2, 1, 'review', ['fraud', 'fraud']),
        said(2, 2, 'review', ['legitimate', 'legitimate']),
        said(2, 3, 'outcome', ['fraud', 'legitimate']),
        // A dispute that was won.
        said(4, 1, 'outcome', ['fraud', 'fraud']),
        said(4, 2, 'outcome', ['none', 'none']),
        // A processor's word after the chargeback.
        said(6, 1, 'outcome', ['fraud', 'fraud']),
        said(6, 2, 'outcome', ['none', 'fraud']),
      ]);
      local.flush();
      const missed = WAREHOUSE_QUERIES.find(({ name }) => name === 'missed-fraud')?.sql ?? '';
      expect((await query(missed)).rows.map(([id]) => id)).toEqual(['dec_6']);
      const about = { account_id: 'acc_1', request: { expression: 'true', action: 'review' as const } };
      const tested = await query(backtestSql(about, NOW - 86_400_000));
      const at = (name: string) => tested.names.indexOf(name);
      const labels = tested.rows.map((cells) => [cells[at('decision_id')], cells[at('label')]] as const);
      expect(Object.fromEntries(labels)).toEqual({ dec_2: 'legitimate', dec_4: 'none', dec_6: 'fraud', dec_8: null });
      const kept = (await readWarehouse(folder)).get('acc_1') ?? [];
      expect(Object.fromEntries(kept.map(({ record, label }) => [record.ulid, label]))).toEqual({
        ...{ 2: 'legitimate', 4: undefined, 6: 'fraud', 8: undefined },
      });
    }));
});

describe('somebody who is erased', () => {
  const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const nameOf = (by: readonly Buffer[], user: string) => pseudonymsBy(by).of('acc_1', 'user', user);
  const [old, current, other] = [nameOf(keys.slice(0, 1), 'jane'), nameOf(keys, 'jane'), nameOf(keys, 'john')] as const;

  it('is hidden at once, and then in no byte of any file; others and what came later stay', () =>
    withFirehose(asUsual, async ({ put, local, query, files, objects, folder, erasing }) => {
      await put([
        // As with `-c warehouseUsers=plain`.
        decided(1, current, { user_id: 'jane in plain' }),
        decided(2, other),
        decided(3, old),
        ended(1, current, 'fraud'),
        resolved(3, old),
      ]);
      await put([
        decided(4, current, { occurred_at: '2026-11-18 10:00:00.000' }),
        decided(5, current, { amount: 'many' }),
      ]);
      local.flush();
      const ids = async (table: string) => (await query(`SELECT decision_id FROM ${table} ORDER BY 1`)).rows.flat();
      expect(await ids('decisions')).toEqual(['dec_1', 'dec_2', 'dec_3', 'dec_4']);
      // She is not known under the first key alone: rows of before its rotation have her older pseudonym.
      await erasedFile(objects).hide('era_1', erasedMarks('acc_1', 'jane', pseudonymsBy(keys), NOW));
      expect([await ids('decisions'), await ids('outcomes'), await ids('cases')]).toEqual([['dec_2', 'dec_4'], [], []]);
      await files.write('query-results/old.csv', Buffer.from(current));
      const traces = [...['dec_1', 'dec_3', 'dec_5'].map((id) => `"${id}"`), old, current, 'jane in plain'];
      const tracesIn = async () => {
        const contents = await contentsOf(folder);
        return traces.map((trace) => contents.filter((content) => content.includes(trace)).length);
      };
      expect(await tracesIn()).toEqual([2, 2, 1, 2, 4, 1]);
      const deps = erasing(NOW + 2 * 86_400_000);
      expect(await eraseFromWarehouse(deps, Number.POSITIVE_INFINITY)).toMatchObject({ isDone: true, rewritten: 3 });
      expect([await ids('raw_decisions'), await ids('raw_outcomes')]).toEqual([['dec_2', 'dec_4'], []]);
      // dec_4 is hers, of after the request.
      expect(await tracesIn()).toEqual([0, 0, 0, 0, 1, 0]);
      // Twice per day is enough.
      expect(await eraseFromWarehouse(deps, Number.POSITIVE_INFINITY)).toBeUndefined();
    }));

  it('a record that comes late is found by the next run, and files do not outlive their days', () =>
    withFirehose(asUsual, async ({ put, local, objects, folder, query, erasing }) => {
      await erasedFile(objects).hide('era_1', erasedMarks('acc_1', 'jane', pseudonymsBy(keys), NOW));
      await eraseFromWarehouse(erasing(NOW), Number.POSITIVE_INFINITY);
      await put([decided(1, current), decided(2, other)]);
      local.flush();
      expect((await query('SELECT decision_id FROM decisions')).rows).toEqual([['dec_2']]);
      const next = await eraseFromWarehouse(erasing(NOW + 12 * 3_600_000), Number.POSITIVE_INFINITY);
      expect(next).toMatchObject({ rewritten: 1, removed: 0, isDone: true });
      expect((await query('SELECT decision_id FROM raw_decisions')).rows).toEqual([['dec_2']]);
      const later = await eraseFromWarehouse(erasing(NOW + 732 * 86_400_000), Number.POSITIVE_INFINITY);
      expect(later).toMatchObject({ removed: 1 });
      expect(filesIn(folder).filter((path) => path.includes('/decisions/'))).toEqual([]);
    }));
});
