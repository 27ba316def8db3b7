import { getMeRoute, listKeysRoute } from './account';
import {
  claimCaseRoute,
  commentCaseRoute,
  getCaseRoute,
  getCaseTimelineRoute,
  listCasesRoute,
  releaseCaseRoute,
  resolveCaseRoute,
  resolveCasesRoute,
} from './cases';
import { createWebhookRoute } from './create-webhook';
import { getDecisionRoute, listDecisionsRoute, reviewDecisionRoute } from './decisions';
import {
  deleteAttributeRoute,
  deleteCounterRoute,
  deleteEventTypeRoute,
  getCounterRoute,
  listAttributesRoute,
  listCountersRoute,
  listEventTypesRoute,
  putAttributeRoute,
  putCounterRoute,
  putEventTypeRoute,
} from './declarations';
import type { Route } from './define-route';
import { deleteWebhookRoute } from './delete-webhook';
import { listDeliveriesRoute, redeliverMessageRoute } from './deliveries';
import { getDocsRoute, getDocsScriptRoute, getOpenapiRoute } from './documents';
import { eraseUserRoute } from './erase-user';
import { getErasureRoute } from './get-erasure';
import { getOverviewRoute } from './get-overview';
import { listWebhooksRoute } from './list-webhooks';
import {
  addListEntriesRoute,
  deleteListEntryRoute,
  deleteListRoute,
  getListRoute,
  listListEntriesRoute,
  listListsRoute,
  putListRoute,
} from './lists';
import { addReferencesRoute, recordOutcomeRoute } from './outcomes';
import { receiveNotificationRoute } from './receive-notification';
import {
  deleteRuleRoute,
  getRuleRoute,
  listRulesRoute,
  listRuleVersionsRoute,
  putRuleRoute,
  testRuleRoute,
} from './rules';
import { screenEventRoute } from './screen-event';
import { testWebhookRoute } from './test-webhook';
import { getTransactionRoute, screenTransactionRoute } from './transactions';
import { exportUserRoute, forgetLabelsRoute, getRiskProfileRoute, getUserLinksRoute } from './users';

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
  listAttributesRoute,
  putAttributeRoute,
  deleteAttributeRoute,
  listEventTypesRoute,
  putEventTypeRoute,
  deleteEventTypeRoute,
  listCountersRoute,
  getCounterRoute,
  putCounterRoute,
  deleteCounterRoute,
  getOpenapiRoute,
  getDocsRoute,
  getDocsScriptRoute,
] as const satisfies readonly Route[];
