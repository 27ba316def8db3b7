import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import type { DataKey } from './data-key';
import { SCHEDULED_RULES, ServiceFunction } from './service-function';
import { bindDueIndex, bindLists, bindTable, type TableAccess } from './table-access';

export interface ErasuresProps {
  readonly stage: Stage;
  readonly table: TableV2;
  readonly dataKey: DataKey;
}

/** What an erasure may delete: kinds of items that hold data of a person, and the tallies that counted their cases. */
const ERASING: readonly TableAccess[] = [
  { actions: ['Query'], partitions: ['subject', 'label', 'links', 'lists'] },
  {
    actions: ['DeleteItem'],
    partitions: [
      ...([
        'subject',
        'cases',
        'label',
        'links',
        'entity',
        'message',
        'deliveries',
        'idempotency',
        'listEntry',
      ] as const),
      ...(['kept', 'reference', 'source', 'afd'] as const),
    ],
  },
  { actions: ['BatchGetItem'], partitions: ['entity', 'erasure', 'subject', 'kept', 'listEntry', 'reference'] },
  { actions: ['UpdateItem'], partitions: ['tally', 'erasure', 'lists'] },
  { actions: ['GetItem'], partitions: ['erasePass', 'listEntry'] },
  { actions: ['PutItem'], partitions: ['erasePass'] },
];

/**
 * Erases what is held about users, by keys and by the history index first. It is the only function that may scan the table,
 * for what neither leads to. Without a pending erasure a run is one small query.
 */
export class Erasures extends Construct {
  constructor(scope: Construct, id: string, { stage, table, dataKey }: ErasuresProps) {
    super(scope, id);
    const erase = new ServiceFunction(this, 'EraseUsers', {
      bundle: 'erase-users',
      stage,
      timeout: Duration.minutes(14),
      scheduled: true,
    });
    bindTable(erase, table, ERASING);
    bindDueIndex(erase, table, 'erasure');
    bindLists(erase, table, ['history']);
    erase.lambda.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:Scan'], resources: [table.tableArn] }));
    dataKey.bind(erase);
    new Rule(this, 'ErasuresDue', {
      description: `Fraud screening, ${stage}: erase users whose erasure is pending`,
      schedule: Schedule.rate(Duration.minutes(15)),
      targets: [new LambdaFunction(erase.live, { retryAttempts: 0, maxEventAge: Duration.minutes(15) })],
    });
    for (const ruleId of SCHEDULED_RULES) {
      Validations.of(this).acknowledge({
        id: ruleId,
        reason: 'The event says only that some minutes have passed; the next one does the work that this one missed.',
      });
    }
  }
}
