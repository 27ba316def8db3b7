import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { relayMetrics } from '../../shared/metrics/delivery-metrics';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { relayWiring } from '../../shared/runtime/relay-wiring';
import type { ChangeRecord } from '../../shared/store/change-record';
import {
  isNotable,
  type RelayBatchDeps,
  type RelayReport,
  relayBatch,
  type StreamedRecord,
} from '../../shared/usecases/webhooks/relay-events';

type Deps = RelayBatchDeps<ChangeRecord> & { readonly log: Log };

function streamed({ eventName, dynamodb }: DynamoDBRecord): StreamedRecord<ChangeRecord> {
  return {
    sequence: dynamodb?.SequenceNumber ?? '',
    committedAtMs: (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000,
    raw: { eventName, dynamodb: { NewImage: dynamodb?.NewImage, OldImage: dynamodb?.OldImage } },
  };
}

const countsOf = ({ records, deliveries, setAside, failed, lagMs }: RelayReport) => ({
  records,
  deliveries,
  set_aside: setAside,
  failed: failed.length,
  lag_ms: lagMs,
});

export const build =
  (deps: Deps) =>
  async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const report = await relayBatch(deps, records.map(streamed));
    // Most accounts have no endpoint for most events: a line for each would be half of all lines, and say nothing.
    if (isNotable(report))
      deps.log.info('relay', { operation: 'relay-events', ...countsOf(report) }, relayMetrics(report));
    return { batchItemFailures: report.failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };

const log = functionLogger('relay-events');
const relay = relayWiring(log);

export const handler = build({ ...relay, setAside: relay.failures.put, log });
