import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { DEFAULT_SETTINGS } from '../shared/domain/accounts/account';
import { classOf } from '../shared/domain/cases/case-tally';
import { CASE_LIFE_MS, type ReviewCase } from '../shared/domain/cases/review-case';
import { newUlid } from '../shared/runtime/ids';
import { counterName, dayName, hourName, shardOf, tallyPosition } from '../shared/store/cases/case-index';
import { caseLister } from '../shared/store/cases/case-store';
import { caseListPk, dayTallyPk, dayTallySk, hourTallyKey } from '../shared/store/keys';
import { listCases } from '../shared/usecases/cases/list-cases';
import { startLocalTable } from './support/local-table';
import type { Measurement } from './support/measurement';

const CASES = 100_000;
const DAYS = 25;
const ACCOUNT = 'acc_01K9ZC3V5T8QJ4M2N6P7R8S9TB';
const TABLE = 'cases';
const NOW_MS = Date.parse('2026-11-14T12:00:00Z');
const caller = { account_id: ACCOUNT, key_id: 'k', settings: DEFAULT_SETTINGS };

type Item = Record<string, unknown>;

/** The items of this many cases, spread evenly over the days: a fifth of each day's are resolved. */
function seedItems(): Item[] {
  const tallies = new Map<string, Item>();
  const count = (key: { pk: string; sk: string }, name: string) => {
    const id = `${key.pk} ${key.sk}`;
    const item = tallies.get(id) ?? { ...key };
    item[name] = ((item[name] as number | undefined) ?? 0) + 1;
    tallies.set(id, item);
  };
  const entries = Array.from({ length: CASES }, (_, i): Item => {
    const createdMs = NOW_MS - Math.floor((i * DAYS * 86_400_000) / CASES);
    const ulid = newUlid(createdMs);
    const status: ReviewCase['status'] = i % 10 === 0 ? 'approved' : i % 10 === 1 ? 'rejected' : 'open';
    const { dayMs, hour, hourMs, minute } = tallyPosition(ulid);
    const [day, shard] = [dayName(dayMs), shardOf(ulid)];
    count({ pk: dayTallyPk(ACCOUNT, shard), sk: dayTallySk(day) }, counterName(classOf(status), hour));
    count(hourTallyKey(ACCOUNT, shard, day, hourName(hourMs)), counterName(classOf(status), minute));
    const entry = {
      sk: ulid,
      entity: 'case-entry',
      ulid,
      subject_type: 'transaction',
      user_id: `user-${i % 5_000}`,
      status,
      risk_score: 60 + (i % 25),
      signals: ['velocity_spike', 'new_device'],
      created_at_ms: createdMs,
      resolved_at: status === 'open' ? null : new Date(createdMs + 3_600_000).toISOString(),
      resolved_by: status === 'open' ? null : 'ana',
      notes: null,
      ttl: Math.ceil(createdMs / 1000) + 90 * 86_400,
    };
    return { ...entry, pk: caseListPk(ACCOUNT, day, shard, classOf(status)) };
  });
  return [...entries, ...tallies.values()];
}

async function seed(client: DynamoDBClient): Promise<void> {
  const items = seedItems();
  for (let at = 0; at < items.length; at += 25) {
    const puts = items.slice(at, at + 25).map((item) => ({ PutRequest: { Item: marshall(item) } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TABLE]: puts } }));
    if (at % 5_000 === 0) process.stderr.write(`\rseeding ${Math.round((100 * at) / items.length)}%`);
  }
  process.stderr.write('\r');
}

export async function run(): Promise<Measurement[]> {
  const { client: base, stop } = await startLocalTable(TABLE);
  try {
    await seed(base);
    let units = 0;
    // Every read reports its cost.
    base.middlewareStack.add(
      (next) => async (args) => {
        (args.input as { ReturnConsumedCapacity?: string }).ReturnConsumedCapacity = 'TOTAL';
        const result = await next(args);
        units +=
          (result.output as { ConsumedCapacity?: { CapacityUnits?: number } }).ConsumedCapacity?.CapacityUnits ?? 0;
        return result;
      },
      { step: 'initialize', name: 'consumed' },
    );
    const cases = caseLister({ client: DynamoDBDocumentClient.from(base), name: TABLE });
    const deps = { clock: { now: () => NOW_MS + 1 }, cases };
    const cost = async (status: ReviewCase['status'] | undefined, offset: number) => {
      units = 0;
      const page = await listCases(deps, caller, { status, limit: 20, offset });
      return { units, total: page.total, shown: page.cases.length };
    };
    console.log(`${CASES} cases over ${DAYS} days; those of the last ${CASE_LIFE_MS / 86_400_000} are open`);
    console.log('status     offset    total  shown  read units  × first page');
    let worst = 0;
    for (const status of [undefined, 'open', 'approved', 'rejected', 'expired'] as const) {
      const first = await cost(status, 0);
      for (const offset of [0, 1_000, 90_000].map((wanted) => Math.min(wanted, Math.max(0, first.total - 20)))) {
        const { units: spent, total, shown } = await cost(status, offset);
        const row = [
          (status ?? 'all').padEnd(9),
          String(offset).padStart(7),
          String(total).padStart(8),
          String(shown).padStart(6),
        ];
        console.log([...row, spent.toFixed(1).padStart(11), (spent / first.units).toFixed(2).padStart(13)].join(' '));
        worst = Math.max(worst, spent / first.units);
      }
    }
    if (worst > 3) process.exitCode = 1;
    return [{ what: 'last page of cases × the first, in read units', found: worst.toFixed(2), aim: '≤ 3' }];
  } finally {
    await stop();
  }
}
