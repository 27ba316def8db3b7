import { DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import type { Subject } from '../../shared/domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../shared/runtime/ids';

export const ordinaryScreening = (atMs: number): ScreeningRecord => ({
  ulid: newUlid(atMs),
  subject_type: 'transaction',
  user_id: 'user-42',
  amount: 129.9,
  currency: 'EUR',
  risk_score: 5,
  risk_level: 'low',
  automated_decision: 'allow',
  base: 5,
  contributions: [],
  model_version: 'rules-1',
  feature_version: 1,
  vector: new Uint8Array([0, 0]),
  entities: [],
  missing: [],
  screened_at_ms: atMs,
  review: null,
  review_count: 0,
});

/** The payment that benchmarks screen: user, device, IP and one tracked attribute. */
export const subject: Subject = {
  subject_type: 'transaction',
  action: 'transaction',
  outcome: 'succeeded',
  user_id: 'user-42',
  amount: 129.9,
  currency: 'EUR',
  ip_address: '91.0.0.1',
  device_fingerprint: 'fp_3f9c2a',
  payment_method: 'card',
  billing_address: { country: 'DE' },
  custom_attributes: { card_fingerprint: 'card_8812', order_id: '1001' },
};
export const caller = { account_id: 'acc_01K9ZC3V5T8QJ4M2N6P7R8S9TB', key_id: 'key_x', settings: DEFAULT_SETTINGS };
