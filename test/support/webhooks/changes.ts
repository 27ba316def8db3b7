import { ordinaryScreening } from '../../../bench/support/ordinary-screening';
import type { ReviewCase } from '../../../shared/domain/cases/review-case';
import type { ListChange } from '../../../shared/domain/lists/list-definition';
import { DEFAULT_RULE } from '../../../shared/domain/rules/rule';
import type { RuleVersion } from '../../../shared/domain/rules/rule-book';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import type { RelayOrder } from '../../../shared/domain/webhooks/queue-message';
import { newUlid } from '../../../shared/runtime/ids';

/** A screening of an ordinary payment, as it is stored. */
export const screened = (atMs: number, change: Partial<ScreeningRecord> = {}): ScreeningRecord => ({
  ...ordinaryScreening(atMs),
  user_id: 'user-1',
  amount: 25,
  ...change,
});

export const openCase = (atMs: number, change: Partial<ReviewCase> = {}): ReviewCase => ({
  ulid: newUlid(atMs),
  subject_type: 'transaction',
  user_id: 'user-1',
  status: 'open',
  risk_score: 68,
  signals: ['new_device'],
  created_at_ms: atMs,
  resolved_at: null,
  resolved_by: null,
  notes: null,
  ...change,
});

/** The relay's order to tell of a screening. */
export const tellScreened = (account_id: string, record: ScreeningRecord): RelayOrder => ({
  kind: 'publish',
  change: { kind: 'screened', account_id, record },
});

/** A change of a list, made at a time. */
export const listChange = (atMs: number): ListChange => ({
  ulid: newUlid(atMs),
  kind: 'entries',
  name: 'vips',
  type: 'user_id',
  effect: 'allow',
  changed_at: new Date(atMs).toISOString(),
  changed_by: 'ana.silva',
  added: 2,
  updated: 1,
  removed: 0,
});

/** A version of a rule, made at a time. */
export const ruleVersion = (atMs: number, change: Partial<RuleVersion> = {}): RuleVersion => ({
  ...DEFAULT_RULE,
  name: 'gift-cards',
  expression: 'amount > 200',
  action: 'review',
  version: 1,
  created_at: new Date(atMs).toISOString(),
  updated_at: new Date(atMs).toISOString(),
  updated_by: 'ana.silva',
  ...change,
});
