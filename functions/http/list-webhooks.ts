import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { listWebhooksRoute } from '../../shared/routes/list-webhooks';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { openTable } from '../../shared/store/sdk/client';
import { webhookReader } from '../../shared/store/webhooks/webhook-store';

type Deps = EndpointDeps & { readonly webhooks: Pick<ReturnType<typeof webhookReader>, 'list'> };

export const build = (deps: Deps) =>
  endpoint(listWebhooksRoute, deps, async ({ caller }) => ({
    webhooks: await deps.webhooks.list(caller.account_id),
  }));

export const handler = build({
  clock: systemClock,
  log: functionLogger('list-webhooks'),
  webhooks: webhookReader(openTable(config.tableName())),
});
