import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { bindModels } from './model-access';
import { SCHEDULED_RULES, ServiceFunction } from './service-function';
import { bindTable } from './table-access';

export interface ModelTrainingProps {
  readonly stage: Stage;
  readonly table: TableV2;
  readonly models: Bucket;
}

/** Trains on labels on a schedule, and promotes a model that proves better. */
export class ModelTraining extends Construct {
  constructor(scope: Construct, id: string, { stage, table, models }: ModelTrainingProps) {
    super(scope, id);
    const train = new ServiceFunction(this, 'TrainModel', {
      bundle: 'train-model',
      stage,
      timeout: Duration.minutes(15),
      // Memory for 200,000 rows, and CPU with it: Lambda gives a full core from 1,769 MB on.
      memorySize: 3008,
      scheduled: true,
    });
    bindTable(train, table, [
      { actions: ['Query'], partitions: ['accounts', 'label'] },
      { actions: ['GetItem'], partitions: ['model'] },
    ]);
    bindModels(train, models, { stage, to: 'train' });
    new Rule(this, 'TrainingDue', {
      description: `Fraud screening, ${stage}: train, judge and promote models`,
      schedule: Schedule.rate(Duration.hours(6)),
      targets: [new LambdaFunction(train.live, { retryAttempts: 0, maxEventAge: Duration.minutes(5) })],
    });
    for (const ruleId of SCHEDULED_RULES) {
      Validations.of(this).acknowledge({
        id: ruleId,
        reason: 'The event says only that six hours have passed; the next one does the work that this one missed.',
      });
    }
  }
}
