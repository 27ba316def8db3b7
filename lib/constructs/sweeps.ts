import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { HELD_OUTCOME_ACCESS } from '../function-access';
import type { DataKey } from './data-key';
import { SCHEDULED_RULES, ServiceFunction } from './service-function';
import { bindDueIndex, bindTable, type TableAccess } from './table-access';

export interface SweepsProps {
  readonly stage: Stage;
  readonly table: TableV2;
  readonly dataKey: DataKey;
}

/** What an erasure may delete: kinds of items that hold data of a person, and the tallies that counted their cases. */
const ERASURE_ACCESS: readonly TableAccess[] = [
  { actions: ['Query'], partitions: ['subject', 'label', 'links', 'lists'] },
  { actions: ['DeleteItem'], partitions: ['subject', 'cases', 'label', 'links', 'message', 'idempotency', 'kept'] },
  { actions: ['BatchGetItem'], partitions: ['erasure'] },
  { actions: ['UpdateItem'], partitions: ['tally', 'erasure'] },
  { actions: ['GetItem'], partitions: ['erasure', 'erasePass', 'listEntry'] },
  { actions: ['PutItem'], partitions: ['erasePass'] },
];

/** Scheduled functions. A sweep only persists what reads already see, so a missed one does no harm. */
export class Sweeps extends Construct {
  constructor(scope: Construct, id: string, { stage, table, dataKey }: SweepsProps) {
    super(scope, id);
    const cases = new ServiceFunction(this, 'SweepCases', {
      bundle: 'sweep-cases',
      stage,
      timeout: Duration.minutes(4),
      scheduled: true,
    });
    // Outcomes that waited for a reference, too: a function of their own would take eleven of the stack's 500 resources.
    bindDueIndex(cases, table, 'case');
    bindDueIndex(cases, table, 'outcome');
    // Entries of lists and erasures, too, for the same reason. Only for erasures may this function scan the table: what
    // belongs to a person is found whether or not an index leads to it. Without a pending erasure, it is a small query.
    bindTable(cases, table, [
      { actions: ['UpdateItem'], partitions: ['subject'] },
      ...HELD_OUTCOME_ACCESS,
      { actions: ['GetItem', 'UpdateItem'], partitions: ['lists'] },
      { actions: ['BatchGetItem', 'Query', 'DeleteItem'], partitions: ['listEntry'] },
      { actions: ['BatchGetItem', 'UpdateItem', 'DeleteItem'], partitions: ['entity'] },
      ...ERASURE_ACCESS,
    ]);
    cases.lambda.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:Scan'], resources: [table.tableArn] }));
    dataKey.bind(cases);
    bindDueIndex(cases, table, 'erasure');
    bindDueIndex(cases, table, 'list');
    new Rule(this, 'CasesDue', {
      description: `Fraud screening, ${stage}: expire cases, apply outcomes that waited, remove expired list entries, erase users`,
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(cases.live, { retryAttempts: 0, maxEventAge: Duration.minutes(5) })],
    });
    for (const ruleId of SCHEDULED_RULES) {
      Validations.of(this).acknowledge({
        id: ruleId,
        reason: 'The event says only that some minutes have passed; the next one does the work that this one missed.',
      });
    }
  }
}
