import { notFound } from '../../shared/domain/errors';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { deleteWebhookRoute } from '../../shared/routes/delete-webhook';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { openTable } from '../../shared/store/client';
import { webhookRemover } from '../../shared/store/webhook-store';

type Deps = EndpointDeps & { readonly webhooks: Pick<ReturnType<typeof webhookRemover>, 'remove'> };

export const build = (deps: Deps) =>
  endpoint(deleteWebhookRoute, deps, async ({ caller, params }) => {
    const existed = await deps.webhooks.remove(caller.account_id, params.id);
    if (!existed) throw notFound('webhook endpoint');
    return undefined;
  });

export const handler = build({
  clock: systemClock,
  log: functionLogger('delete-webhook'),
  webhooks: webhookRemover(openTable(config.tableName())),
});
