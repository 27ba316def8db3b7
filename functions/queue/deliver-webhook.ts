import { setTimeout as delay } from 'node:timers/promises';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { type DeliveryHint, parseHint } from '../../shared/domain/webhooks/delivery-hint';
import { attemptFigures } from '../../shared/metrics/delivery-metrics';
import { sendDelivery } from '../../shared/outbound/send-delivery';
import { sqsHintQueue } from '../../shared/queue/hint-queue';
import { durationClock, systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { randomBytes, randomFraction } from '../../shared/runtime/random';
import { openQueues } from '../../shared/runtime/relay-wiring';
import { aesSealer } from '../../shared/secrets/aes-sealer';
import { secretsManagerDataKeys } from '../../shared/secrets/data-keys';
import { openPatientTable } from '../../shared/store/sdk/client';
import { deliveryStepper, hintedReader } from '../../shared/store/webhooks/delivery-store';
import { endpointStateStore } from '../../shared/store/webhooks/endpoint-state-store';
import { webhookSender } from '../../shared/store/webhooks/webhook-store';
import type { AttemptObservation } from '../../shared/usecases/webhooks/attempt-delivery';
import { type DeliverDeps, deliverBatch } from '../../shared/usecases/webhooks/deliver-webhooks';

export const build =
  (deps: DeliverDeps) =>
  async (
    { Records: records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const deadlineMs = deps.clock.now() + context.getRemainingTimeInMillis();
    const failed: string[] = [];
    const idOf = new Map<DeliveryHint, string>();
    for (const { messageId, body } of records) {
      try {
        idOf.set(parseHint(body), messageId);
      } catch (error) {
        deps.report('a queue message cannot be read', error);
        failed.push(messageId);
      }
    }
    for (const hint of await deliverBatch(deps, [...idOf.keys()], deadlineMs)) failed.push(idOf.get(hint) as string);
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };

const log = functionLogger('deliver-webhook');
const table = openPatientTable(config.tableName());
const sealer = aesSealer(secretsManagerDataKeys(config.dataKeySecretId(), systemClock), randomBytes);
const extraCa = config.webhookExtraCa();
const hatch = { allowCidrs: config.webhookAllowCidrs(), ...(extraCa === undefined ? {} : { extraCa }) };

/** One wide log line per delivery attempt: IDs and measurements, none of the content sent or received. */
function observe(observation: AttemptObservation): void {
  const { outcome, latencyMs, disabledEndpoint, ...ids } = observation;
  const status_code = 'status_code' in outcome ? outcome.status_code : undefined;
  const fields = { operation: 'deliver-webhook', ...ids, outcome: outcome.kind, status_code };
  log.info('attempt', fields, attemptFigures(observation));
}

export const handler = build({
  clock: systemClock,
  random: randomFraction,
  pause: (ms) => delay(ms),
  endpoints: webhookSender(table, sealer),
  states: endpointStateStore(table),
  deliveries: deliveryStepper(table),
  hinted: hintedReader(table),
  queue: sqsHintQueue(openQueues(), config.retryQueueUrl()),
  post: sendDelivery(systemClock, durationClock, hatch),
  observe,
  report: (problem, error) => log.error(problem, { error }),
});
