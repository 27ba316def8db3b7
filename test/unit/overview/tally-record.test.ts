import { marshall } from '@aws-sdk/util-dynamodb';
import { keptSubject } from '../../../shared/domain/outcomes/kept-subject';
import { openCaseItems } from '../../../shared/store/cases/case-items';
import { keptPut } from '../../../shared/store/outcomes/kept-items';
import { readTally } from '../../../shared/store/overview/tally-record';
import type { Table } from '../../../shared/store/sdk/client';
import { openCase, screened } from '../../support/changes';

const NOW = Date.UTC(2026, 2, 20, 10);
const table = { name: 'table' } as Table;
const image = (item: object) => marshall(item, { removeUndefinedValues: true });
const change = (before: object, after: object) =>
  readTally({ eventName: 'MODIFY', dynamodb: { OldImage: image(before), NewImage: image(after) } });

it('counts a payment that was allowed as missed once it is reported, and no longer when that is withdrawn', () => {
  const kept = keptSubject(screened(NOW, { amount: 30, currency: 'USD' }), NOW + 1);
  const charged = {
    ...kept,
    version: 1,
    in_force: { label: 'fraud', known_at_ms: NOW, source: 'chargeback' },
  } as const;
  const item = (of: typeof kept) => keptPut(table, 'acc_1', of).Item;
  expect(item(charged)).toMatchObject({
    due_pk: expect.stringContaining('#missed_fraud#'),
    due_sk: kept.screening.ulid,
  });
  expect(item(kept)).not.toHaveProperty('due_pk');
  const counted = change(item(kept), item(charged));
  expect(counted).toMatchObject({ account_id: 'acc_1', at_ms: NOW });
  expect(Object.fromEntries(counted?.counters ?? [])).toMatchObject({ missed: 1, 'u:missed': 3000, 'allow:fraud': 1 });
  expect(Object.fromEntries(change(item(charged), item(kept))?.counters ?? [])).toMatchObject({
    missed: -1,
    'u:missed': -3000,
  });
  // A person who says the same made it a blocked one: nobody outside is needed for that.
  const said = { ...charged, in_force: { ...charged.in_force, source: 'review' } } as const;
  expect(Object.fromEntries(change(item(charged), item(said))?.counters ?? [])).toMatchObject({ missed: -1 });
});

it('counts the resolution of a case for its analyst, once', () => {
  const opened = openCase(NOW);
  const item = openCaseItems(table, 'acc_1', opened)[0]?.Put?.Item ?? {};
  const resolved = {
    ...item,
    status: 'rejected',
    resolved_by: 'ana',
    resolved_at: new Date(NOW + 60_000).toISOString(),
  };
  const counted = change(item, resolved);
  expect(counted).toMatchObject({ account_id: 'acc_1', at_ms: NOW, about: 'desk' });
  expect(Object.fromEntries(counted?.counters ?? [])).toEqual({ 'n:ana': 1, 'r:ana': 1, 't:ana': 60, hour: 1 });
  expect(change(resolved, { ...resolved, comments: 1 })).toBeUndefined();
  expect(change(item, { ...item, comments: 1 })).toBeUndefined();
});
