import { DAY_MS } from '../../../bench/support/live-through';
import { earningOf, isFamiliarDevice, isOnProbation } from '../../../shared/domain/entities/earning';
import type { Attempt, EntityKind } from '../../../shared/domain/entities/entity-history';
import { earnUpdate } from '../../../shared/store/entities/earn-update';
import { readHistory } from '../../../shared/store/entities/read-history';
import { recordAttemptUpdate } from '../../../shared/store/entities/record-attempt-update';
import { trimUpdate } from '../../../shared/store/entities/trim-update';
import { applyUpdate } from '../../../shared/store/memory/apply-update';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';
import before from '../../fixtures/entity-items-before-earning.json';

/*
 * Items as they were stored before familiarity was earned: twelve purchases of one user, every three days. They are read
 * as they are, and everything they hold counts as earned: sets until they leave their 30 to 60 days, the rest for the
 * life of the item.
 */
const items = before.items as unknown as Readonly<Record<EntityKind, EntityItem>>;

const next = (change: Partial<Attempt> = {}): Attempt => ({
  attempt_id: 'txn_next',
  at_ms: before.ended_at_ms,
  action: 'transaction',
  outcome: 'succeeded',
  amount: 30,
  currency: 'EUR',
  amount_usd: 35,
  user_id: 'victim',
  device: 'laptop',
  ip: '91.0.0.1',
  country: 'DE',
  network: 'other',
  card: 'card-1',
  ...change,
});

test.each<EntityKind>(['user', 'device', 'ip', 'attribute'])(
  'an old item of a %s is trusted since it was seen',
  (kind) => {
    const history = readHistory(kind, items[kind], next());
    expect(history).toMatchObject({
      first_seen_ms: before.began_at_ms,
      trusted_since_ms: before.began_at_ms,
      transactions: { total: 12, established: kind === 'user' ? 11 : 12, stopped: kind === 'user' ? 1 : 0 },
    });
  },
);

test('what an old user is familiar with stays so, and what is new to them is new', () => {
  const own = readHistory('user', items.user, next());
  expect(own.seen).toMatchObject({ devices: true, ips: true, countries: true, cards: true });
  expect(own).toMatchObject({ earned: { devices: 1, cards: 1 }, distinct: { devices: 1, cards: 1 } });
  expect(own.last_place).toMatchObject({ country: 'DE' });
  expect(own.amounts_by_currency.EUR?.count).toBe(12);
  expect(own.hours.reduce((sum, count) => sum + count)).toBe(12);
  expect(isFamiliarDevice(own, before.ended_at_ms)).toBe(true);
  const thief = next({ device: 'thief', ip: '41.58.0.1', country: 'NG', card: 'other' });
  const theirs = readHistory('user', items.user, thief);
  expect(theirs.seen).toMatchObject({ devices: false, countries: false, cards: false });
  expect(isOnProbation(thief, theirs)).toBe(true);
});

test('new attempts write the new form beside the old, and the item goes on as one history', () => {
  const [stopped, allowed] = [
    next({ device: 'thief' }),
    next({ attempt_id: 'txn_2', at_ms: before.ended_at_ms + 1_000 }),
  ];
  let item: EntityItem | undefined = applyUpdate(items.user, recordAttemptUpdate('user', stopped)).item;
  expect(readHistory('user', item, allowed)).toMatchObject({
    first_seen_ms: before.began_at_ms,
    transactions: { total: 13 },
    distinct: { devices: 2 },
    earned: { devices: 1 },
  });
  const earning = earningOf(allowed, readHistory('user', item, allowed), undefined, []);
  const earned = earning && earnUpdate({ attempt: allowed, earning });
  item = applyUpdate(item, recordAttemptUpdate('user', allowed)).item;
  item = earned && applyUpdate(item, earned).item;
  // Carried on into the next epochs, the device stays as old as it was.
  for (let day = 20; day <= 100; day += 20) {
    const later = next({ attempt_id: `txn_${day}`, at_ms: before.ended_at_ms + day * DAY_MS });
    const history = readHistory('user', item, later);
    expect(isFamiliarDevice(history, later.at_ms)).toBe(true);
    expect(history.trusted_since_ms).toBe(before.began_at_ms);
    const more = earningOf(later, history, undefined, []);
    const trim = item && trimUpdate('user', item, later);
    item = applyUpdate(item, recordAttemptUpdate('user', later)).item;
    const params = more && earnUpdate({ attempt: later, earning: more });
    item = params && applyUpdate(item, params).item;
    if (trim) item = applyUpdate(item, trim).item;
  }
});
