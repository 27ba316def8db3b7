import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { forgetLabels } from '../../../shared/usecases/personal-data/forget-labels';
import { screened } from '../../support/changes';
import { memoryTable } from '../../support/memory/memory-table';

const NOW = Date.UTC(2026, 2, 20, 10);
const caller = {
  account_id: 'acc',
  key_id: 'key_1',
  person: 'ana',
  role: 'admin',
  settings: DEFAULT_SETTINGS,
} as const;
const ann = entityNames('acc').user('ann');

async function forget(records: readonly Partial<ScreeningRecord>[], known: (key: string) => boolean = () => true) {
  const { screenings, decisions, cases } = memoryTable();
  for (const [at, record] of records.entries()) {
    const entities = [ann.key, ...(record.entities ?? [])];
    await screenings.insert('acc', screened(NOW - at * 1000, { user_id: 'ann', ...record, entities }));
  }
  const forgotten: string[] = [];
  const entries: object[] = [];
  const deps = {
    clock: { now: () => NOW },
    newUlid: () => 'ulid',
    decisions,
    cases,
    labels: {
      forget: async (_account: string, key: string) => {
        if (known(key)) forgotten.push(key);
        return known(key);
      },
    },
    erasures: { insertForgotten: async (_account: string, _ulid: string, entry: object) => void entries.push(entry) },
  };
  return { counts: await forgetLabels(deps, caller, 'ann', 'taken over'), forgotten, entries };
}

const review = (decision: 'allow' | 'block'): Partial<ScreeningRecord> => ({
  review: { decision, analyst_id: null, notes: null, reviewed_at: new Date(NOW).toISOString() },
  review_count: 1,
});

it('clears the victim, and leaves what only the thief used', async () => {
  const { counts, forgotten, entries } = await forget([
    { entities: ['device#1.own', 'attribute.card_fingerprint#1.card', 'ip#1.home'] },
    { entities: ['device#1.thief', 'attribute.card_fingerprint#1.card'], ...review('block') },
    { entities: ['device#1.held'], automated_decision: 'review' },
    { entities: ['device#1.blocked'], automated_decision: 'block' },
  ]);
  expect(forgotten).toEqual([ann.key, 'device#1.own', 'attribute.card_fingerprint#1.card']);
  expect(counts).toEqual({ users: 1, devices: 1, cards: 1, atMs: NOW });
  expect(entries).toEqual([
    {
      reason: 'taken over',
      at: '2026-03-20T10:00:00.000Z',
      actor: 'ana',
      key_id: 'key_1',
      users: 1,
      devices: 1,
      cards: 1,
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain('ann');
});

it('is a 404 for a user who was never seen', async () => {
  await expect(forget([], () => false)).rejects.toMatchObject({ code: 'not_found' });
});
