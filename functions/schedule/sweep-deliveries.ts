import type { Context } from 'aws-lambda';
import { deliverySweepMetrics } from '../../shared/metrics/delivery-metrics';
import { sqsDeliveryQueue } from '../../shared/queue/delivery-queue';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { openQueues } from '../../shared/runtime/queues';
import { relayWiring } from '../../shared/runtime/relay-wiring';
import type { ChangeRecord } from '../../shared/store/change-record';
import { openPatientTable } from '../../shared/store/sdk/client';
import { DUE_SHARDS, deliveryStepper, deliveryWatch } from '../../shared/store/webhooks/delivery-store';
import {
  type HealRelayDeps,
  healRelay,
  type SweepDeliveriesDeps,
  sweepDeliveries,
} from '../../shared/usecases/webhooks/sweep-deliveries';

// Time kept back to finish work in progress.
const RESERVE_MS = 5_000;
// From each of four shards at once: 100 calls, for which the SDK has 50 sockets. More would only wait for a socket.
const PAGE_SIZE = 25;

interface Deps {
  readonly sweep: SweepDeliveriesDeps;
  readonly relay: HealRelayDeps<ChangeRecord>;
  readonly log: Log;
}

export const build =
  ({ sweep, relay, log }: Deps) =>
  async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const deadlineMs = sweep.clock.now() + context.getRemainingTimeInMillis() - RESERVE_MS;
    const swept = await sweepDeliveries(sweep, deadlineMs);
    const report = { ...swept, ...(await healRelay(relay, deadlineMs)) };
    const { closed, isUnfinished } = report;
    const fields = { operation: 'sweep-deliveries', closed, unfinished: isUnfinished };
    log.info('sweep', fields, deliverySweepMetrics(report));
  };

const log = functionLogger('sweep-deliveries');
const table = openPatientTable(config.tableName());
const relay = relayWiring(log);

export const handler = build({
  sweep: {
    clock: relay.clock,
    shards: DUE_SHARDS,
    pageSize: PAGE_SIZE,
    watch: deliveryWatch(table),
    deliveries: deliveryStepper(table),
    queue: sqsDeliveryQueue(openQueues(), config.retryQueueUrl()),
    report: relay.report,
  },
  relay: { ...relay, setAside: relay.failures },
  log,
});
