import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { webhookListAnswer } from '../../shared/http/presenters/webhook-answer';
import { listWebhooksRoute } from '../../shared/routes/webhooks';
import { functionBasics } from '../../shared/runtime/function-basics';
import { webhookReader } from '../../shared/store/webhooks/webhook-store';
import { type ListWebhooksDeps, listWebhooks } from '../../shared/usecases/webhooks/manage-webhooks';

export const build = (deps: EndpointDeps & ListWebhooksDeps) =>
  endpoint(listWebhooksRoute, deps, async ({ caller }) => webhookListAnswer(await listWebhooks(deps, caller)));

const { table, ...basics } = functionBasics('list-webhooks');

export const handler = build({
  ...basics,
  webhooks: webhookReader(table),
});
