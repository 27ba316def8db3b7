import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { tallyMetrics } from '../../shared/metrics/overview-metrics';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger, type Log } from '../../shared/runtime/logger';
import { linkWriter, readLinks } from '../../shared/store/links/link-store';
import { overviewTallies } from '../../shared/store/overview/overview-store';
import { readTally } from '../../shared/store/overview/tally-record';
import { openPatientTable } from '../../shared/store/sdk/client';
import type { ChangeRecord } from '../../shared/store/webhooks/change-record';
import { type LinkChangesDeps, linkChanges } from '../../shared/usecases/entities/link-changes';
import { type TallyChangesDeps, tallyChanges } from '../../shared/usecases/overview/tally-changes';

/** A batch with its shard: Lambda names it only to functions with a tumbling window, and expects a state back. */
type WindowEvent = DynamoDBStreamEvent & { readonly shardId?: string };
type WindowAnswer = DynamoDBBatchResponse & { readonly state: object };

type Deps = TallyChangesDeps<ChangeRecord> & LinkChangesDeps<ChangeRecord> & { readonly log: Log };

export const build =
  (deps: Deps) =>
  async ({ Records: records, shardId }: WindowEvent): Promise<WindowAnswer> => {
    if (!shardId) throw new Error('The event source names no shard: it needs a tumbling window');
    const numbered = records.map(({ eventName, dynamodb }) => ({
      sequence: dynamodb?.SequenceNumber ?? '',
      raw: { eventName, dynamodb: { NewImage: dynamodb?.NewImage, OldImage: dynamodb?.OldImage } },
    }));
    // The last call of a window may have no records.
    if (numbered.length === 0) return { state: {}, batchItemFailures: [] };
    // First, and harmless if repeated: whatever fails here is handed over again with the whole batch.
    await linkChanges(
      deps,
      numbered.map(({ raw }) => raw),
    );
    const report = await tallyChanges(deps, shardId, numbered);
    const { failed, ...counts } = report;
    deps.log.info('tally', { operation: 'tally-overview', ...counts }, tallyMetrics(report));
    return { state: {}, batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
  };

const log = functionLogger('tally-overview');
const table = openPatientTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log,
  read: readTally,
  readLinks,
  links: linkWriter(table),
  tallies: overviewTallies(table, systemClock),
  report: (problem, error) => log.error(problem, { error }),
});
