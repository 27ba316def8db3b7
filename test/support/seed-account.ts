import { type AttributeValue, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type Caller, DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import { NO_DECLARATIONS } from '../../shared/domain/declarations/declaration';
import { userOf } from '../../shared/domain/entities/entity-ref';
import type { Pseudonyms } from '../../shared/domain/entities/pseudonyms';
import { seededRandom } from '../../shared/domain/models/seeded-random';
import { NO_COUNTERS } from '../../shared/domain/rules/compile-counters';
import { NO_MATCHES } from '../../shared/domain/rules/rule-set';
import { type Subject, transactionSubject } from '../../shared/domain/screening/subjects/attempt-of';
import { linkedEntities } from '../../shared/domain/screening/subjects/record-members';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../shared/runtime/ids';
import { SCREENING_STAND_INS } from '../../shared/runtime/stand-ins/screening-stand-ins';
import { openCaseItems } from '../../shared/store/cases/case-items';
import { outcomeStore } from '../../shared/store/cases/outcome-store';
import { entityKey, linkKey } from '../../shared/store/keys';
import { LINK_LIFE_MS } from '../../shared/store/links/link-store';
import { memoryStore } from '../../shared/store/memory/memory-store';
import { screeningItem } from '../../shared/store/screening/screening-store';
import { plainItem } from '../../shared/store/sdk/attribute-value';
import type { Table } from '../../shared/store/sdk/client';
import { resolveCase } from '../../shared/usecases/cases/record-outcome';
import { openCase } from '../../shared/usecases/screening/effects/result';
import { screenSubject } from '../../shared/usecases/screening/screen-subject';
import type { KnownRules, ScreeningRules } from '../../shared/usecases/screening/sources/rules';

/** How much to make up, and when it ends. */
export interface SeedPlan {
  readonly cases: number;
  readonly users: number;
  readonly nowMs: number;
}

/** A payment that ends in review. */
export interface SeededAttempt {
  readonly atMs: number;
  readonly subject: Subject;
  /** The analyst's finding, of the few that were looked at already. */
  readonly found?: 'approved' | 'rejected';
}

const DAY_MS = 86_400_000;
/** Open cases live for a week. */
const SPAN_MS = 6 * DAY_MS;

export const TESTER_CASES = 11;
export const TESTER_DEVICE = 'tester-tablet';
/** Whose payment with the tester's device turned out to be fraud. */
export const FRAUD_USER = 'user-fraud';

const CURRENCIES = ['EUR', 'USD', 'GBP'] as const;

/** The device and address of a user: some share a device at home, and every fifth sits in one large office. */
function ownThings(number: number) {
  const home = Math.floor(number / 3);
  return {
    device_fingerprint: `device-${number % 3 === 2 ? `home-${home}` : number}`,
    ip_address: number % 5 === 0 ? '198.51.100.7' : `203.0.${Math.floor(number / 250)}.${(number % 250) + 1}`,
    card_fingerprint: `card-${number}`,
    email: `user-${number}@shop.example`,
  };
}

const payment = (user_id: string, amount: number, currency: string, things: ReturnType<typeof ownThings>): Subject => {
  const { card_fingerprint, email, ...where } = things;
  return transactionSubject({ user_id, amount, currency, ...where, custom_attributes: { card_fingerprint, email } });
};

export const userId = (number: number): string => `user-${String(number + 1).padStart(3, '0')}`;

/**
 * A made-up week: payments of ordinary users, a confirmed fraud, and at the end a card tester who tries eleven stolen
 * cards from the same device within a few minutes. The same plan gives the same week.
 */
export function* seededAttempts({ cases, users, nowMs }: SeedPlan): Generator<SeededAttempt> {
  const random = seededRandom(cases * 1_000 + users);
  const ordinary = Math.max(0, cases - TESTER_CASES - 1);
  const startMs = nowMs - SPAN_MS;
  const lastMs = nowMs - 30 * MINUTE_MS;
  const tester = { device_fingerprint: TESTER_DEVICE, ip_address: '192.0.2.66' };
  const fraud = { ...tester, card_fingerprint: 'card-stolen-0', email: 'fraud@shop.example' };
  yield { atMs: startMs, subject: payment(FRAUD_USER, 890, 'EUR', fraud), found: 'rejected' };
  for (let number = 0; number < ordinary; number++) {
    const user = Math.floor(random() * users);
    const amount = Math.round(Math.exp(3 + 2 * random()) * 100) / 100;
    const atMs = Math.floor(startMs + ((number + 1) / (ordinary + 1)) * (lastMs - startMs));
    const currency = CURRENCIES[user % CURRENCIES.length] ?? 'EUR';
    // One in fifty of the older ones was decided.
    const isDone = number % 50 === 7 && number < ordinary / 2;
    const found = isDone ? ({ found: random() < 0.4 ? 'rejected' : 'approved' } as const) : {};
    yield { atMs, subject: payment(userId(user), amount, currency, ownThings(user)), ...found };
  }
  for (let number = 0; number < TESTER_CASES; number++) {
    const things = { ...tester, card_fingerprint: `card-stolen-${number}`, email: `guest-${number}@mail.example` };
    yield {
      atMs: nowMs - 10 * MINUTE_MS + number * 20_000,
      subject: payment(`guest-${number + 1}`, 1 + number / 10, 'EUR', things),
    };
  }
}

export interface SeedDeps {
  readonly table: Table;
  readonly pseudonyms: Pseudonyms;
  /** Called for every case that is written. */
  readonly onCase?: (() => void) | undefined;
}

type WireItem = Readonly<Record<string, AttributeValue>>;

const ANALYSTS = ['ana.silva', 'ben.okafor', 'chloe.martin'] as const;
const MINUTE_MS = 60_000;
/** As many as DynamoDB takes in one transaction. */
const AT_ONCE = 100;
/** DynamoDB Local writes on one thread: a second request is read and checked meanwhile. */
const REQUESTS_AT_ONCE = 2;

/** Everything is held, so that histories say of each payment what its case says. */
const settings = { ...DEFAULT_SETTINGS, review_threshold: 0, block_threshold: 101 };

/** The rule that holds every payment of a seed, with the points that it takes. */
const RULE = { name: 'seed', version: 1, action: 'points', priority: 100, note: 'Holds this payment' } as const;
export const LOWEST_HELD = 60;

/** The account as it would be with that rule: the screening adds the points itself, so histories know them too. */
function rulesOf(turn: number): ScreeningRules {
  const rules: KnownRules['rules'] = ({ score }) => {
    const points = LOWEST_HELD + ((turn * 7) % 24) - Number(score);
    return points > 0 ? { ...NO_MATCHES, matched: [{ ...RULE, points }] } : NO_MATCHES;
  };
  const known = { rules, declarations: NO_DECLARATIONS, counters: NO_COUNTERS };
  return { current: () => known, reread: async () => known, latest: () => known };
}

/**
 * Fills an account with cases. Payments are screened by the real use case on a store in memory, which is fast; what it
 * leaves behind is written a hundred items at a time. Overview and links follow from the stream, as they do for real traffic.
 */
export async function seedAccount(deps: SeedDeps, accountId: string, plan: SeedPlan): Promise<void> {
  const caller: Caller = { account_id: accountId, key_id: 'key_seed', settings };
  const memory = memoryStore();
  const { entities, claims, screenings } = memory;
  const screened: { readonly attempt: SeededAttempt; readonly record: ScreeningRecord }[] = [];
  for (const attempt of seededAttempts(plan)) {
    const screening = {
      ...SCREENING_STAND_INS,
      ...{ entities, claims, screenings, newUlid, rules: rulesOf(screened.length) },
      clock: { now: () => attempt.atMs },
      pseudonyms: () => deps.pseudonyms,
    };
    const { record } = await screenSubject(screening, caller, attempt.subject);
    screened.push({ attempt, record });
  }
  await write(
    deps,
    entityItems(
      memory,
      accountId,
      screened.map(({ record }) => record),
      plan.nowMs,
    ),
  );
  const sums: Sums = { tallies: new Map(), links: new Set() };
  const items: WireItem[] = [];
  for (const { record } of screened) {
    items.push(...caseItems(accountId, record, sums));
    deps.onCase?.();
    if (items.length >= AT_ONCE * REQUESTS_AT_ONCE) await write(deps, items.splice(0));
  }
  await write(deps, items);
  await inParts([...sums.tallies.values()], REQUESTS_AT_ONCE, (tally) => addTally(deps.table, tally));
  await resolveSome(deps, caller, screened);
}

const wired = (item: object): WireItem =>
  marshall(item, { removeUndefinedValues: true, convertClassInstanceToMap: true });

/** The entities that took part, as they are after the last attempt. */
function entityItems(
  memory: ReturnType<typeof memoryStore>,
  accountId: string,
  records: readonly ScreeningRecord[],
  nowMs: number,
): WireItem[] {
  const keys = new Set(records.flatMap(({ entities }) => entities));
  return [...keys].flatMap((key) => {
    const item = memory.itemOf(key, nowMs);
    if (item === undefined) return [];
    const { pk, sk } = entityKey(accountId, key);
    return [{ ...plainItem(item), pk: { S: pk }, sk: { S: sk } } as unknown as WireItem];
  });
}

/** Counters of one item, summed up before they are written. */
interface Tally {
  readonly update: { readonly Key?: unknown; readonly ExpressionAttributeValues?: Record<string, unknown> | undefined };
  readonly counters: Map<string, number>;
}

/** Parts that many cases share, written once. */
interface Sums {
  readonly tallies: Map<string, Tally>;
  /** Links that are written already: the first of a pair says since when. */
  readonly links: Set<string>;
}

interface TallyUpdate {
  readonly Key: Record<string, string>;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, number | string>;
}

/** A screening, its case with its list entries, and new links; the tallies of cases are summed up meanwhile. */
function caseItems(accountId: string, record: ScreeningRecord, { tallies, links }: Sums): WireItem[] {
  const items: WireItem[] = [wired(screeningItem(accountId, record))];
  for (const each of openCaseItems(accountId, openCase(record))) {
    if (each.Put) items.push(wired(each.Put.Item ?? {}));
    if (!each.Update) continue;
    const update = each.Update as unknown as TallyUpdate;
    const name = JSON.stringify(update.Key);
    const tally = tallies.get(name) ?? { update, counters: new Map<string, number>() };
    const counter = update.ExpressionAttributeNames['#0'] ?? '';
    tally.counters.set(counter, (tally.counters.get(counter) ?? 0) + Number(update.ExpressionAttributeValues[':0']));
    tallies.set(name, tally);
  }
  const user = userOf(record) ?? '';
  for (const entity of linkedEntities(record)) {
    const key = linkKey(accountId, entity, user);
    if (links.has(`${key.pk} ${key.sk}`)) continue;
    links.add(`${key.pk} ${key.sk}`);
    const ttl = Math.ceil((record.screened_at_ms + LINK_LIFE_MS) / 1000);
    items.push(wired({ ...key, entity: 'link', since_ms: record.screened_at_ms, ttl }));
  }
  return items;
}

async function addTally(table: Table, { update, counters }: Tally): Promise<void> {
  const { Key, ExpressionAttributeValues: values } = update as unknown as TallyUpdate;
  const steps = [...counters];
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key,
      UpdateExpression: `ADD ${steps.map((_, i) => `#${i} :${i}`).join(', ')} SET entity = :entity, #ttl = :ttl`,
      ExpressionAttributeNames: { '#ttl': 'ttl', ...Object.fromEntries(steps.map(([name], i) => [`#${i}`, name])) },
      ExpressionAttributeValues: {
        ':entity': values[':entity'],
        ':ttl': values[':ttl'],
        ...Object.fromEntries(steps.map(([, step], i) => [`:${i}`, step])),
      },
    }),
  );
}

async function inParts<Each>(all: readonly Each[], size: number, run: (each: Each) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += size) await Promise.all(all.slice(at, at + size).map(run));
}

/**
 * Writes items, none of them twice, in transactions: DynamoDB Local waits for the disk once for each, and for every
 * single item of a batch.
 */
async function write({ table }: SeedDeps, items: readonly WireItem[]): Promise<void> {
  const parts = Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, at) =>
    items.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
  await inParts(parts, REQUESTS_AT_ONCE, async (part) => {
    const puts = part.map((Item) => ({ Put: { TableName: table.name, Item: { ...Item } } }));
    await table.client.send(new TransactWriteItemsCommand({ TransactItems: puts }));
  });
}

/** Earlier decisions of analysts, by the use case that they use themselves. */
async function resolveSome(
  { table }: SeedDeps,
  caller: Caller,
  screened: readonly { readonly attempt: SeededAttempt; readonly record: ScreeningRecord }[],
): Promise<void> {
  const outcomes = outcomeStore(table);
  for (const [turn, { attempt, record }] of screened.filter(({ attempt: { found } }) => found).entries()) {
    const atMs = attempt.atMs + (5 + (turn % 7) * 13) * MINUTE_MS;
    await resolveCase({ clock: { now: () => atMs }, outcomes }, caller, `case_${record.ulid}`, {
      decision: attempt.found === 'rejected' ? 'block' : 'allow',
      analyst_id: ANALYSTS[turn % ANALYSTS.length],
    });
  }
}
