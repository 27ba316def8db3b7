import { DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import type { Subject } from '../../shared/domain/screening/subjects/attempt-of';

export const callerOf = (account_id: string) => ({ account_id, key_id: 'key_test', settings: DEFAULT_SETTINGS });

export const payment = (over: Partial<Subject> = {}): Subject => ({
  subject_type: 'transaction',
  action: 'transaction',
  outcome: 'succeeded',
  user_id: 'user-1',
  amount: 25,
  currency: 'EUR',
  ip_address: '91.0.0.1',
  device_fingerprint: 'device-1',
  custom_attributes: { card_fingerprint: 'card-1' },
  ...over,
});
