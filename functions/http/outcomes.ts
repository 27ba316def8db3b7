import type { Fault } from '../../shared/domain/errors';
import type { StoredOutcome } from '../../shared/domain/outcomes/outside-outcome';
import { type AnswerOnceDeps, endpoint, rawEndpoint, serveFamily } from '../../shared/http/endpoint';
import { addedReferencesAnswer, outcomeAnswer } from '../../shared/http/presenters/outcome-answer';
import { INBOUND_METRICS } from '../../shared/metrics/case-metrics';
import { metricValues } from '../../shared/metrics/define-metrics';
import { addReferencesRoute, receiveNotificationRoute, recordOutcomeRoute } from '../../shared/routes/outcomes';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { newUlid, randomBytes } from '../../shared/runtime/ids';
import { functionLogger, type WideLine, wideLine } from '../../shared/runtime/logger';
import { pseudonymWiring } from '../../shared/runtime/pseudonym-wiring';
import { aesSealer } from '../../shared/secrets/aes-sealer';
import { secretsManagerDataKeys } from '../../shared/secrets/data-keys';
import { idempotencyStore, unsealed } from '../../shared/store/idempotency-store';
import { inboundReceiver } from '../../shared/store/outcomes/inbound-store';
import { outsideOutcomeStore } from '../../shared/store/outcomes/outside-outcome-store';
import { screeningReader } from '../../shared/store/screening/screening-reader';
import { openTable } from '../../shared/store/sdk/client';
import { addReferences } from '../../shared/usecases/outcomes/add-references';
import { type ReceiveNotificationDeps, receiveNotification } from '../../shared/usecases/outcomes/receive-notification';
import { recordOutsideOutcome } from '../../shared/usecases/outcomes/record-outside-outcome';

/** An outcome is about a subject or a reference, never both. */
function targetFaults(body: unknown): Fault[] {
  const { subject_id, reference } = (body ?? {}) as { subject_id?: unknown; reference?: unknown };
  if ((subject_id === undefined) !== (reference === undefined)) return [];
  return [{ field: 'subject_id', message: 'must be sent, or a reference instead, and not both' }];
}

/** Clocks differ, but not by more than this. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** A time in the future is a mistake: a wrong unit, or a time zone. */
function timeFaults(body: unknown, nowMs: number): Fault[] {
  const { occurred_at } = (body ?? {}) as { occurred_at?: unknown };
  const isLater = typeof occurred_at === 'string' && Date.parse(occurred_at) > nowMs + CLOCK_SKEW_MS;
  return isLater ? [{ field: 'occurred_at', message: 'must not be in the future' }] : [];
}

/** Adyen repeats a notification until the response is exactly this; Stripe reads only the status. */
const ACCEPTED = '[accepted]';

export const build = (deps: AnswerOnceDeps & ReceiveNotificationDeps & { readonly line: WideLine }) =>
  serveFamily([
    endpoint(
      recordOutcomeRoute,
      deps,
      async ({ caller, body: { reference, ...stated }, record }) => {
        const recordOf = record && ((outcome: StoredOutcome) => record(outcomeAnswer(outcome)));
        const references = reference === undefined ? undefined : [reference];
        return outcomeAnswer(await recordOutsideOutcome(deps, caller, { ...stated, references, recordOf }));
      },
      {
        bodyFaults: (body) => [...targetFaults(body), ...timeFaults(body, deps.clock.now())],
        statusOf: ({ applied }) => (applied ? 200 : 202),
      },
    ),
    endpoint(addReferencesRoute, deps, async ({ caller, params, body: { references }, record }) => {
      const answerOf = (added: readonly string[]) => addedReferencesAnswer(params.id, references, added);
      const recordOf = record && ((added: readonly string[]) => record(answerOf(added)));
      return answerOf(await addReferences(deps, caller, params.id, { references, recordOf }));
    }),
    rawEndpoint(receiveNotificationRoute, deps, async ({ params, body, header }) => {
      const { provider = '', id: inbound_id = '' } = params;
      const signature = header('Stripe-Signature');
      const received = await receiveNotification(deps, { provider, inbound_id, body, signature });
      const { account_id, applied, held, unreadable } = received;
      const fields = { account_id, outcome: unreadable === undefined ? 'read' : 'set_aside' };
      const metrics = metricValues(INBOUND_METRICS, {
        InboundOutcomes: applied + held,
        InboundSetAside: unreadable === undefined ? 0 : 1,
      });
      deps.line.add({ fields, metrics });
      return ACCEPTED;
    }),
  ]);

const table = openTable(config.tableName());
const log = functionLogger('outcomes');
const sealer = aesSealer(secretsManagerDataKeys(config.dataKeySecretId(), systemClock), randomBytes);

export const handler = build({
  clock: systemClock,
  log,
  line: wideLine(),
  newUlid,
  inbound: inboundReceiver(table, sealer),
  pseudonyms: pseudonymWiring(log),
  outside: outsideOutcomeStore(table),
  screenings: screeningReader(table),
  answers: idempotencyStore(table, unsealed),
});
