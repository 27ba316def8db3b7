import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { type AfdMapping, DEFAULT_MAPPING } from '../../../shared/domain/afd/afd-mapping';
import { changeAfdMapping } from '../../../shared/usecases/afd/administer-afd-mapping';
import { memoryAccounts } from '../../support/memory/memory-accounts';

it('stores the mapping of an account that exists, and takes it back', async () => {
  const accounts = memoryAccounts();
  await accounts.insertAccount({
    ...{ account_id: 'acc_1', name: 'Shop', created_at: '2026-03-01T00:00:00.000Z', settings: DEFAULT_SETTINGS },
    ...{ rate_limit_key: 'rate', rate_limit_key_id: 'id' },
  });
  const held = new Map<string, AfdMapping>();
  const mappings = {
    find: async (accountId: string) => held.get(accountId),
    save: async (accountId: string, mapping: AfdMapping) => void held.set(accountId, mapping),
    remove: async (accountId: string) => void held.delete(accountId),
  };
  const deps = { stage: 'sandbox', accounts, mappings } as const;
  await changeAfdMapping(deps, 'acc_1', DEFAULT_MAPPING);
  expect(held.get('acc_1')).toBe(DEFAULT_MAPPING);
  await changeAfdMapping(deps, 'acc_1', undefined);
  expect(held.size).toBe(0);
  await expect(changeAfdMapping(deps, 'acc_2', DEFAULT_MAPPING)).rejects.toMatchObject({ code: 'not_found' });
});
