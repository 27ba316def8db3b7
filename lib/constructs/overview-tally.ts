import { Duration, Validations } from 'aws-cdk-lib';
import type { ITable, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { ServiceFunction } from './service-function';
import { bindTable } from './service-table';

export interface OverviewProps {
  readonly stage: Stage;
  readonly table: TableV2;
}

const screening = { entity: { S: FilterRule.isEqual('screening') } };
const kept = { entity: { S: FilterRule.isEqual('kept') } };

/** The counted changes; no other table change costs an invocation. */
const COUNTED = [
  // With changes of cases that their tallies do not include yet: a mapping has at most five filters.
  {
    eventName: FilterRule.isEqual('INSERT'),
    dynamodb: { NewImage: { entity: { S: FilterRule.or('screening', 'tally-step') } } },
  },
  {
    eventName: FilterRule.isEqual('MODIFY'),
    dynamodb: { NewImage: { ...screening, review: { M: { decision: { S: FilterRule.or('allow', 'block') } } } } },
  },
  { eventName: FilterRule.isEqual('MODIFY'), dynamodb: { NewImage: kept } },
  // Stored with its first outcome; most are stored with a reference, and have no label yet.
  {
    eventName: FilterRule.isEqual('INSERT'),
    dynamodb: { NewImage: { ...kept, in_force: { M: { label: { S: FilterRule.or('fraud', 'legitimate') } } } } },
  },
  {
    eventName: FilterRule.isEqual('MODIFY'),
    dynamodb: {
      NewImage: { entity: { S: FilterRule.isEqual('case') }, status: { S: FilterRule.or('approved', 'rejected') } },
    },
  },
];

/**
 * Counts for the overview, the tallies of cases on busy days, and links between users and entities, outside the screening path: a reader of the table's
 * stream (ADR 0011, 0024). A stream takes two readers, and the relay is the other one.
 */
export class OverviewTally extends Construct {
  constructor(scope: Construct, id: string, { stage, table }: OverviewProps) {
    super(scope, id);
    const tally = new ServiceFunction(this, 'TallyOverview', {
      bundle: 'tally-overview',
      stage,
      timeout: Duration.seconds(60),
    });
    bindTable(tally, table, [
      { actions: ['UpdateItem'], partitions: ['overview', 'links'] },
      { actions: ['UpdateItem', 'DeleteItem'], partitions: ['tally'] },
      { actions: ['GetItem', 'UpdateItem'], partitions: ['mark'] },
      { actions: ['BatchGetItem'], partitions: ['subject'] },
    ]);
    tally.live.addEventSource(
      // The library's table type is not compatible with exactOptionalPropertyTypes.
      new DynamoEventSource(table as ITable, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 1000,
        // One write per account per batch, however busy: a longer window means a lower bill and older counts.
        maxBatchingWindow: Duration.seconds(60),
        // For its state, which counts what rules decide; and it is the only way Lambda tells which shard a batch is from.
        tumblingWindow: Duration.minutes(15),
        reportBatchItemFailures: true,
        // Even a record that crashes the function must not block its shard for the day that the stream keeps it.
        bisectBatchOnError: true,
        retryAttempts: 100,
        filters: COUNTED.map((pattern) => FilterCriteria.filter(pattern)),
      }),
    );
    const reason =
      'A record that a hundred tries could not count is missing in the overview, and nowhere else; its screening is kept.';
    for (const rule of ['Serverless-LambdaDLQ', 'Serverless-LambdaEventSourceMappingDestination']) {
      Validations.of(tally).acknowledge({ id: rule, reason });
    }
  }
}
