import type { Delivery } from '../../shared/domain/webhooks/delivery';
import { type AnswerOnceDeps, endpoint, serveFamily } from '../../shared/http/endpoint';
import { deliveryAnswer, deliveryListAnswer } from '../../shared/http/presenters/webhook-answer';
import { listDeliveriesRoute, redeliverMessageRoute, testWebhookRoute } from '../../shared/routes/webhooks';
import { config } from '../../shared/runtime/config';
import { functionBasics } from '../../shared/runtime/function-basics';
import { newUlid } from '../../shared/runtime/ids';
import { DEFAULT_LIMIT } from '../../shared/schemas/conventions';
import { idempotencyStore, unsealed } from '../../shared/store/idempotency-store';
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
    endpoint(testWebhookRoute, deps, async ({ caller, params, record }) => {
      const recordOf = record && ((made: Delivery) => record(deliveryAnswer(made)));
      return deliveryAnswer(await testWebhook(deps, caller, params.id, recordOf));
    }),
    endpoint(listDeliveriesRoute, deps, async ({ caller, params, query }) => {
      const page = await listDeliveries(deps, caller, params.id, {
        status: query.status,
        limit: Number(query.limit ?? DEFAULT_LIMIT),
        offset: Number(query.offset ?? 0),
      });
      return deliveryListAnswer(page);
    }),
    endpoint(redeliverMessageRoute, deps, async ({ caller, params, record }) => {
      const recordOf = record && ((made: Delivery) => record(deliveryAnswer(made)));
      return deliveryAnswer(await redeliver(deps, caller, params, recordOf));
    }),
  ]);

const { table, ...basics } = functionBasics('webhooks');

export const handler = build({
  ...basics,
  newUlid,
  stage: config.stage(),
  endpoints: webhookReader(table),
  deliveries: { ...deliveryLister(table), ...deliveryReader(table) },
  requests: deliveryRequestStore(table),
  answers: idempotencyStore(table, unsealed),
});
