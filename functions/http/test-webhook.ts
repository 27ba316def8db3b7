import type { Delivery } from '../../shared/domain/webhooks/delivery';
import { type AnswerOnceDeps, endpoint } from '../../shared/http/endpoint';
import { deliveryAnswer } from '../../shared/http/presenters/delivery-answer';
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

export const build = (deps: AnswerOnceDeps & TestWebhookDeps) =>
  endpoint(testWebhookRoute, deps, async ({ caller, params, record }) => {
    const recordOf = record && ((made: Delivery) => record(deliveryAnswer(made)));
    return deliveryAnswer(await testWebhook(deps, caller, params.id, recordOf));
  });

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
