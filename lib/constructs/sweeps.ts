import { Duration, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { INTELLIGENCE_KEY } from '../../shared/domain/intelligence/intelligence-table';
import type { Stage } from '../../shared/domain/stage';
import { ALL_MODEL_FILES, registryPrefix, STATE_KEY } from '../../shared/store/models/model-registry';
import { HELD_OUTCOME_ACCESS } from '../function-access';
import { ServiceFunction, schedule } from './service-function';
import { bindDueIndex, bindLists, bindTable, bulkReads, type DataKey, type TableAccess } from './service-table';
import type { Warehouse } from './warehouse';

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
    // Also outcomes that waited for a reference: a separate function would take eleven of the stack's 500 resources.
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
    schedule(this, 'CasesDue', cases, {
      every: Duration.minutes(5),
      does: `Fraud screening, ${stage}: expire cases whose seven days are over, apply outcomes that waited`,
    });
    schedule(this, 'ListsDue', lists, {
      every: Duration.minutes(5),
      does: `Fraud screening, ${stage}: remove entries of lists that have expired, and what deleted lists left`,
    });
  }
}

export interface ErasuresProps {
  readonly stage: Stage;
  readonly table: TableV2;
  readonly dataKey: DataKey;
  /** Files to erase people from, too. @default none */
  readonly warehouse?: Warehouse | undefined;
  /** Screenings per second that the table's capacity is provisioned for. @default paid per request */
  readonly provisionedFor?: number | undefined;
}

/** Items that an erasure may delete: kinds with personal data, and the tallies that counted the cases. */
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
  { actions: ['UpdateItem'], partitions: ['tally', 'erasure', 'lists', 'entity', 'listEntry'] },
  { actions: ['GetItem'], partitions: ['erasePass', 'listEntry'] },
  { actions: ['PutItem'], partitions: ['erasePass'] },
];

/**
 * Erases what is held about users, by keys and by the history index first. It is the only function that may scan the table,
 * for what neither leads to. Without a pending erasure a run is one small query.
 */
export class Erasures extends Construct {
  constructor(scope: Construct, id: string, { stage, table, dataKey, warehouse, provisionedFor }: ErasuresProps) {
    super(scope, id);
    const erase = new ServiceFunction(this, 'EraseUsers', {
      bundle: 'erase-users',
      stage,
      timeout: Duration.minutes(14),
      environment: bulkReads(provisionedFor),
      // Where it has a pace, it mostly waits, which is paid by memory.
      ...(provisionedFor === undefined ? {} : { memorySize: 512 }),
      // A file of 64 MiB is in memory as rows, and again as it is written.
      ...(warehouse ? { memorySize: 3008 } : {}),
      scheduled: true,
    });
    bindTable(erase, table, ERASING);
    bindDueIndex(erase, table, 'erasure');
    bindLists(erase, table, ['history']);
    erase.lambda.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:Scan'], resources: [table.tableArn] }));
    dataKey.bind(erase);
    warehouse?.bindErasing(erase);
    schedule(this, 'ErasuresDue', erase, {
      every: Duration.minutes(15),
      does: `Fraud screening, ${stage}: erase users whose erasure is pending`,
    });
  }
}

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
  const tables = to === 'score' ? [INTELLIGENCE_KEY.state, INTELLIGENCE_KEY.table('*')] : [];
  const read = [...new Set([...followed, ...own, ...tables.map((key) => registryPrefix(stage) + key)])];
  const grant = (action: string, keys: readonly string[]) =>
    lambda.addToRolePolicy(
      new PolicyStatement({ actions: [action], resources: keys.map((key) => bucket.arnForObjects(key)) }),
    );
  lambda.addEnvironment('MODEL_BUCKET', bucket.bucketName);
  grant('s3:GetObject', read);
  if (to === 'train') grant('s3:PutObject', own);
  // Without it S3 returns 403 for an object that does not exist yet: an empty registry would look like a missing grant.
  lambda.addToRolePolicy(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }));
  for (const files of read.filter((key) => key.includes('*'))) {
    target.acknowledge(
      `AwsSolutions-IAM5[Resource::${exportNameOf(bucket)}/${files}]`,
      'Versions come and go; every one of them is a model or a table that any function which scores may have to load.',
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
  /** Screenings per second that the table's capacity is provisioned for. @default paid per request */
  readonly provisionedFor?: number | undefined;
}

/** Trains on labels on a schedule, and promotes a model that proves better. */
export class ModelTraining extends Construct {
  constructor(scope: Construct, id: string, { stage, table, models, provisionedFor }: ModelTrainingProps) {
    super(scope, id);
    const train = new ServiceFunction(this, 'TrainModel', {
      bundle: 'train-model',
      stage,
      timeout: Duration.minutes(15),
      // Memory for 200,000 rows, and CPU with it: Lambda gives a full core from 1,769 MB on.
      memorySize: 3008,
      environment: bulkReads(provisionedFor),
      scheduled: true,
    });
    bindTable(train, table, [
      { actions: ['Query'], partitions: ['accounts', 'label'] },
      { actions: ['GetItem'], partitions: ['model'] },
    ]);
    bindModels(train, models, { stage, to: 'train' });
    schedule(this, 'TrainingDue', train, {
      every: Duration.hours(6),
      does: `Fraud screening, ${stage}: train, evaluate and promote models`,
      maxAge: Duration.minutes(5),
    });
  }
}
