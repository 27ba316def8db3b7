import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { personOf } from '../domain/warehouse/warehouse-rows';
import { changeAnswer } from '../http/presenters/desk-answer';
import { sqsDeliveryQueue } from '../queue/delivery-queue';
import { eventBus } from '../queue/event-bus';
import { relayFailures } from '../queue/relay-failures';
import { warehouseStreams } from '../queue/warehouse-streams';
import type { ChangeRecord } from '../store/change-record';
import { screeningReader } from '../store/screening/screening-reader';
import { openPatientTable } from '../store/sdk/client';
import { readWarehouseRows } from '../store/warehouse/read-warehouse-rows';
import { deliveryWriter, messageWriter } from '../store/webhooks/delivery-store';
import { packMessage } from '../store/webhooks/packed-message';
import { readChange } from '../store/webhooks/read-change';
import { webhookReader } from '../store/webhooks/webhook-store';
import { systemClock } from './clock';
import { config } from './config';
import type { Log } from './logger';
import { openQueues } from './queues';

export function relayWiring(log: Log) {
  const table = openPatientTable(config.tableName());
  const queues = openQueues();
  const busArn = config.eventBusArn();
  const aws = { endpoint: config.awsEndpoint(), credentials: defaultProvider() };
  const names = config.warehouseStreams();
  const streams = names && warehouseStreams({ ...aws, region: config.region() }, names);
  const rows = { screenings: screeningReader(table), person: personOf(config.warehouseUsers()) };
  return {
    warehouse: streams && {
      put: async (raw: ChangeRecord) => streams.put(await readWarehouseRows(rows, raw)),
    },
    bus: busArn === undefined ? undefined : eventBus(aws, config.stage(), busArn),
    clock: systemClock,
    stage: config.stage(),
    dataOf: changeAnswer,
    pack: packMessage,
    endpoints: webhookReader(table),
    messages: messageWriter(table),
    deliveries: deliveryWriter(table),
    queue: sqsDeliveryQueue(queues, config.freshQueueUrl()),
    failures: relayFailures<ChangeRecord>(queues, config.relayFailuresUrl()),
    read: readChange,
    report: (problem: string, error: unknown) => log.error(problem, { error }),
  };
}
