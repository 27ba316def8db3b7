import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import type { Erasure } from '../../../shared/domain/personal-data/erasure';
import { erasureAnswer } from '../../../shared/http/presenters/personal-data-answer';
import { getErasure } from '../../../shared/usecases/personal-data/get-erasure';

const erasure: Erasure = {
  erasure_id: 'era_1',
  account_id: 'acc',
  status: 'pending',
  requested_at: '2026-03-20T10:00:00.000Z',
  requested_by: 'ana',
  completed_at: null,
  looked_at: 7,
  erased: { result: 2 },
};
const deps = {
  erasures: {
    find: async (account: string, id: string) => (account === 'acc' && id === 'era_1' ? erasure : undefined),
  },
};
const callerOf = (account_id: string) =>
  ({ account_id, key_id: 'key_1', role: 'admin', settings: DEFAULT_SETTINGS }) as const;

it('tells how far it has come, to its own account only', async () => {
  const { account_id: _own, looked_at: items_checked, ...shown } = erasure;
  expect(erasureAnswer(await getErasure(deps, callerOf('acc'), 'era_1'))).toEqual({ ...shown, items_checked });
  await expect(getErasure(deps, callerOf('other'), 'era_1')).rejects.toMatchObject({ code: 'not_found' });
});
