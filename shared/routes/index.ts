import { createWebhookRoute } from './create-webhook';
import type { Route } from './define-route';
import { deleteWebhookRoute } from './delete-webhook';
import { getDocsRoute, getDocsScriptRoute } from './get-docs';
import { getOpenapiRoute } from './get-openapi';
import { listWebhooksRoute } from './list-webhooks';

/** The whole API, one row a route. The stack, the OpenAPI document and a test walk this table. */
export const ROUTES = [
  createWebhookRoute,
  listWebhooksRoute,
  deleteWebhookRoute,
  getOpenapiRoute,
  getDocsRoute,
  getDocsScriptRoute,
] as const satisfies readonly Route[];
