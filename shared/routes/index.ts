import { addListEntriesRoute } from './add-list-entries';
import { addReferencesRoute } from './add-references';
import { claimCaseRoute } from './claim-case';
import { commentCaseRoute } from './comment-case';
import { createWebhookRoute } from './create-webhook';
import type { Route } from './define-route';
import { deleteListRoute } from './delete-list';
import { deleteListEntryRoute } from './delete-list-entry';
import { deleteRuleRoute } from './delete-rule';
import { deleteWebhookRoute } from './delete-webhook';
import { eraseUserRoute } from './erase-user';
import { exportUserRoute } from './export-user';
import { forgetLabelsRoute } from './forget-labels';
import { getCaseRoute } from './get-case';
import { getCaseTimelineRoute } from './get-case-timeline';
import { getDecisionRoute } from './get-decision';
import { getDocsRoute, getDocsScriptRoute } from './get-docs';
import { getErasureRoute } from './get-erasure';
import { getListRoute } from './get-list';
import { getMeRoute } from './get-me';
import { getOpenapiRoute } from './get-openapi';
import { getOverviewRoute } from './get-overview';
import { getRiskProfileRoute } from './get-risk-profile';
import { getRuleRoute } from './get-rule';
import { getTransactionRoute } from './get-transaction';
import { getUserLinksRoute } from './get-user-links';
import { listCasesRoute } from './list-cases';
import { listDecisionsRoute } from './list-decisions';
import { listDeliveriesRoute } from './list-deliveries';
import { listKeysRoute } from './list-keys';
import { listListEntriesRoute } from './list-list-entries';
import { listListsRoute } from './list-lists';
import { listRuleVersionsRoute } from './list-rule-versions';
import { listRulesRoute } from './list-rules';
import { listWebhooksRoute } from './list-webhooks';
import { putListRoute } from './put-list';
import { putRuleRoute } from './put-rule';
import { receiveNotificationRoute } from './receive-notification';
import { recordOutcomeRoute } from './record-outcome';
import { redeliverMessageRoute } from './redeliver-message';
import { releaseCaseRoute } from './release-case';
import { resolveCaseRoute } from './resolve-case';
import { resolveCasesRoute } from './resolve-cases';
import { reviewDecisionRoute } from './review-decision';
import { screenEventRoute } from './screen-event';
import { screenTransactionRoute } from './screen-transaction';
import { testRuleRoute } from './test-rule';
import { testWebhookRoute } from './test-webhook';

/** The whole API, one row per route. The stack, the OpenAPI document and a test walk this table. */
export const ROUTES = [
  screenTransactionRoute,
  getTransactionRoute,
  getRiskProfileRoute,
  screenEventRoute,
  getDecisionRoute,
  reviewDecisionRoute,
  listCasesRoute,
  getCaseRoute,
  resolveCaseRoute,
  claimCaseRoute,
  releaseCaseRoute,
  commentCaseRoute,
  getCaseTimelineRoute,
  resolveCasesRoute,
  getOverviewRoute,
  createWebhookRoute,
  listWebhooksRoute,
  deleteWebhookRoute,
  testWebhookRoute,
  listDeliveriesRoute,
  redeliverMessageRoute,
  getMeRoute,
  listDecisionsRoute,
  deleteRuleRoute,
  getRuleRoute,
  listRuleVersionsRoute,
  listRulesRoute,
  putRuleRoute,
  getUserLinksRoute,
  putListRoute,
  listListsRoute,
  getListRoute,
  addListEntriesRoute,
  listListEntriesRoute,
  deleteListEntryRoute,
  deleteListRoute,
  addReferencesRoute,
  receiveNotificationRoute,
  recordOutcomeRoute,
  testRuleRoute,
  eraseUserRoute,
  exportUserRoute,
  forgetLabelsRoute,
  getErasureRoute,
  listKeysRoute,
  getOpenapiRoute,
  getDocsRoute,
  getDocsScriptRoute,
] as const satisfies readonly Route[];
