import type { Delivery } from '../../shared/domain/webhooks/delivery';
import { type AnswerOnceDeps, endpoint } from '../../shared/http/endpoint';
import { deliveryAnswer } from '../../shared/http/presenters/delivery-answer';
import { redeliverMessageRoute } from '../../shared/routes/redeliver-message';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { newUlid } from '../../shared/runtime/ids';
import { functionLogger } from '../../shared/runtime/logger';
import { idempotencyStore, unsealed } from '../../shared/store/idempotency-store';
import { openTable } from '../../shared/store/sdk/client';
import { deliveryRequestStore } from '../../shared/store/webhooks/delivery-request-store';
import { deliveryReader } from '../../shared/store/webhooks/delivery-store';
import { webhookReader } from '../../shared/store/webhooks/webhook-store';
import { type RedeliverDeps, redeliver } from '../../shared/usecases/webhooks/request-delivery';

export const build = (deps: AnswerOnceDeps & RedeliverDeps) =>
  endpoint(redeliverMessageRoute, deps, async ({ caller, params, record }) => {
    const recordOf = record && ((made: Delivery) => record(deliveryAnswer(made)));
    return deliveryAnswer(await redeliver(deps, caller, params, recordOf));
  });

const table = openTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log: functionLogger('redeliver-message'),
  newUlid,
  endpoints: webhookReader(table),
  deliveries: deliveryReader(table),
  requests: deliveryRequestStore(table),
  answers: idempotencyStore(table, unsealed),
});
