import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { deliveryListAnswer } from '../../shared/http/presenters/delivery-answer';
import { listDeliveriesRoute } from '../../shared/routes/list-deliveries';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { DEFAULT_LIMIT } from '../../shared/schemas/paging';
import { openTable } from '../../shared/store/sdk/client';
import { deliveryLister } from '../../shared/store/webhooks/delivery-lister';
import { webhookReader } from '../../shared/store/webhooks/webhook-store';
import { type ListDeliveriesDeps, listDeliveries } from '../../shared/usecases/webhooks/list-deliveries';

export const build = (deps: EndpointDeps & ListDeliveriesDeps) =>
  endpoint(listDeliveriesRoute, deps, async ({ caller, params, query }) => {
    const page = await listDeliveries(deps, caller, params.id, {
      status: query.status,
      limit: Number(query.limit ?? DEFAULT_LIMIT),
      offset: Number(query.offset ?? 0),
    });
    return deliveryListAnswer(page);
  });

const table = openTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log: functionLogger('list-deliveries'),
  endpoints: webhookReader(table),
  deliveries: deliveryLister(table),
});
