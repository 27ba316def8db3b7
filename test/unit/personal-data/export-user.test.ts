import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { entityNames, pseudonymOf } from '../../../shared/domain/entities/entity-ref';
import { exportUser } from '../../../shared/usecases/personal-data/export-user';
import { openCase, screened } from '../../support/changes';
import { memoryTable } from '../../support/memory/memory-table';

const NOW = Date.UTC(2026, 2, 20, 10);
const caller = { account_id: 'acc', key_id: 'key_1', role: 'admin', settings: DEFAULT_SETTINGS } as const;
const names = entityNames('acc');
const [ann, bob] = [names.user('ann'), names.user('bob')];
const [phone, office] = [names.exact('device', 'phone'), names.exact('ip', '192.0.2.1')];

const entry = (list: string, value: string, entity: string) => ({
  ...{ list, value, entity, reason: null, expires_at: null, added_at: new Date(NOW).toISOString(), added_by: 'key_1' },
});
const LISTED = [
  entry('vips', 'ann', ann.key),
  entry('vips', 'bob', bob.key),
  entry('trusted', 'phone', phone.key),
  entry('offices', '192.0.2.1', office.key),
];

async function world() {
  const table = memoryTable();
  const allowed = screened(NOW - 1000, { user_id: 'ann', entities: [ann.key, phone.key, office.key] });
  const held = screened(NOW - 2000, { user_id: 'ann', entities: [ann.key], automated_decision: 'review' });
  const reviewCase = openCase(NOW - 2000, { ulid: held.ulid, user_id: 'ann' });
  await table.screenings.insert('acc', allowed);
  await table.screenings.insertWithCase('acc', held, reviewCase);
  await table.screenings.insert('acc', screened(NOW, { user_id: 'bob', entities: [bob.key] }));
  const step = { ulid: 'x', actor: 'ana', key_id: 'k', proven: true, at: new Date(NOW).toISOString() };
  const deps = {
    clock: { now: () => NOW },
    decisions: table.decisions,
    cases: table.cases,
    entities: table.entities,
    naming: {
      entries: async (_account: string, entities: readonly string[]) =>
        LISTED.filter(({ entity }) => entities.includes(entity)),
    },
    links: {
      entitiesOf: async () => ({ since: new Map(), isCut: false }),
      usersOf: async (account_id: string, entity: string) =>
        entity === office.key
          ? [ann, bob].map((user) => ({ account_id, entity, user: pseudonymOf(user), since_ms: NOW }))
          : [{ account_id, entity, user: pseudonymOf(ann), since_ms: NOW }],
      profiles: async () => new Map(),
    },
    desk: {
      history: async (_account: string, ulid: string) => ({
        record: held,
        reviewCase: ulid === held.ulid ? reviewCase : undefined,
        audits: [],
        desk: [
          { ...step, kind: 'claimed' as const },
          { ...step, kind: 'commented' as const, text: 'Called them.' },
        ],
      }),
    },
  };
  return { deps, allowed, held, reviewCase };
}

it("has a user's decisions, cases and comments, and nobody else's", async () => {
  const { deps, allowed, held, reviewCase } = await world();
  expect(await exportUser(deps, caller, 'ann', undefined)).toMatchObject({
    user_id: 'ann',
    atMs: NOW,
    profile: undefined,
    decisions: [allowed, held],
    cases: [reviewCase],
    comments: [{ ulid: held.ulid, actor: 'ana', text: 'Called them.' }],
    nextCursor: null,
  });
});

it('is a 404 for somebody of whom nothing is held', async () => {
  const { deps } = await world();
  await expect(exportUser(deps, caller, 'carl', undefined)).rejects.toMatchObject({ code: 'not_found' });
});

it('has the entries of lists that name the user, and of what nobody else was seen with', async () => {
  const { deps } = await world();
  const { listEntries } = await exportUser(deps, caller, 'ann', undefined);
  expect(listEntries.map(({ list, value }) => [list, value])).toEqual([
    ['vips', 'ann'],
    ['trusted', 'phone'],
  ]);
});

it('is not a 404 for somebody who is only on a list', async () => {
  const { deps } = await world();
  const carl = entry('vips', 'carl', names.user('carl').key);
  const naming = { entries: async () => [carl] };
  expect(await exportUser({ ...deps, naming }, caller, 'carl', undefined)).toMatchObject({ listEntries: [carl] });
});
