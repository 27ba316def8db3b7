import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { type Pseudonyms, pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import { type Erasure, MAX_ERASURES_PER_DAY } from '../../../shared/domain/personal-data/erasure';
import { erasureAnswer } from '../../../shared/http/presenters/personal-data-answer';
import {
  getErasure,
  type RequestErasureDeps,
  requestErasure,
} from '../../../shared/usecases/personal-data/request-erasure';
import { memoryErasures } from '../../support/memory/memory-erasures';

const NOW = Date.UTC(2026, 2, 20, 10);
const callerOf = (account_id: string, settings = {}) =>
  ({ account_id, key_id: 'key_1', role: 'admin', settings: { ...DEFAULT_SETTINGS, ...settings } }) as const;

/** A stage that knows somebody by their profile, their history or an entry on a list, or not at all. */
function stage(known?: 'profile' | 'history' | 'entry', pseudonyms?: Pseudonyms) {
  const steps: unknown[] = [];
  const erasures = memoryErasures();
  const clock = { ms: NOW };
  const one = (by: typeof known) => (known === by ? ['1'] : []);
  const deps = {
    clock: { now: () => clock.ms },
    newUlid: () => '01JCP2Q8Z3X6T7V9B1N4M5K6H7',
    pseudonyms: pseudonyms && (() => pseudonyms),
    decisions: { ofUser: async () => ({ ulids: one('history'), next: undefined }) },
    links: { profiles: async () => new Map(one('profile').map((key) => [key, {}])) },
    naming: { entries: async () => one('entry') },
    erasures: {
      ...erasures,
      insert: async (erasure: Erasure, user: string) => {
        steps.push(user);
        await erasures.insert(erasure, user);
      },
    },
    traces: { eraseProfile: async (account: string, user: string) => void steps.push([account, user]) },
  };
  return { deps: deps as unknown as RequestErasureDeps & { erasures: typeof erasures }, steps, clock };
}

it('records whom to erase before the profile goes, and answers without naming them', async () => {
  const { deps, steps } = stage('profile');
  const erasure = await requestErasure(deps, callerOf('acc'), ' Ann​');
  const { key } = entityNames('acc').user('Ann');
  expect(steps).toEqual([key, ['acc', key]]);
  expect(erasure).toEqual({
    erasure_id: 'era_01JCP2Q8Z3X6T7V9B1N4M5K6H7',
    account_id: 'acc',
    status: 'pending',
    requested_at: '2026-03-20T10:00:00.000Z',
    requested_by: 'key_1',
    completed_at: null,
    looked_at: 0,
    erased: {},
  });
  const { account_id: _own, looked_at: items_checked, ...shown } = erasure;
  const { erasure_id } = erasure;
  expect(erasureAnswer(await getErasure(deps, callerOf('acc'), erasure_id))).toEqual({ ...shown, items_checked });
  await expect(getErasure(deps, callerOf('other'), erasure_id)).rejects.toMatchObject({ code: 'not_found' });
});

it('is done at once for somebody who is not known: nobody walks for them', async () => {
  const { deps, steps } = stage();
  const { status, completed_at } = await requestErasure(deps, callerOf('acc'), 'nobody');
  expect([status, completed_at]).toEqual(['completed', '2026-03-20T10:00:00.000Z']);
  expect(steps).toHaveLength(1);
  expect(await deps.erasures.pending()).toEqual([]);
});

const twoKeys = pseudonymsBy([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);

it.each([
  ['by the history', stage('history'), {}],
  ['by an entry on a list', stage('entry'), {}],
  ['perhaps: the account keeps no history', stage(), { keep_history: false }],
  ['perhaps: labels outlive profiles', stage(), { label_window_days: 181 }],
  ['perhaps: under the identity key before', stage(undefined, twoKeys), {}],
])('looks for somebody who is known %s', async (_how, { deps }, settings) => {
  expect((await requestErasure(deps, callerOf('acc', settings), 'ann')).status).toBe('pending');
  expect(await deps.erasures.pending()).toHaveLength(1);
});

it('refuses more than the limit of a day, and says until when; other accounts have their own', async () => {
  const { deps, clock } = stage();
  const ask = (account: string) => requestErasure(deps, callerOf(account), 'nobody');
  for (let asked = 0; asked < MAX_ERASURES_PER_DAY; asked++) await ask('acc');
  await expect(ask('acc')).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'An account may erase 1,000 users per day (UTC). Erase the others tomorrow.',
    retryAfterSeconds: 14 * 3_600,
  });
  await ask('other');
  clock.ms = Date.UTC(2026, 2, 21);
  await ask('acc');
});
