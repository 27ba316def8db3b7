import {
  generator,
  hostileAttempt,
  KINDS,
  ordinaryAttempt,
  START_MS,
  secondUpdate,
} from '../../../bench/support/live-through';
import type { Attempt, EntityHistory } from '../../../shared/domain/entities/entity-history';
import { readProfile } from '../../../shared/store/entities/entity-store';
import { labelUpdate } from '../../../shared/store/entities/label-update';
import { readHistory } from '../../../shared/store/entities/read-history';
import { recordAttemptUpdate, removeAttemptUpdate } from '../../../shared/store/entities/record-attempt-update';
import { stopUpdate } from '../../../shared/store/entities/standing-update';
import { trimUpdate } from '../../../shared/store/entities/trim-update';
import { applyUpdate } from '../../../shared/store/memory/apply-update';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';
import { patient } from '../../support/patience';
import { sized } from '../../support/sized';
import { type EntityTable, startEntityTable } from './dynamodb-local';

// An item runs short of space, and is trimmed, after a few dozen hostile attempts: each kind four times within 125.
const UPDATES = sized(400, 125);

jest.setTimeout(patient(60_000));

let table: EntityTable;
beforeAll(async () => {
  table = await startEntityTable();
});
afterAll(() => table.stop());

const withoutKey = (item: EntityItem | undefined): EntityItem => {
  const { pk: _, ...rest } = item ?? {};
  return rest;
};

/** Sets have no order; everything else is compared as it is. */
const comparable = (item: EntityItem | undefined): unknown =>
  Object.fromEntries(
    Object.entries(withoutKey(item)).map(([name, value]) => [
      name,
      'SS' in value ? { SS: [...value.SS].sort() } : value,
    ]),
  );

const transaction = (number: number, at_ms: number): Attempt => ({
  ...ordinaryAttempt(generator(number), number, at_ms),
  action: 'transaction',
  amount: 12.5,
  currency: 'EUR',
  amount_usd: 13.75,
});

/** What can be taken back: every count and amount. */
const additive = ({ transactions, failed_logins, hours, amounts_by_currency, amounts_usd }: EntityHistory) => ({
  transactions,
  failed_logins,
  hours,
  amounts_by_currency,
  amounts_usd,
});

test('200 concurrent touches of one user have 200 distinct ranks and leave an exact count', async () => {
  const attempts = Array.from({ length: 200 }, (_, number) => transaction(number, START_MS + number));
  const replies = await Promise.all(
    attempts.map(async (attempt) => ({
      attempt,
      ...(await table.update('concurrent', recordAttemptUpdate('user', attempt))),
    })),
  );
  const ranks = replies.map(({ attempt, old }) => readHistory('user', old, attempt).transactions.windows['10m'].count);
  expect([...ranks].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, rank) => rank));
  const after = readHistory('user', await table.get('concurrent'), START_MS + 1_000);
  expect(after.transactions.total).toBe(200);
  for (const { count, amount_usd } of Object.values(after.transactions.windows)) {
    expect(count).toBe(200);
    expect(amount_usd).toBeCloseTo(200 * 13.75, 6);
  }
});

test.each(KINDS)('a retry with the same id changes nothing and reads the same history: %s', async (kind) => {
  const pk = `retry-${kind}`;
  const random = generator(3);
  for (let number = 0; number < 30; number++) {
    const attempt = hostileAttempt(random, number, START_MS + number * 20_000);
    const first = await table.update(pk, recordAttemptUpdate(kind, attempt));
    const stored = await table.get(pk);
    const again = await table.update(pk, recordAttemptUpdate(kind, attempt));
    expect(again.refused).toBe(true);
    expect(await table.get(pk)).toEqual(stored);
    expect(comparable(again.old)).toEqual(comparable(stored));
    const before = additive(readHistory(kind, first.old, attempt));
    expect(additive(readHistory(kind, again.old, attempt, attempt.at_ms))).toEqual(before);
    if (number === 0)
      expect(readHistory(kind, again.old, attempt, attempt.at_ms)).toEqual(readHistory(kind, undefined, attempt));
  }
});

test.each(KINDS)('taking an attempt back restores every count, once: %s', async (kind) => {
  const pk = `remove-${kind}`;
  const random = generator(4);
  const attempts = Array.from({ length: 20 }, (_, n) => hostileAttempt(random, n, START_MS + n * 1_000));
  for (const attempt of attempts.slice(0, 10)) await table.update(pk, recordAttemptUpdate(kind, attempt));
  const before = await table.get(pk);
  for (const attempt of attempts.slice(10)) await table.update(pk, recordAttemptUpdate(kind, attempt));
  for (const attempt of attempts.slice(10)) {
    expect((await table.update(pk, removeAttemptUpdate(kind, attempt))).refused).toBe(false);
    expect((await table.update(pk, removeAttemptUpdate(kind, attempt))).refused).toBe(true);
  }
  const at = START_MS + 60_000;
  const after = await table.get(pk);
  expect(additive(readHistory(kind, after, at))).toEqual(additive(readHistory(kind, before, at)));
  expect(readProfile(kind, after ?? {}, at).events).toEqual(readProfile(kind, before ?? {}, at).events);
});

test('an attempt on an entity that is gone cannot be taken back', async () => {
  const reply = await table.update('gone', removeAttemptUpdate('user', transaction(1, START_MS)));
  expect(reply.refused).toBe(true);
  expect(await table.get('gone')).toBeUndefined();
});

test('labels and decisions are counted, and a label can change sides', async () => {
  await table.update('labels', recordAttemptUpdate('user', transaction(1, START_MS)));
  const legitimate = { label: 'legitimate', known_at_ms: START_MS } as const;
  const fraud = { label: 'fraud', known_at_ms: START_MS + 2 * 86_400_000 } as const;
  await table.update('labels', labelUpdate(legitimate));
  await table.update('labels', labelUpdate(fraud, legitimate));
  for (const decision of ['review', 'block', 'block'] as const) await table.update('labels', stopped(decision));
  const history = readHistory('user', await table.get('labels'), fraud.known_at_ms + 1);
  expect(history.labels).toEqual({ fraud: 1, legitimate: 0 });
  expect(history.recent_labels['7d']).toEqual({ fraud: 1, labelled: 1 });
  expect(history.decisions).toEqual({ review: 1, block: 2 });
  expect(history.transactions).toMatchObject({ stopped: 3, established: 0 });
  expect(history.stopped_marks).toEqual({ undecided: ['review', 'block'].sort(), rejected: [] });
});

const stopped = (decision: 'review' | 'block') =>
  stopUpdate({ decision, isTransaction: true, atMs: START_MS, mark: decision });

const twoReviews = (atMs: number) => {
  const first = { label: 'fraud', known_at_ms: atMs } as const;
  return [labelUpdate(first), labelUpdate({ label: 'legitimate', known_at_ms: atMs + 86_400_000 }, first)];
};

test.each(KINDS)('the in-memory evaluator does what DynamoDB does with every update of ours: %s', async (kind) => {
  const pk = `evaluator-${kind}`;
  const random = generator(5);
  let item: EntityItem | undefined;
  let atMs = START_MS;
  let trims = 0;
  for (let number = 0; number < UPDATES; number++) {
    atMs += Math.round(random() ** 4 * 10 * 86_400_000);
    const make = random() < 0.5 ? hostileAttempt : ordinaryAttempt;
    const attempt = make(random, random() < 0.1 ? number - 1 : number, atMs);
    const trim = item === undefined ? undefined : trimUpdate(kind, item, attempt);
    const updates = [
      recordAttemptUpdate(kind, attempt),
      ...(trim === undefined ? [] : [trim]),
      ...(random() < 0.1 ? [removeAttemptUpdate(kind, attempt)] : []),
      ...(random() < 0.05 ? twoReviews(atMs) : []),
      secondUpdate(kind, attempt, readHistory(kind, item, attempt), random() < 0.2 ? 'review' : 'allow'),
    ];
    if (trim !== undefined) trims += 1;
    for (const params of updates) {
      if (params === undefined) continue;
      const reply = await table.update(pk, params);
      expect(comparable(reply.old)).toEqual(comparable(item));
      const applied = applyUpdate(item, params);
      expect(applied.applied).toBe(!reply.refused);
      item = applied.item;
    }
  }
  expect(trims).toBeGreaterThan(3);
  expect(comparable(await table.get(pk))).toEqual(comparable(item));
});
