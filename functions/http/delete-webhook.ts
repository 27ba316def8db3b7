import { setTimeout as delay } from 'node:timers/promises';
import { notFound } from '../../shared/domain/errors';
import { START_WITHIN_MS } from '../../shared/domain/webhooks/webhook-endpoint';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { deleteWebhookRoute } from '../../shared/routes/delete-webhook';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { openTable } from '../../shared/store/sdk/client';
import { webhookRemover } from '../../shared/store/webhooks/webhook-store';

type Deps = EndpointDeps & {
  readonly webhooks: Pick<ReturnType<typeof webhookRemover>, 'remove'>;
  readonly pause: (ms: number) => Promise<void>;
};

export const build = (deps: Deps) =>
  endpoint(deleteWebhookRoute, deps, async ({ caller, params }) => {
    const existed = await deps.webhooks.remove(caller.account_id, params.id);
    if (!existed) throw notFound('webhook endpoint');
    // A sender that saw the endpoint just before may still begin: none does after the 204.
    await deps.pause(START_WITHIN_MS);
    return undefined;
  });

export const handler = build({
  clock: systemClock,
  log: functionLogger('delete-webhook'),
  pause: (ms) => delay(ms),
  webhooks: webhookRemover(openTable(config.tableName())),
});
