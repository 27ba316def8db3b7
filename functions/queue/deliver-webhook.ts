import { setTimeout as delay } from 'node:timers/promises';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { parseQueueMessage, type QueueMessage } from '../../shared/domain/webhooks/queue-message';
import { deliveryAttemptMetrics } from '../../shared/metrics/delivery-metrics';
import { sendDelivery } from '../../shared/outbound/send-delivery';
import { sqsDeliveryQueue } from '../../shared/queue/delivery-queue';
import { durationClock, systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { randomBytes, randomFraction } from '../../shared/runtime/ids';
import { functionLogger } from '../../shared/runtime/logger';
import { openQueues } from '../../shared/runtime/queues';
import { aesSealer } from '../../shared/secrets/aes-sealer';
import { secretsManagerDataKeys } from '../../shared/secrets/data-keys';
import { openPatientTable } from '../../shared/store/sdk/client';
import { deliveryStepper, queuedDeliveryReader } from '../../shared/store/webhooks/delivery-store';
import { endpointStateStore } from '../../shared/store/webhooks/endpoint-state-store';
import { webhookSender } from '../../shared/store/webhooks/webhook-store';
import {
  type DeliverDeps,
  type DeliveryObservation,
  deliverBatch,
} from '../../shared/usecases/webhooks/deliver-webhooks';

export const build =
  (deps: DeliverDeps) =>
  async (
    { Records: records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis();
    const failed: string[] = [];
    const idOf = new Map<QueueMessage, string>();
    for (const { messageId, body } of records) {
      try {
        idOf.set(parseQueueMessage(body), messageId);
      } catch (error) {
        deps.report('a queue message cannot be read', error);
        failed.push(messageId);
      }
    }
    for (const queueMessage of await deliverBatch(deps, [...idOf.keys()], deadlineMs))
      failed.push(idOf.get(queueMessage) as string);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };

const log = functionLogger('deliver-webhook');
const table = openPatientTable(config.tableName());
const sealer = aesSealer(secretsManagerDataKeys(config.dataKeySecretId(), systemClock), randomBytes);
const extraCa = config.webhookExtraCa();
const hatch = { allowCidrs: config.webhookAllowCidrs(), ...(extraCa === undefined ? {} : { extraCa }) };

/** One wide log line per delivery attempt: IDs and measurements, none of the content sent or received. */
function observe(observation: DeliveryObservation): void {
  const { outcome, latencyMs, disabledEndpoint, ...ids } = observation;
  const status_code = 'status_code' in outcome ? outcome.status_code : undefined;
  const fields = { operation: 'deliver-webhook', ...ids, outcome: outcome.kind, status_code };
  log.info('attempt', fields, deliveryAttemptMetrics(observation));
}

export const handler = build({
  clock: systemClock,
  random: randomFraction,
  pause: (ms) => delay(ms),
  kept: new Map(),
  endpoints: webhookSender(table, sealer),
  states: endpointStateStore(table),
  deliveries: deliveryStepper(table),
  queued: queuedDeliveryReader(table, sealer),
  queue: sqsDeliveryQueue(openQueues(), config.retryQueueUrl()),
  post: sendDelivery(systemClock, durationClock, hatch),
  observe,
  report: (problem, error) => log.error(problem, { error }),
});
