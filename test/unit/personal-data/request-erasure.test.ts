import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import type { Erasure } from '../../../shared/domain/personal-data/erasure';
import { requestErasure } from '../../../shared/usecases/personal-data/request-erasure';

const NOW = Date.UTC(2026, 2, 20, 10);
const caller = { account_id: 'acc', key_id: 'key_1', role: 'admin', settings: DEFAULT_SETTINGS } as const;

it('records whom to erase before the profile goes, and answers without naming them', async () => {
  const steps: unknown[] = [];
  const deps = {
    clock: { now: () => NOW },
    newUlid: () => '01JCP2Q8Z3X6T7V9B1N4M5K6H7',
    erasures: { insert: async (erasure: Erasure, user: string) => void steps.push([erasure, user]) },
    traces: { eraseProfile: async (account: string, user: string) => void steps.push([account, user]) },
  };
  const erasure = await requestErasure(deps, caller, ' Ann​');
  const { key } = entityNames('acc').user('Ann');
  expect(steps).toEqual([
    [erasure, key],
    ['acc', key],
  ]);
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
});
