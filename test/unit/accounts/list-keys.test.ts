import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import type { ShownApiKey } from '../../../shared/domain/accounts/api-key';
import { keysAnswer } from '../../../shared/http/presenters/desk-answer';
import { entryPageAnswer } from '../../../shared/http/presenters/list-answer';
import { authorNames, listKeys } from '../../../shared/usecases/accounts/list-keys';

const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };
const key = (key_id: string, more: Partial<ShownApiKey> = {}): ShownApiKey => ({
  ...{ key_id, account_id: 'acc_1', hint: 'sk_test_a1B2…x9Zz', label: null, created_at: '2026-03-01T00:00:00.000Z' },
  ...{ revoked_at: null, role: 'admin', person: null, expires_at: null, last_used_at: null, ...more },
});
const keys = [
  key('key_1'),
  key('key_2', { person: 'ana.silva', label: 'laptop', created_at: '2026-03-02T00:00:00.000Z' }),
  key('key_3', { label: 'checkout', created_at: '2026-03-03T00:00:00.000Z' }),
];
const asked: string[] = [];
const deps = {
  keys: {
    list: async (accountId: string) => {
      asked.push(accountId);
      return keys;
    },
  },
};

it('lists keys newest first, by the person, the label, or how they begin and end', async () => {
  const { keys: shown } = keysAnswer(await listKeys(deps, caller));
  expect(shown.map(({ key_id, name }) => [key_id, name])).toEqual([
    ['key_3', 'checkout'],
    ['key_2', 'ana.silva'],
    ['key_1', 'sk_test_a1B2…x9Zz'],
  ]);
  expect(Object.keys(shown[0] ?? {})).not.toContain('key_hash');
});

it('gives entries of a list the name of the key that added them; people keep theirs, and cost no read', async () => {
  asked.length = 0;
  expect(await authorNames(deps, caller, ['ana.silva'])).toEqual(new Map());
  expect(asked).toEqual([]);
  const entry = { value: 'x', expires_at: null, reason: null, added_at: '2026-03-01T00:00:00.000Z' };
  const entries = ['key_3', 'bo', 'key_gone'].map((added_by) => ({ ...entry, added_by }));
  const names = await authorNames(
    deps,
    caller,
    entries.map(({ added_by }) => added_by),
  );
  expect(entryPageAnswer({ entries, next: undefined }, names).entries.map((each) => each.added_by_name)).toEqual([
    'checkout',
    'bo',
    'key_gone',
  ]);
});
