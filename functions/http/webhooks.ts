import type { Delivery } from '../../shared/domain/webhooks/delivery';
import { type AnswerOnceDeps, endpoint, serveFamily } from '../../shared/http/endpoint';
import { deliveryAnswer, deliveryListAnswer } from '../../shared/http/presenters/webhook-answer';
import { listDeliveriesRoute, redeliverMessageRoute, testWebhookRoute } from '../../shared/routes/webhooks';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { newUlid } from '../../shared/runtime/ids';
import { functionLogger } from '../../shared/runtime/logger';
import { DEFAULT_LIMIT } from '../../shared/schemas/conventions';
import { idempotencyStore, unsealed } from '../../shared/store/idempotency-store';
import { openTable } from '../../shared/store/sdk/client';
import { deliveryLister } from '../../shared/store/webhooks/delivery-lister';
import { deliveryRequestStore } from '../../shared/store/webhooks/delivery-request-store';
import { deliveryReader } from '../../shared/store/webhooks/delivery-store';
import { webhookReader } from '../../shared/store/webhooks/webhook-store';
import {
  type ListDeliveriesDeps,
  listDeliveries,
  type RedeliverDeps,
  redeliver,
  type TestWebhookDeps,
  testWebhook,
} from '../../shared/usecases/webhooks/request-delivery';

type Deps = AnswerOnceDeps & TestWebhookDeps & ListDeliveriesDeps & RedeliverDeps;

/** Deliveries to webhook endpoints: tests, the list, and redelivery. */
export const build = (deps: Deps) =>
  serveFamily([
    [
      testWebhookRoute,
      endpoint(testWebhookRoute, deps, async ({ caller, params, record }) => {
        const recordOf = record && ((made: Delivery) => record(deliveryAnswer(made)));
        return deliveryAnswer(await testWebhook(deps, caller, params.id, recordOf));
      }),
    ],
    [
      listDeliveriesRoute,
      endpoint(listDeliveriesRoute, deps, async ({ caller, params, query }) => {
        const page = await listDeliveries(deps, caller, params.id, {
          status: query.status,
          limit: Number(query.limit ?? DEFAULT_LIMIT),
          offset: Number(query.offset ?? 0),
        });
        return deliveryListAnswer(page);
      }),
    ],
    [
      redeliverMessageRoute,
      endpoint(redeliverMessageRoute, deps, async ({ caller, params, record }) => {
        const recordOf = record && ((made: Delivery) => record(deliveryAnswer(made)));
        return deliveryAnswer(await redeliver(deps, caller, params, recordOf));
      }),
    ],
  ]);

const table = openTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log: functionLogger('webhooks'),
  newUlid,
  stage: config.stage(),
  endpoints: webhookReader(table),
  deliveries: { ...deliveryLister(table), ...deliveryReader(table) },
  requests: deliveryRequestStore(table),
  answers: idempotencyStore(table, unsealed),
});
