import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { referenceNames } from '../../../shared/domain/entities/pseudonyms';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { reviewDecision } from '../../../shared/usecases/cases/record-outcome';
import { addReferences } from '../../../shared/usecases/outcomes/add-references';
import { sweepHeldOutcomes } from '../../../shared/usecases/outcomes/apply-held-outcomes';
import type { OutsideOutcomesDeps } from '../../../shared/usecases/outcomes/outside-outcomes-port';
import { type ArrivingOutcome, recordOutsideOutcome } from '../../../shared/usecases/outcomes/record-outside-outcome';
import { memoryTable } from '../../support/memory/memory-table';
import { screened } from '../../support/webhooks/changes';

export const BORN_MS = Date.UTC(2026, 2, 1);
export const DAY_MS = 86_400_000;
export const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };
export const names = (...references: string[]) => referenceNames(PUBLIC_PSEUDONYMS, 'acc_1', references);
export const CHARGEBACK = { type: 'chargeback', source_id: 'dp_1', occurred_at: '2026-03-02T00:00:00Z' } as const;

/** A payment that was allowed, screened with the reference `pi_1` unless told otherwise. */
export async function world(references: readonly string[] = names('pi_1')) {
  const table = memoryTable();
  let nowMs = BORN_MS + 60_000;
  let ulids = 0;
  const kept_until_ms = BORN_MS + 180 * DAY_MS;
  const record = screened(BORN_MS, {
    automated_decision: 'allow',
    entities: ['user#1', 'device#1'],
    ...(references.length > 0 ? { references, kept_until_ms } : {}),
  });
  await table.screenings.insert('acc_1', record);
  const deps: OutsideOutcomesDeps = {
    clock: { now: () => nowMs },
    newUlid: () => `OUTCOME${String(++ulids).padStart(19, '0')}`,
    pseudonyms: () => PUBLIC_PSEUDONYMS,
    outside: table.outsideOutcomes,
    screenings: table.screenings,
  };
  return {
    ...{ table, deps, record, id: `txn_${record.ulid}` },
    pass: (ms: number): void => {
      nowMs += ms;
    },
    report: (more: Partial<ArrivingOutcome> = {}, over = deps) =>
      recordOutsideOutcome(over, caller, { ...CHARGEBACK, references: ['pi_1'], ...more }),
    review: (decision: 'allow' | 'block') =>
      reviewDecision({ clock: deps.clock, outcomes: table.outcomes }, caller, `dec_${record.ulid}`, { decision }),
    link: (...added: string[]) => addReferences(deps, caller, `txn_${record.ulid}`, { references: added }),
    sweep: () =>
      sweepHeldOutcomes(
        { ...deps, shards: [0, 1], held: table.outsideOutcomes, report: () => undefined },
        nowMs + 1_000,
      ),
    labels: async () =>
      (await table.labels.storedInMonth('acc_1', '2026-03')).map(({ label, source }) => `${label} by ${source}`),
    counted: async (kind: 'user' | 'device' = 'user') =>
      (await table.entities.profile('acc_1', kind, `${kind}#1`, nowMs))?.labels,
  };
}

export const NONE = { fraud: 0, legitimate: 0 };
export const FRAUD = { fraud: 1, legitimate: 0 };
export const LEGITIMATE = { fraud: 0, legitimate: 1 };
