import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { PUBLIC_PSEUDONYMS } from '../../../shared/domain/entities/pseudonyms';
import { screeningReferences } from '../../../shared/usecases/screening/new-record';

const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };
const payment = { subject_type: 'transaction', action: 'transaction', outcome: 'succeeded', user_id: 'ann' } as const;
const at = { pseudonyms: PUBLIC_PSEUDONYMS, atMs: 1_000 };

it('keeps nothing of a screening without references', () => {
  expect(screeningReferences(caller, payment, at)).toEqual({});
  expect(screeningReferences(caller, { ...payment, references: [] }, at)).toEqual({});
});

it('names references by pseudonyms, each once, until the label window ends', () => {
  const { references = [], kept_until_ms } = screeningReferences(
    caller,
    { ...payment, references: ['pi_1', 'pi_1', 'ch_1'] },
    at,
  );
  expect(references).toHaveLength(2);
  expect(JSON.stringify(references)).not.toMatch(/pi_1|ch_1/);
  expect(kept_until_ms).toBe(1_000 + 180 * 86_400_000);
});
