import { setTimeout as delay } from 'node:timers/promises';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { deleteWebhookRoute } from '../../shared/routes/webhooks';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { openTable } from '../../shared/store/sdk/client';
import { webhookRemover } from '../../shared/store/webhooks/webhook-store';
import { type DeleteWebhookDeps, deleteWebhook } from '../../shared/usecases/webhooks/manage-webhooks';

export const build = (deps: EndpointDeps & DeleteWebhookDeps) =>
  endpoint(deleteWebhookRoute, deps, async ({ caller, params }) => {
    await deleteWebhook(deps, caller, params.id);
    return undefined;
  });

export const handler = build({
  clock: systemClock,
  log: functionLogger('delete-webhook'),
  pause: (ms) => delay(ms),
  webhooks: webhookRemover(openTable(config.tableName())),
});
