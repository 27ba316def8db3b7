import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { HELD_OUTCOME_ACCESS } from '../function-access';
import { SCHEDULED_RULES, ServiceFunction } from './service-function';
import { bindDueIndex, bindTable } from './table-access';

export interface SweepsProps {
  readonly stage: Stage;
  readonly table: TableV2;
}

/** Scheduled functions. A sweep only persists what reads already see, so a missed one does no harm. */
export class Sweeps extends Construct {
  constructor(scope: Construct, id: string, { stage, table }: SweepsProps) {
    super(scope, id);
    const cases = new ServiceFunction(this, 'SweepCases', {
      bundle: 'sweep-cases',
      stage,
      timeout: Duration.minutes(4),
      scheduled: true,
    });
    // Outcomes that waited for a reference, too: a function of their own would take eleven of the stack's 500 resources.
    bindDueIndex(cases, table, 'case', 'outcome');
    bindTable(cases, table, [{ actions: ['UpdateItem'], partitions: ['subject'] }, ...HELD_OUTCOME_ACCESS]);
    const lists = new ServiceFunction(this, 'SweepLists', {
      bundle: 'sweep-lists',
      stage,
      timeout: Duration.minutes(4),
      scheduled: true,
    });
    bindTable(lists, table, [
      { actions: ['GetItem', 'UpdateItem'], partitions: ['lists'] },
      { actions: ['BatchGetItem', 'Query', 'DeleteItem'], partitions: ['listEntry'] },
      { actions: ['BatchGetItem', 'UpdateItem', 'DeleteItem'], partitions: ['entity'] },
    ]);
    bindDueIndex(lists, table, 'list');
    new Rule(this, 'CasesDue', {
      description: `Fraud screening, ${stage}: expire cases whose seven days are over, apply outcomes that waited`,
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(cases.live, { retryAttempts: 0, maxEventAge: Duration.minutes(5) })],
    });
    new Rule(this, 'ListsDue', {
      description: `Fraud screening, ${stage}: remove entries of lists that have expired, and what deleted lists left`,
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(lists.live, { retryAttempts: 0, maxEventAge: Duration.minutes(5) })],
    });
    for (const ruleId of SCHEDULED_RULES) {
      Validations.of(this).acknowledge({
        id: ruleId,
        reason: 'The event says only that some minutes have passed; the next one does the work that this one missed.',
      });
    }
  }
}
