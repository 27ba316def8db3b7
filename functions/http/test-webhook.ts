import { type Delivery, deliveryAnswer } from '../../shared/domain/webhooks/delivery';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { testWebhookRoute } from '../../shared/routes/test-webhook';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { newUlid } from '../../shared/runtime/ids';
import { functionLogger } from '../../shared/runtime/logger';
import { idempotencyStore, unsealed } from '../../shared/store/idempotency-store';
import { openTable } from '../../shared/store/sdk/client';
import { deliveryRequestStore } from '../../shared/store/webhooks/delivery-request-store';
import { webhookReader } from '../../shared/store/webhooks/webhook-store';
import { type TestWebhookDeps, testWebhook } from '../../shared/usecases/webhooks/request-delivery';

const answer = (delivery: Delivery) => deliveryAnswer(delivery, undefined);

export const build = (deps: EndpointDeps & TestWebhookDeps) =>
  endpoint(testWebhookRoute, deps, async ({ caller, params, record }) =>
    answer(await testWebhook(deps, caller, params.id, record && ((made) => record(answer(made))))),
  );

const table = openTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log: functionLogger('test-webhook'),
  newUlid,
  stage: config.stage(),
  endpoints: webhookReader(table),
  requests: deliveryRequestStore(table),
  answers: idempotencyStore(table, unsealed),
});
