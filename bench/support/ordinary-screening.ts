import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../shared/runtime/ids';

/** A screening of an ordinary payment, as it is stored. */
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
