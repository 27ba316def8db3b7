import { join } from 'node:path';
import type { Caller } from '../../shared/domain/accounts/account';
import type { NetworkClass } from '../../shared/domain/ip/ip-table';
import { openModel } from '../../shared/domain/models/scoring-model';
import type { ScoringModel } from '../../shared/domain/screening/screen';
import type { Subject } from '../../shared/domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { loadBaseModel } from '../../shared/runtime/base-model-file';
import { newUlid } from '../../shared/runtime/ids';
import { SCREENING_STAND_INS, standInIntelligence } from '../../shared/runtime/stand-ins/screening-stand-ins';
import { resolveCase, reviewDecision } from '../../shared/usecases/cases/record-outcome';
import { type ScreenSubjectDeps, screenSubject } from '../../shared/usecases/screening/screen-subject';
import { memoryTable } from './memory/memory-table';
import { callerOf } from './traffic/payment';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const START_MS = Date.UTC(2026, 2, 2, 12);

/** Where addresses are, in the shop's own small world. */
export const IP = { home: '91.0.0.1', cafe: '91.0.7.7', abroad: '41.58.0.1', farAway: '49.36.0.1' } as const;
const PLACES: Readonly<Record<string, { country: string; network: NetworkClass }>> = {
  [IP.home]: { country: 'DE', network: 'other' },
  [IP.cafe]: { country: 'DE', network: 'other' },
  [IP.abroad]: { country: 'NG', network: 'other' },
  [IP.farAway]: { country: 'IN', network: 'other' },
};

const artefact = loadBaseModel(join(__dirname, '../../shared/runtime'));
const baseModel = artefact && openModel(artefact);

/** Nothing but the signals' own score. */
const NO_MODEL: ScoringModel = { opinion: () => ({ version: 'none', log_odds: 0, parts: [], detail: '' }) };

type What = Partial<Subject>;

/** A shop that screens on a table in memory, at its own time; with the base model unless it has none. */
export function shopInMemory(caller: Caller = callerOf('acc_1'), champion: ScoringModel | undefined = baseModel) {
  const table = memoryTable();
  let nowMs = START_MS;
  const deps: ScreenSubjectDeps = {
    ...SCREENING_STAND_INS,
    clock: { now: () => nowMs },
    newUlid,
    intelligence: standInIntelligence({ lookup: (ip) => PLACES[ip] ?? { country: 'DE', network: 'other' } }),
    entities: table.entities,
    claims: table.claims,
    screenings: table.screenings,
    models: { current: () => ({ champion }) },
  };
  const outcomes = { clock: deps.clock, outcomes: table.outcomes };
  const screened = async (subject: Subject, as = caller): Promise<ScreeningRecord> =>
    (await screenSubject(deps, as, subject)).record;
  const succeeded = { outcome: 'succeeded' } as const;
  return {
    table,
    deps,
    now: (): number => nowMs,
    pass(ms: number): void {
      nowMs += ms;
    },
    pay: (user_id: string, amount: number, what: What = {}, as = caller) =>
      screened(
        { subject_type: 'transaction', action: 'transaction', ...succeeded, user_id, amount, currency: 'EUR', ...what },
        as,
      ),
    act: (action: Exclude<Subject['action'], 'transaction'>, user_id: string, what: What = {}, as = caller) =>
      screened({ subject_type: 'event', action, ...succeeded, user_id, ...what }, as),
    resolve: ({ ulid }: ScreeningRecord, decision: 'allow' | 'block') =>
      resolveCase(outcomes, caller, `case_${ulid}`, { decision, analyst_id: 'ann' }),
    review: ({ ulid }: ScreeningRecord, decision: 'allow' | 'block') =>
      reviewDecision(outcomes, caller, `dec_${ulid}`, { decision, analyst_id: 'ann' }),
  };
}

/** The same, where the signals decide alone. */
export const shopBySignals = () => shopInMemory(callerOf('acc_1'), NO_MODEL);

export type Shop = ReturnType<typeof shopInMemory>;

export const VICTIM = { device_fingerprint: 'laptop', ip_address: IP.home, billing_address: { country: 'DE' } };
export const THIEF = { device_fingerprint: 'thief', ip_address: IP.abroad, billing_address: { country: 'DE' } };

/** Twelve purchases of 20 to 34 EUR over 36 days, on one device. */
export async function regularCustomer({ pay, pass }: Shop, user = 'victim'): Promise<void> {
  for (let i = 0; i < 12; i++) {
    await pay(user, 20 + ((i * 5) % 15), VICTIM);
    pass(3 * DAY);
  }
}

export const namesOf = ({ contributions }: ScreeningRecord): string[] =>
  contributions.filter(({ points }) => points > 0).map(({ signal }) => signal);
