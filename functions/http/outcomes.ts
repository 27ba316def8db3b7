import type { Fault } from '../../shared/domain/errors';
import type { StoredOutcome } from '../../shared/domain/outcomes/outside-outcome';
import { type AnswerOnceDeps, endpoint } from '../../shared/http/endpoint';
import { outcomeAnswer } from '../../shared/http/presenters/outcome-answer';
import { serveFamily } from '../../shared/http/serve-family';
import { addReferencesRoute } from '../../shared/routes/add-references';
import { recordOutcomeRoute } from '../../shared/routes/record-outcome';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { newUlid } from '../../shared/runtime/ids';
import { functionLogger } from '../../shared/runtime/logger';
import { pseudonymWiring } from '../../shared/runtime/pseudonym-wiring';
import { idempotencyStore, unsealed } from '../../shared/store/idempotency-store';
import { outsideOutcomeStore } from '../../shared/store/outcomes/outside-outcome-store';
import { screeningReader } from '../../shared/store/screening/screening-store';
import { openTable } from '../../shared/store/sdk/client';
import { addReferences } from '../../shared/usecases/outcomes/add-references';
import type { OutsideOutcomesDeps } from '../../shared/usecases/outcomes/outside-outcomes-port';
import { recordOutsideOutcome } from '../../shared/usecases/outcomes/record-outside-outcome';

/** An outcome is about a subject or a reference, never both. */
function targetFaults(body: unknown): Fault[] {
  const { subject_id, reference } = (body ?? {}) as { subject_id?: unknown; reference?: unknown };
  if ((subject_id === undefined) !== (reference === undefined)) return [];
  return [{ field: 'subject_id', message: 'must be sent, or a reference instead, and not both' }];
}

export const build = (deps: AnswerOnceDeps & OutsideOutcomesDeps) =>
  serveFamily([
    [
      recordOutcomeRoute,
      endpoint(
        recordOutcomeRoute,
        deps,
        async ({ caller, body: { reference, ...stated }, record }) => {
          const recordOf = record && ((outcome: StoredOutcome) => record(outcomeAnswer(outcome)));
          const references = reference === undefined ? undefined : [reference];
          return outcomeAnswer(await recordOutsideOutcome(deps, caller, { ...stated, references, recordOf }));
        },
        { bodyFaults: targetFaults, statusOf: ({ applied }) => (applied ? 200 : 202) },
      ),
    ],
    [
      addReferencesRoute,
      endpoint(addReferencesRoute, deps, async ({ caller, params, body: { references }, record }) => {
        const answer = { transaction_id: params.id, references };
        await addReferences(deps, caller, params.id, { references, record: record?.(answer) });
        return answer;
      }),
    ],
  ]);

const table = openTable(config.tableName());
const log = functionLogger('outcomes');

export const handler = build({
  clock: systemClock,
  log,
  newUlid,
  pseudonyms: pseudonymWiring(log),
  outside: outsideOutcomeStore(table),
  screenings: screeningReader(table),
  answers: idempotencyStore(table, unsealed),
});
