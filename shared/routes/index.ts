import * as account from './account';
import * as cases from './cases';
import * as decisions from './decisions';
import * as declarations from './declarations';
import type { Route } from './define-route';
import * as documents from './documents';
import * as events from './events';
import * as overview from './get-overview';
import * as lists from './lists';
import * as outcomes from './outcomes';
import type docs from './route-docs.json';
import * as rules from './rules';
import * as transactions from './transactions';
import * as users from './users';
import * as webhooks from './webhooks';

/**
 * The whole API, one row per route. The stack, the OpenAPI document and a test walk this table. A route that
 * `route-docs.json` does not describe does not compile.
 */
export const ROUTES = [
  transactions.screenTransactionRoute,
  transactions.getTransactionRoute,
  users.getRiskProfileRoute,
  events.screenEventRoute,
  decisions.getDecisionRoute,
  decisions.reviewDecisionRoute,
  cases.listCasesRoute,
  cases.getCaseRoute,
  cases.resolveCaseRoute,
  cases.claimCaseRoute,
  cases.releaseCaseRoute,
  cases.commentCaseRoute,
  cases.getCaseTimelineRoute,
  cases.resolveCasesRoute,
  overview.getOverviewRoute,
  webhooks.createWebhookRoute,
  webhooks.listWebhooksRoute,
  webhooks.deleteWebhookRoute,
  webhooks.testWebhookRoute,
  webhooks.listDeliveriesRoute,
  webhooks.redeliverMessageRoute,
  account.getMeRoute,
  decisions.listDecisionsRoute,
  decisions.getEvidenceRoute,
  rules.deleteRuleRoute,
  rules.getRuleTestRoute,
  rules.getRuleRoute,
  rules.listRuleVersionsRoute,
  rules.listRulesRoute,
  rules.putRuleRoute,
  users.getUserLinksRoute,
  lists.putListRoute,
  lists.listListsRoute,
  lists.getListRoute,
  lists.addListEntriesRoute,
  lists.listListEntriesRoute,
  lists.deleteListEntryRoute,
  lists.deleteListRoute,
  outcomes.addReferencesRoute,
  outcomes.receiveNotificationRoute,
  outcomes.recordOutcomeRoute,
  rules.testRuleRoute,
  users.eraseUserRoute,
  users.exportUserRoute,
  users.forgetLabelsRoute,
  users.getErasureRoute,
  account.listKeysRoute,
  declarations.listAttributesRoute,
  declarations.putAttributeRoute,
  declarations.deleteAttributeRoute,
  declarations.listEventTypesRoute,
  declarations.putEventTypeRoute,
  declarations.deleteEventTypeRoute,
  declarations.listCountersRoute,
  declarations.getCounterRoute,
  declarations.putCounterRoute,
  declarations.deleteCounterRoute,
  documents.getOpenapiRoute,
  documents.getDocsRoute,
  documents.getDocsScriptRoute,
] as const satisfies ReadonlyArray<Route<keyof typeof docs.routes>>;
