import { setTimeout as delay } from 'node:timers/promises';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { deleteWebhookRoute } from '../../shared/routes/webhooks';
import { functionBasics } from '../../shared/runtime/function-basics';
import { webhookRemover } from '../../shared/store/webhooks/webhook-store';
import { type DeleteWebhookDeps, deleteWebhook } from '../../shared/usecases/webhooks/manage-webhooks';

export const build = (deps: EndpointDeps & DeleteWebhookDeps) =>
  endpoint(deleteWebhookRoute, deps, async ({ caller, params }) => {
    await deleteWebhook(deps, caller, params.id);
    return undefined;
  });

const { table, ...basics } = functionBasics('delete-webhook');

export const handler = build({
  ...basics,
  pause: (ms) => delay(ms),
  webhooks: webhookRemover(table),
});
