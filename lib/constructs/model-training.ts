import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { ALL_MODEL_FILES, registryPrefix, STATE_KEY } from '../../shared/store/models/model-registry';
import { SCHEDULED_RULES, ServiceFunction } from './service-function';
import { bindTable } from './service-table';

/** Whose registry it is, and whether the function scores with its models or trains them. */
interface ModelAccess {
  readonly stage: Stage;
  readonly to: 'score' | 'train';
}

/**
 * Gives a function the model registry: name and grants in one call, so that they cannot drift apart. Sandbox also reads
 * production's, and writes below its own prefix only: nothing that runs in sandbox can change a live score.
 */
export function bindModels(target: ServiceFunction, bucket: Bucket, { stage, to }: ModelAccess): void {
  const { lambda } = target;
  const ofStage = (each: Stage): string[] => [STATE_KEY, ALL_MODEL_FILES].map((key) => registryPrefix(each) + key);
  // Before sandbox trains, it only looks whether production does.
  const followed = to === 'score' ? ofStage('production') : [registryPrefix('production') + STATE_KEY];
  const own = ofStage(stage);
  const read = [...new Set([...followed, ...own])];
  const grant = (action: string, keys: readonly string[]) =>
    lambda.addToRolePolicy(
      new PolicyStatement({ actions: [action], resources: keys.map((key) => bucket.arnForObjects(key)) }),
    );
  lambda.addEnvironment('MODEL_BUCKET', bucket.bucketName);
  grant('s3:GetObject', read);
  if (to === 'train') grant('s3:PutObject', own);
  // Without it S3 returns 403 for an object that does not exist yet: an empty registry would look like a missing grant.
  lambda.addToRolePolicy(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }));
  for (const files of read.filter((key) => key.endsWith(ALL_MODEL_FILES))) {
    target.acknowledge(
      `AwsSolutions-IAM5[Resource::${exportNameOf(bucket)}/${files}]`,
      'Versions come and go; every one of them is a model that any function which scores may have to load.',
    );
  }
}

/** The name of the bucket's ARN between the stacks: the rule refers to the resource by it. */
function exportNameOf(bucket: Bucket): string {
  const stack = Stack.of(bucket);
  const { 'Fn::ImportValue': name } = stack.resolve(stack.exportValue(bucket.bucketArn)) as Record<string, string>;
  return name ?? '';
}

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
      description: `Fraud screening, ${stage}: train, evaluate and promote models`,
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
