import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { exportUser } from '../../../shared/usecases/personal-data/export-user';
import { openCase, screened } from '../../support/changes';
import { memoryTable } from '../../support/memory/memory-table';

const NOW = Date.UTC(2026, 2, 20, 10);
const caller = { account_id: 'acc', key_id: 'key_1', role: 'admin', settings: DEFAULT_SETTINGS } as const;
const ann = entityNames('acc').user('ann');

async function world() {
  const table = memoryTable();
  const allowed = screened(NOW - 1000, { user_id: 'ann', entities: [ann.key] });
  const held = screened(NOW - 2000, { user_id: 'ann', entities: [ann.key], automated_decision: 'review' });
  const reviewCase = openCase(NOW - 2000, { ulid: held.ulid, user_id: 'ann' });
  await table.screenings.insert('acc', allowed);
  await table.screenings.insertWithCase('acc', held, reviewCase);
  await table.screenings.insert(
    'acc',
    screened(NOW, { user_id: 'bob', entities: [entityNames('acc').user('bob').key] }),
  );
  const entry = { ulid: 'x', actor: 'ana', key_id: 'k', proven: true, at: new Date(NOW).toISOString() };
  const deps = {
    clock: { now: () => NOW },
    decisions: table.decisions,
    cases: table.cases,
    entities: table.entities,
    links: {
      entitiesOf: async () => ({ since: new Map(), isCut: false }),
      usersOf: async () => [],
      profiles: async () => new Map(),
    },
    desk: {
      history: async (_account: string, ulid: string) => ({
        record: held,
        reviewCase: ulid === held.ulid ? reviewCase : undefined,
        audits: [],
        desk: [
          { ...entry, kind: 'claimed' as const },
          { ...entry, kind: 'commented' as const, text: 'Called them.' },
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
