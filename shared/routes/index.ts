import { addReferencesRoute } from './add-references';
import { createWebhookRoute } from './create-webhook';
import type { Route } from './define-route';
import { deleteWebhookRoute } from './delete-webhook';
import { getCaseRoute } from './get-case';
import { getDecisionRoute } from './get-decision';
import { getDocsRoute, getDocsScriptRoute } from './get-docs';
import { getOpenapiRoute } from './get-openapi';
import { getOverviewRoute } from './get-overview';
import { getRiskProfileRoute } from './get-risk-profile';
import { getTransactionRoute } from './get-transaction';
import { listCasesRoute } from './list-cases';
import { listDeliveriesRoute } from './list-deliveries';
import { listWebhooksRoute } from './list-webhooks';
import { receiveNotificationRoute } from './receive-notification';
import { recordOutcomeRoute } from './record-outcome';
import { redeliverMessageRoute } from './redeliver-message';
import { resolveCaseRoute } from './resolve-case';
import { reviewDecisionRoute } from './review-decision';
import { screenEventRoute } from './screen-event';
import { screenTransactionRoute } from './screen-transaction';
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
  getOverviewRoute,
  createWebhookRoute,
  listWebhooksRoute,
  deleteWebhookRoute,
  testWebhookRoute,
  listDeliveriesRoute,
  redeliverMessageRoute,
  addReferencesRoute,
  recordOutcomeRoute,
  receiveNotificationRoute,
  getOpenapiRoute,
  getDocsRoute,
  getDocsScriptRoute,
] as const satisfies readonly Route[];
