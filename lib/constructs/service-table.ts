import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  Capacity,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { DECIDED_PK, DUE_INDEX, HISTORY_INDEX, HISTORY_PK, PARTITION } from '../../shared/store/keys';
import { HISTORY_PROJECTION } from '../../shared/store/screening/screening-reader';
import type { ServiceFunction } from './service-function';

/** Of 40,000 that AWS lets a table and its indexes have by default. */
const MOST_UNITS = { table: 30_000, index: 5_000 } as const;
/** Auto scaling aims at this share of what is provisioned: sudden traffic of three times as much finds room (docs/cost.md). */
const AIM_PERCENT = 70;
/** Units per second of an average screening per second: at night, and to begin with. */
const WRITES = {
  table: { least: 5, first: 20 },
  history: { least: 1, first: 2 },
  due: { least: 1, first: 1 },
} as const;
/** A screening takes 2.5, and what reads in bulk takes the rest, until there is more for it. */
const READS = { table: 30, index: 3 } as const;
/** Units per second that training, or a walk of erasures, may read for each: a walk is through the table in half a day. */
const BULK_READS = 45;

type Part = keyof typeof WRITES;

/** Capacity by the hour for a table or an index, given screenings per second on average; on demand without. */
function capacityOf(
  part: Part,
  perSecond: number | undefined,
): Pick<GlobalSecondaryIndexPropsV2, 'readCapacity' | 'writeCapacity'> {
  if (perSecond === undefined) return {};
  const { least, first } = WRITES[part];
  const scaled = (from: number, to: number, seed = from) =>
    Capacity.autoscaled({
      ...{ minCapacity: from * perSecond, maxCapacity: to, seedCapacity: seed * perSecond },
      targetUtilizationPercent: AIM_PERCENT,
    });
  if (part !== 'table') {
    return {
      readCapacity: Capacity.fixed(READS.index * perSecond),
      writeCapacity: scaled(least, MOST_UNITS.index, first),
    };
  }
  return { readCapacity: scaled(READS.table, MOST_UNITS.table), writeCapacity: scaled(least, MOST_UNITS.table, first) };
}

function billingOf(perSecond: number | undefined): Billing {
  const { readCapacity, writeCapacity } = capacityOf('table', perSecond);
  return readCapacity && writeCapacity ? Billing.provisioned({ readCapacity, writeCapacity }) : Billing.onDemand();
}

export interface ServiceTableProps {
  /** Screenings per second, on average, that capacity is provisioned for. @default on demand */
  readonly provisionedFor?: number | undefined;
}

/** Gives what reads in bulk a pace: all of it at once where reads are paid per request. */
export const bulkReads = (provisionedFor: number | undefined): Record<string, string> =>
  provisionedFor === undefined ? {} : { READ_UNITS_PER_SECOND: String(BULK_READS * provisionedFor) };

/** The only table of a stage. Its construct ID is a contract: renaming it would replace the data. */
export class ServiceTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, { provisionedFor }: ServiceTableProps) {
    super(scope, id);
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: billingOf(provisionedFor),
      encryption: TableEncryptionV2.awsManagedKey(),
      // The stream is the outbox: the relay derives webhook messages from what was committed (ADR 0004).
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'ttl',
      // `due` is sparse: it holds what waits for a sweep, and what was blocked or challenged. `history` holds every
      // screening of an account that keeps one, in one write unit: it projects what lists and links read (ADR 0024).
      globalSecondaryIndexes: [
        {
          indexName: DUE_INDEX,
          partitionKey: { name: 'due_pk', type: AttributeType.STRING },
          sortKey: { name: 'due_sk', type: AttributeType.STRING },
          projectionType: ProjectionType.KEYS_ONLY,
          ...capacityOf('due', provisionedFor),
        },
        {
          indexName: HISTORY_INDEX,
          partitionKey: { name: 'history_pk', type: AttributeType.STRING },
          sortKey: { name: 'ulid', type: AttributeType.STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: [...HISTORY_PROJECTION],
          ...capacityOf('history', provisionedFor),
        },
      ],
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}

/**
 * The secret of a stage: the data key that seals webhook secrets and the identity key that names entities are both
 * derived from it. One secret for all, instead of $0.40 per month for each.
 */
export class DataKey extends Construct {
  private readonly secret: Secret;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'Fraud screening: key material for sealing webhook signing secrets',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'material',
        passwordLength: 64,
        excludePunctuation: true,
      },
      // Kept forever, unless the deployment that creates it fails: nothing has been sealed with it then.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Ciphertext names the version it was sealed with; a blind rotation would orphan it. Rotated by an operator.',
    });
  }

  get secretArn(): string {
    return this.secret.secretArn;
  }

  /** Lets a function derive the stage's keys: the secret's ID and the grant to read it, in one call. */
  bind({ lambda }: ServiceFunction): void {
    lambda.addEnvironment('DATA_KEY_SECRET_ID', this.secret.secretArn);
    lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [this.secret.secretArn] }),
    );
  }
}

type ItemAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

/** Actions that a function may take on kinds of items. A DynamoDB transaction needs the actions of its parts. */
export interface TableAccess {
  readonly actions: readonly ItemAction[];
  readonly partitions: ReadonlyArray<keyof typeof PARTITION>;
}

/** Lets a function query the `due` index for one kind. */
export function bindDueIndex(
  { lambda }: ServiceFunction,
  table: TableV2,
  ...kinds: ReadonlyArray<'case' | 'delivery' | 'list' | 'outcome' | 'erasure'>
): void {
  lambda.addToRolePolicy(
    new PolicyStatement({
      actions: ['dynamodb:Query'],
      resources: [`${table.tableArn}/index/${DUE_INDEX}`],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kinds.map((kind) => `DUE#${kind}#*`) } },
    }),
  );
}

/** The lists that a function may read, by the names of their index and its partitions. */
const LISTS = {
  history: { index: HISTORY_INDEX, leadingKey: `${HISTORY_PK}#*` },
  decided: { index: DUE_INDEX, leadingKey: `${DECIDED_PK}#*` },
} as const;

export type ListAccess = keyof typeof LISTS;

/** Lets a function query lists of screenings. */
export function bindLists({ lambda }: ServiceFunction, table: TableV2, lists: readonly ListAccess[]): void {
  for (const { index, leadingKey: key } of lists.map((list) => LISTS[list])) {
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [`${table.tableArn}/index/${index}`],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [key] } },
      }),
    );
  }
}

/** The directory of accounts is one partition; every other kind has one or more per account. */
const leadingKey = (partition: keyof typeof PARTITION): string =>
  partition === 'accounts' ? PARTITION.accounts : `${PARTITION[partition]}#*`;

/**
 * Gives a function the table: name and grants in one call, so that they cannot drift apart. One statement per action with
 * all of its partitions works whether AWS checks a DynamoDB transaction's keys item by item or all at once.
 */
export function bindTable({ lambda }: ServiceFunction, table: TableV2, accesses: readonly TableAccess[]): void {
  lambda.addEnvironment('TABLE_NAME', table.tableName);
  const byAction = new Map<ItemAction, Set<string>>();
  for (const { actions, partitions } of accesses) {
    for (const action of actions) {
      byAction.set(action, new Set([...(byAction.get(action) ?? []), ...partitions.map(leadingKey)]));
    }
  }
  for (const [action, keys] of byAction) {
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: [`dynamodb:${action}`],
        resources: [table.tableArn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys].sort() } },
      }),
    );
  }
}
