import { ClaimTaken, type IdempotencyRecord } from '../../shared/domain/idempotency';
import { type AnswerOnceDeps, endpoint, serveFamily } from '../../shared/http/endpoint';
import { decisionListAnswer, evidenceAnswer } from '../../shared/http/presenters/decision-answer';
import { erasureAnswer, linkGraphAnswer, userExportAnswer } from '../../shared/http/presenters/personal-data-answer';
import { getEvidenceRoute, listDecisionsRoute } from '../../shared/routes/decisions';
import * as routes from '../../shared/routes/users';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { newUlid, randomBytes } from '../../shared/runtime/ids';
import { functionLogger } from '../../shared/runtime/logger';
import { pseudonymWiring } from '../../shared/runtime/pseudonym-wiring';
import { DEFAULT_LIMIT } from '../../shared/schemas/conventions';
import { aesSealer } from '../../shared/secrets/aes-sealer';
import { secretsManagerDataKeys } from '../../shared/secrets/data-keys';
import { caseLister } from '../../shared/store/cases/case-store';
import { deskStore } from '../../shared/store/cases/desk-store';
import { counterStore } from '../../shared/store/counters/counter-store';
import { profileReader } from '../../shared/store/entities/entity-store';
import { labelForgetter } from '../../shared/store/entities/label-forgetter';
import { idempotencyStore, recordAnswer, unsealed } from '../../shared/store/idempotency-store';
import { linkReader } from '../../shared/store/links/link-store';
import { namingEntries } from '../../shared/store/lists/naming-entries';
import { referenceReader } from '../../shared/store/outcomes/kept-items';
import { erasureReader, erasureRecorder, profileEraser } from '../../shared/store/personal-data/erasure-store';
import { ruleStore } from '../../shared/store/rules/rule-store';
import { decisionLists } from '../../shared/store/screening/decision-lists';
import { screeningReader } from '../../shared/store/screening/screening-reader';
import { openOnceClient, openTable } from '../../shared/store/sdk/client';
import { s3ObjectStore } from '../../shared/store/sdk/object-store';
import { erasedFile } from '../../shared/store/warehouse/warehouse-files';
import { namesOfUsers, userLinks } from '../../shared/usecases/entities/user-links';
import { type ExportUserDeps, exportUser } from '../../shared/usecases/personal-data/export-user';
import { type ForgetLabelsDeps, forgetLabels } from '../../shared/usecases/personal-data/forget-labels';
import {
  type GetErasureDeps,
  getErasure,
  type RequestErasureDeps,
  requestErasure,
} from '../../shared/usecases/personal-data/request-erasure';
import { type FindDecisionsDeps, findDecisions } from '../../shared/usecases/screening/find-decisions';
import { listDecisions } from '../../shared/usecases/screening/list-decisions';
import { type EvidenceDeps, lookAtEvidence } from '../../shared/usecases/screening/look-at-evidence';

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

type Deps = AnswerOnceDeps & {
  recordAnswer(accountId: string, record: IdempotencyRecord, nowMs: number): Promise<boolean>;
} & Required<ExportUserDeps> &
  Required<ForgetLabelsDeps> &
  Required<RequestErasureDeps> &
  GetErasureDeps &
  EvidenceDeps &
  FindDecisionsDeps;

const list = (deps: Deps) =>
  endpoint(listDecisionsRoute, deps, async ({ caller, query }) => {
    const { start_date, end_date, limit = DEFAULT_LIMIT, reference, seen_with, ...filter } = query;
    if (reference !== undefined || seen_with !== undefined) {
      return decisionListAnswer(await findDecisions(deps, caller, { reference, seen_with, limit: Number(limit) }));
    }
    const dates = { startMs: instant(start_date), endMs: instant(end_date) };
    return decisionListAnswer(await listDecisions(deps, caller, { ...filter, ...dates, limit: Number(limit) }));
  });

const links = (deps: Deps) =>
  endpoint(routes.getUserLinksRoute, deps, async ({ caller, params }) =>
    linkGraphAnswer(await userLinks(deps, caller, params.user_id, namesOfUsers(deps, caller))),
  );

/** Users: their decisions, links and personal data. */
export const build = (deps: Deps) =>
  serveFamily([
    list(deps),
    links(deps),
    endpoint(getEvidenceRoute, deps, async ({ caller, params, query }) =>
      evidenceAnswer(params.id, await lookAtEvidence(deps, caller, params.id, query.analyst_id)),
    ),
    endpoint(routes.exportUserRoute, deps, async ({ caller, params, query }) =>
      userExportAnswer(await exportUser(deps, caller, params.user_id, query.cursor)),
    ),
    endpoint(routes.eraseUserRoute, deps, async ({ caller, params, query }) => {
      const asked = await requestErasure(deps, caller, params.user_id, query.everything === 'true');
      const { erasure_id, keeps_fraud_evidence } = erasureAnswer(asked);
      return { erasure_id, keeps_fraud_evidence };
    }),
    endpoint(routes.getErasureRoute, deps, async ({ caller, params }) =>
      erasureAnswer(await getErasure(deps, caller, params.erasure_id)),
    ),
    endpoint(routes.forgetLabelsRoute, deps, async ({ caller, params, body, record }) => {
      const { atMs, ...forgotten } = await forgetLabels(deps, caller, params.user_id, body.reason);
      const answer = { user_id: params.user_id, forgotten, forgotten_at: new Date(atMs).toISOString() };
      if (record && !(await deps.recordAnswer(caller.account_id, record(answer), atMs))) throw new ClaimTaken();
      return answer;
    }),
  ]);

const log = functionLogger('explore');
const warehouse = config.warehouse();
const table = openTable(config.tableName());
const onceClient = openOnceClient();
const sealer = aesSealer(secretsManagerDataKeys(config.dataKeySecretId(), systemClock), randomBytes);

export const handler = build({
  clock: systemClock,
  log,
  newUlid,
  answers: idempotencyStore(table, unsealed),
  recordAnswer: (...answer) => recordAnswer({ table, sealer: unsealed }, ...answer),
  books: ruleStore(table),
  pseudonyms: pseudonymWiring(log),
  decisions: decisionLists(table),
  screenings: screeningReader(table),
  references: referenceReader(table),
  cases: caseLister(table),
  links: linkReader(table),
  entities: profileReader({ onceClient, name: table.name }),
  counters: counterStore({ onceClient, name: table.name }),
  desk: deskStore(table),
  naming: namingEntries(table, sealer),
  labels: labelForgetter(table),
  erasures: { ...erasureReader(table), ...erasureRecorder(table) },
  traces: profileEraser(table),
  warehouse: warehouse && erasedFile(s3ObjectStore(warehouse)),
});
