import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import { PUBLIC_PSEUDONYMS, SCREENING_STAND_INS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { type Prepared, prepare } from '../../../shared/usecases/screening/prepare';
import { type Readings, SOURCES } from '../../../shared/usecases/screening/sources';

export const callerOf = (account_id: string) => ({ account_id, key_id: 'key_test', settings: DEFAULT_SETTINGS });

/** A request before its first trip, by an account with default settings. */
export const preparedOf = (subject: Subject, over: Partial<Prepared> = {}): Prepared => ({
  ...prepare(SCREENING_STAND_INS, { caller: callerOf('acc_1'), pseudonyms: PUBLIC_PSEUDONYMS }, subject, {
    ulid: '01M7K0BJGE3KXX8RS0EX2NQC2D',
    atMs: 1_000_000,
    isClaimed: false,
  }),
  ...over,
});

/** The first trip of a request for which every source failed. */
export const readingsOfNone = (prepared: Prepared): Readings =>
  Object.fromEntries(SOURCES.map((source) => [source.name, source.without(prepared, undefined)])) as Readings;

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
