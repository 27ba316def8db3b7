import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { forcedScreening } from '../../../shared/domain/screening/sandbox-decision';
import { attemptOf, partiesOf, type Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import { newRecord } from '../../../shared/usecases/screening/new-record';
import { payment } from '../../support/payment';

const ulid = '01M7K0BJGE3KXX8RS0EX2NQC2D';

function recordOf(subject: Subject, over: Partial<Parameters<typeof newRecord>[1]> = {}) {
  const parties = partiesOf(entityNames('acc_1'), subject, undefined, DEFAULT_SETTINGS);
  const attempt = attemptOf(subject, { ulid, atMs: 1_000 }, undefined, parties);
  const judged = { ...forcedScreening('review', DEFAULT_SETTINGS), ...over };
  return newRecord(subject, judged, { ulid, observed: [] }, { attempt, refs: parties.refs, recorded: [] });
}

it('names who took part by pseudonyms, and nothing that was not sent', () => {
  const record = recordOf(payment());
  expect(record).toMatchObject({
    ulid,
    amount: 25,
    currency: 'EUR',
    automated_decision: 'review',
    screened_at_ms: 1_000,
  });
  expect(record.entities).toHaveLength(4);
  expect(JSON.stringify(record.entities)).not.toMatch(/user-1|device-1|card-1|91\.0/);
  for (const absent of ['event_type', 'agent', 'observed', 'what_if', 'shadow', 'counted_by', 'rules', 'lists'])
    expect(record).not.toHaveProperty(absent);
});

it('keeps the type of an event, and what would have been decided otherwise', () => {
  const { amount, currency, ...rest } = payment({ subject_type: 'event', action: 'login' });
  const what_if = [{ change: 'known_device', decision: 'allow' }] as const;
  expect(recordOf(rest, { what_if })).toMatchObject({ event_type: 'login', what_if });
  expect(recordOf(rest)).not.toHaveProperty('amount');
});

it('keeps what a shadow model thought, unless it failed', () => {
  const { screening } = forcedScreening('review', DEFAULT_SETTINGS);
  const thought = (risk_score: number | null) =>
    recordOf(payment(), { screening: { ...screening, shadow: { version: 'm2', risk_score, decision: null } } }).shadow;
  expect(thought(40)).toEqual({ version: 'm2', risk_score: 40 });
  expect(thought(null)).toBeUndefined();
});
