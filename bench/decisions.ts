import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { DEFAULT_SETTINGS } from '../shared/domain/accounts/account';
import { transactionSubject } from '../shared/domain/screening/subjects/attempt-of';
import { newUlid } from '../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS, SCREENING_STAND_INS } from '../shared/runtime/stand-ins/screening-stand-ins';
import { HISTORY_INDEX } from '../shared/store/keys';
import { memoryStore } from '../shared/store/memory/memory-store';
import { HISTORY_PROJECTION } from '../shared/store/screening/decision-listing';
import { decisionLists } from '../shared/store/screening/decision-lists';
import { screeningItem } from '../shared/store/screening/screening-store';
import { listDecisions } from '../shared/usecases/screening/list-decisions';
import { screenSubject } from '../shared/usecases/screening/screen-subject';
import { startLocalTable } from './support/local-table';
import type { Measurement } from './support/measurement';

const PAGE = 20;
const PAGES = 100;
const TABLE = 'decisions';
const MINUTE_MS = 60_000;
const START_MS = Date.parse('2026-11-01T00:00:00Z');
const USER = 'user-42';
const SETTINGS = { ...DEFAULT_SETTINGS, review_threshold: 101, block_threshold: 101 };
const caller = { account_id: 'acc_01K9ZC3V5T8QJ4M2N6P7R8S9TB', key_id: 'k', settings: SETTINGS };

type Consumed = { readonly CapacityUnits?: number };

/** Counts the units of every request that a client sends. */
function meter(client: DynamoDBClient): { units: number } {
  const meter = { units: 0 };
  client.middlewareStack.add(
    (next) => async (args) => {
      (args.input as { ReturnConsumedCapacity?: string }).ReturnConsumedCapacity = 'TOTAL';
      const result = await next(args);
      const { ConsumedCapacity: consumed = [] } = result.output as { ConsumedCapacity?: Consumed | Consumed[] };
      for (const { CapacityUnits = 0 } of [consumed].flat()) meter.units += CapacityUnits;
      return result;
    },
    { step: 'initialize', name: 'consumed' },
  );
  return meter;
}

/** Screenings of one user by the real use case, on a store in memory: what they store is what is measured. */
async function* screenings(count: number, keepHistory: boolean) {
  const memory = memoryStore();
  for (let at = 0; at < count; at++) {
    const { entities, claims, screenings } = memory;
    const clock = { now: () => START_MS + at * MINUTE_MS };
    const deps = { ...SCREENING_STAND_INS, entities, claims, screenings, clock, newUlid };
    const payment = {
      ...{ user_id: USER, amount: 20 + (at % 50), currency: 'EUR', ip_address: '203.0.113.7' },
      ...{ device_fingerprint: 'fp_3f9c2a', payment_method: 'card' as const },
      custom_attributes: { card_fingerprint: 'card_8812', email: 'user-42@shop.example' },
    };
    const settings = keepHistory ? SETTINGS : { ...SETTINGS, keep_history: false };
    yield (await screenSubject(deps, { ...caller, settings }, transactionSubject(payment))).record;
  }
}

export async function run(): Promise<Measurement[]> {
  const history = {
    IndexName: HISTORY_INDEX,
    KeySchema: [
      { AttributeName: 'history_pk', KeyType: 'HASH' as const },
      { AttributeName: 'ulid', KeyType: 'RANGE' as const },
    ],
    Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...HISTORY_PROJECTION] },
  };
  const { client, stop } = await startLocalTable(TABLE, [history]);
  try {
    const spent = meter(client);
    const table = {
      client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
      name: TABLE,
    };
    const store = async (count: number, keepHistory: boolean): Promise<number> => {
      spent.units = 0;
      for await (const record of screenings(count, keepHistory)) {
        const Item = screeningItem(caller.account_id, record);
        await table.client.send(new PutCommand({ TableName: TABLE, Item }));
      }
      return spent.units / count;
    };
    const [without, withIndex] = [await store(PAGE, false), await store(PAGE * PAGES, true)];
    const nowMs = START_MS + PAGE * PAGES * MINUTE_MS;
    // Cases are only read for decisions under review.
    const deps = { clock: { now: () => nowMs }, pseudonyms: () => PUBLIC_PSEUDONYMS, decisions: decisionLists(table) };
    const perPage: number[] = [];
    for (let cursor: string | undefined; perPage.length < PAGES; ) {
      spent.units = 0;
      const filter = { user_id: USER, limit: PAGE, cursor };
      const page = await listDecisions({ ...deps, cases: undefined as never }, caller, filter);
      if (page.decisions.length !== PAGE)
        throw new Error(`page ${perPage.length + 1} has ${page.decisions.length} rows`);
      perPage.push(spent.units);
      cursor = page.nextCursor ?? undefined;
    }
    const [first = 0, last = 0] = [perPage[0], perPage[PAGES - 1]];
    if (last > first * 1.1 || withIndex - without > 1) process.exitCode = 1;
    const about = `of ${PAGE} decisions of a user, in read units`;
    return [
      { what: `page 1 ${about}`, found: first.toFixed(1) },
      { what: `page ${PAGES} ${about}`, found: last.toFixed(1), aim: 'as page 1' },
      { what: 'storing a result without a history, in write units', found: without.toFixed(2) },
      {
        what: 'storing a result that its user leads to, in write units',
        found: withIndex.toFixed(2),
        aim: 'at most 1 more',
      },
    ];
  } finally {
    await stop();
  }
}
