import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { forcedScreening } from '../../../shared/domain/screening/sandbox-decision';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import { newRecord } from '../../../shared/usecases/screening/new-record';
import { type Readings, SOURCES } from '../../../shared/usecases/screening/sources';
import { payment, preparedOf } from '../../support/payment';

function recordOf(subject: Subject, over: Partial<Parameters<typeof newRecord>[2]> = {}) {
  const decided = { ...forcedScreening('review', DEFAULT_SETTINGS), ...over };
  const prepared = preparedOf(subject);
  const readings = Object.fromEntries(SOURCES.map((source) => [source.name, source.without(prepared, undefined)]));
  const familiarity = { isAllowed: false, isStopped: true, earning: undefined, kept: {} };
  return newRecord(prepared, readings as Readings, decided, { observed: [], familiarity });
}

it('names who took part by pseudonyms, and nothing that was not sent', () => {
  const record = recordOf(payment());
  expect(record).toMatchObject({
    ulid: '01M7K0BJGE3KXX8RS0EX2NQC2D',
    amount: 25,
    currency: 'EUR',
    automated_decision: 'review',
    screened_at_ms: 1_000_000,
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
