import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { webhookListAnswer } from '../../shared/http/presenters/webhook-answer';
import { listWebhooksRoute } from '../../shared/routes/webhooks';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { openTable } from '../../shared/store/sdk/client';
import { webhookReader } from '../../shared/store/webhooks/webhook-store';
import { type ListWebhooksDeps, listWebhooks } from '../../shared/usecases/webhooks/manage-webhooks';

export const build = (deps: EndpointDeps & ListWebhooksDeps) =>
  endpoint(listWebhooksRoute, deps, async ({ caller }) => webhookListAnswer(await listWebhooks(deps, caller)));

export const handler = build({
  clock: systemClock,
  log: functionLogger('list-webhooks'),
  webhooks: webhookReader(openTable(config.tableName())),
});
