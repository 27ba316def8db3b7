import { CfnOutput, Duration, Names, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnNamedQuery, CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import { type IGrantable, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { LogGroup, LogStream, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { ERASED, ERASED_COLUMNS, rowsSql } from '../../shared/domain/warehouse/erased-people';
import {
  type ColumnType,
  WAREHOUSE_TABLE_NAMES,
  WAREHOUSE_TABLES,
  type WarehouseTable,
} from '../../shared/domain/warehouse/warehouse-tables';
import type { WarehouseAddress } from '../../shared/store/warehouse/warehouse-files';
import type { ServiceFunction } from './service-function';
import { WAREHOUSE_QUERIES } from './warehouse-queries';

/** Options of `-c warehouse=on`. */
export interface WarehouseOptions {
  /** After this, files are deleted. */
  readonly days: number;
  /** How rows name users. */
  readonly users: 'pseudonym' | 'plain';
}

/** A query that would read more is stopped: ten gigabytes cost five cents. */
const MOST_BYTES = 10 * 1024 ** 3;
const RESULTS = 'query-results/';
const ERRORS = 'errors/';
/** What Firehose writes, and an erasure writes again. */
const WRITTEN = [...WAREHOUSE_TABLE_NAMES.map((table) => `${table}/*`), `${ERRORS}*`];
const ERASURES_STATE = 'erasures-state.json';
/** Firehose buffers at least 64 MiB where it converts to Parquet; usually the time decides. */
const BUFFERED_MIB = 64;
const BUFFERED_SECONDS = 300;
const PARTITIONS = [
  { name: 'dt', type: 'string' },
  { name: 'hour', type: 'string' },
] as const;
const ALL_HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')).join();

const rawName = (table: WarehouseTable): string => `raw_${table}`;

const columnsOf = (table: WarehouseTable): Array<{ name: string; type: ColumnType; comment: string }> =>
  Object.entries(WAREHOUSE_TABLES[table]).map(([name, [type, comment]]) => ({ name, type, comment }));

/** Presto's names of the types, which views are written in. */
const PRESTO: Partial<Record<ColumnType, string>> = { string: 'varchar', timestamp: 'timestamp(3)' };

/**
 * Every decision, outcome and case as Parquet in a bucket, and Athena to ask questions. The stream's relay sends rows to
 * Firehose, which converts and stores them; tables know their partitions by projection, so that nothing crawls.
 */
export class Warehouse extends Construct {
  private readonly name: string;
  private readonly workgroupName: string;
  private readonly files: Bucket;
  private readonly database: CfnDatabase;
  private readonly streams: ReadonlyMap<WarehouseTable, CfnDeliveryStream>;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: WarehouseOptions & { readonly stage: Stage },
  ) {
    super(scope, id);
    const { stage } = props;
    this.name = `fraud_screening_${stage}`;
    this.workgroupName = `fraud-screening-${stage}`;
    this.files = this.bucket();
    this.database = new CfnDatabase(this, 'Database', {
      catalogId: Stack.of(this).account,
      databaseInput: {
        name: this.name,
        description: `Fraud screening, ${stage}: what was decided, and how it ended`,
      },
    });
    const role = this.deliveryRole();
    const log = new LogGroup(this, 'Log', { retention: RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY });
    allow(role, ['logs:PutLogEvents'], [log.logGroupArn]);
    this.streams = new Map(WAREHOUSE_TABLE_NAMES.map((table) => [table, this.stream(table, role, log)]));
    this.erased();
    this.workgroup();
    new CfnOutput(Stack.of(this), 'WarehouseBucket', { value: this.files.bucketName });
  }

  /** The streams' names, and the one permission on them. */
  bind({ lambda }: ServiceFunction): void {
    const names = [...this.streams].map(([table, { ref }]) => [table, ref]);
    lambda.addEnvironment('WAREHOUSE_STREAMS', Stack.of(this).toJsonString(Object.fromEntries(names)));
    if (this.props.users === 'plain') lambda.addEnvironment('WAREHOUSE_USERS', 'plain');
    const arns = [...this.streams.values()].map(({ attrArn }) => attrArn);
    allow(lambda, ['firehose:PutRecordBatch'], arns);
  }

  /** For the function that takes requests for erasure: it hides people from the views, and can do nothing else. */
  bindHiding(target: ServiceFunction): void {
    this.bindFiles(target, { 's3:PutObject': [`${ERASED}/*`] });
  }

  /** For the function that asks Athena about an account's decisions. */
  bindAsking(target: ServiceFunction): void {
    this.bindFiles(target, { 's3:GetObject': ['decisions/*', 'outcomes/*', `${ERASED}/*`, `${RESULTS}*`] });
    this.bindAthena(target, ['decisions', 'outcomes']);
  }

  /** For the function that writes files again without those who are erased. */
  bindErasing(target: ServiceFunction): void {
    this.bindFiles(target, {
      's3:GetObject': [...WRITTEN, `${ERASED}/*`, `${RESULTS}*`, ERASURES_STATE],
      's3:PutObject': [...WRITTEN, ERASURES_STATE],
      's3:DeleteObject': [...WRITTEN, `${RESULTS}*`],
    });
    this.bindAthena(target, WAREHOUSE_TABLE_NAMES);
  }

  /** Rows that Firehose could not convert, and the age of the oldest one that is not in a file yet. */
  metrics(metricName: 'FailedConversion.Records' | 'DeliveryToS3.DataFreshness', statistic: 'Sum' | 'Maximum') {
    const of = (stream: CfnDeliveryStream) => ({ dimensionsMap: { DeliveryStreamName: stream.ref } });
    const all = { namespace: 'AWS/Firehose', metricName, statistic };
    return Object.fromEntries(
      [...this.streams].map(([table, stream]) => [table, new Metric({ ...all, ...of(stream) })]),
    );
  }

  private bindFiles(target: ServiceFunction, keysOf: Readonly<Record<string, readonly string[]>>): void {
    const names = { database: this.name, workgroup: this.workgroupName, days: this.props.days };
    const address: Omit<WarehouseAddress, 'region'> = { bucket: this.files.bucketName, ...names };
    target.lambda.addEnvironment('WAREHOUSE', Stack.of(target.lambda).toJsonString(address));
    for (const [action, keys] of Object.entries(keysOf)) allow(target.lambda, [action], this.arnsOf(keys));
    const patterns = Object.values(keysOf).flatMap((keys) => keys.filter((key) => key.includes('*')));
    for (const id of wildcardsOf(target.lambda, this.files, patterns))
      target.acknowledge(id, 'Files are named by the time they were written; these prefixes have nothing else.');
  }

  /** Athena reads tables and files, and writes results, with the permissions of who asks. */
  private bindAthena(target: ServiceFunction, asked: readonly WarehouseTable[]): void {
    const workgroup = { service: 'athena', resource: 'workgroup', resourceName: this.workgroupName };
    const queries = ['athena:StartQueryExecution', 'athena:GetQueryExecution', 'athena:GetQueryResults'];
    allow(target.lambda, queries, [Stack.of(this).formatArn(workgroup)]);
    allow(target.lambda, ['glue:GetTable', 'glue:GetPartitions'], this.glueArns([...asked.map(rawName), ERASED]));
    allow(target.lambda, ['s3:GetBucketLocation', 's3:ListBucket'], [this.files.bucketArn]);
    allow(target.lambda, ['s3:PutObject', 's3:AbortMultipartUpload'], this.arnsOf([`${RESULTS}*`]));
  }

  private arnsOf(keys: readonly string[]): string[] {
    return keys.map((key) => this.files.arnForObjects(key));
  }

  /** Tables are read through their catalog and database. */
  private glueArns(tables: readonly string[]): string[] {
    const resources = ['catalog', `database/${this.name}`, ...tables.map((table) => `table/${this.name}/${table}`)];
    return resources.map((resource) => Stack.of(this).formatArn({ service: 'glue', resource }));
  }

  private bucket(): Bucket {
    const bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // Turned off or deleted by mistake, the history of years stays.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      lifecycleRules: [
        ...WAREHOUSE_TABLE_NAMES.map((table) => ({ prefix: `${table}/`, expiration: Duration.days(this.props.days) })),
        { prefix: RESULTS, expiration: Duration.days(1) },
        // Records that could not be relayed are kept for 14 days: somebody in a late one is still found.
        { prefix: `${ERASED}/`, expiration: Duration.days(30) },
        { prefix: ERRORS, expiration: Duration.days(30) },
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Holds people by pseudonym; CloudTrail has who read it, and the workgroup who asked what.',
    });
    return bucket;
  }

  private deliveryRole(): Role {
    const role = new Role(this, 'DeliveryRole', { assumedBy: new ServicePrincipal('firehose.amazonaws.com') });
    const schemas = ['glue:GetTable', 'glue:GetTableVersion', 'glue:GetTableVersions'];
    allow(role, schemas, this.glueArns(WAREHOUSE_TABLE_NAMES.map(rawName)));
    const bucketActions = ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'];
    allow(role, bucketActions, [this.files.bucketArn]);
    allow(role, ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'], this.arnsOf(WRITTEN));
    for (const id of wildcardsOf(role, this.files, WRITTEN)) {
      const reason = 'Firehose names its files by time; it writes below these prefixes only.';
      Validations.of(role).acknowledge({ id, reason });
    }
    return role;
  }

  private stream(table: WarehouseTable, role: Role, log: LogGroup): CfnDeliveryStream {
    const raw = this.table(table);
    const logStream = new LogStream(this, `Log-${table}`, { logGroup: log, removalPolicy: RemovalPolicy.DESTROY });
    const stream = new CfnDeliveryStream(this, `Stream-${table}`, {
      deliveryStreamName: `fraud-screening-${this.props.stage}-${table}`,
      deliveryStreamType: 'DirectPut',
      deliveryStreamEncryptionConfigurationInput: { keyType: 'AWS_OWNED_CMK' },
      extendedS3DestinationConfiguration: {
        bucketArn: this.files.bucketArn,
        roleArn: role.roleArn,
        prefix: `${table}/dt=!{timestamp:yyyy-MM-dd}/hour=!{timestamp:HH}/`,
        errorOutputPrefix: `${ERRORS}!{firehose:error-output-type}/${table}/dt=!{timestamp:yyyy-MM-dd}/`,
        bufferingHints: { intervalInSeconds: BUFFERED_SECONDS, sizeInMBs: BUFFERED_MIB },
        compressionFormat: 'UNCOMPRESSED',
        cloudWatchLoggingOptions: {
          enabled: true,
          logGroupName: log.logGroupName,
          logStreamName: logStream.logStreamName,
        },
        dataFormatConversionConfiguration: {
          enabled: true,
          inputFormatConfiguration: { deserializer: { openXJsonSerDe: {} } },
          outputFormatConfiguration: { serializer: { parquetSerDe: { compression: 'SNAPPY' } } },
          schemaConfiguration: {
            catalogId: Stack.of(this).account,
            region: Stack.of(this).region,
            databaseName: this.database.ref,
            tableName: raw.ref,
            roleArn: role.roleArn,
            versionId: 'LATEST',
          },
        },
      },
    });
    // Firehose tries the role when the stream is created.
    stream.node.addDependency(role, raw);
    return stream;
  }

  /** The files of a table, and the view that has each event once. */
  private table(table: WarehouseTable): CfnTable {
    const location = `s3://${this.files.bucketName}/${table}/`;
    const raw = this.glueTable(`Raw-${table}`, {
      name: rawName(table),
      tableType: 'EXTERNAL_TABLE',
      partitionKeys: [...PARTITIONS],
      parameters: {
        classification: 'parquet',
        'projection.enabled': 'true',
        'projection.dt.type': 'date',
        'projection.dt.format': 'yyyy-MM-dd',
        'projection.dt.range': 'NOW-5YEARS,NOW',
        'projection.hour.type': 'enum',
        'projection.hour.values': ALL_HOURS,
        'storage.location.template': `${location}dt=\${dt}/hour=\${hour}/`,
      },
      storageDescriptor: {
        columns: columnsOf(table),
        location,
        inputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat',
        outputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat',
        serdeInfo: { serializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' },
      },
    });
    const shown = [...columnsOf(table), ...PARTITIONS].map(({ name, type }) => ({ name, type }));
    const names = shown.map(({ name }) => name);
    const view = {
      originalSql: rowsSql(table, names),
      catalog: 'awsdatacatalog',
      schema: this.name,
      columns: shown.map(({ name, type }) => ({ name, type: PRESTO[type] ?? type })),
    };
    const view64 = Buffer.from(JSON.stringify(view)).toString('base64');
    this.glueTable(`View-${table}`, {
      name: table,
      tableType: 'VIRTUAL_VIEW',
      parameters: { presto_view: 'true', comment: 'Presto View' },
      viewOriginalText: `/* Presto View: ${view64} */`,
      viewExpandedText: '/* Presto View */',
      storageDescriptor: { columns: shown },
    }).node.addDependency(raw);
    return raw;
  }

  private glueTable(id: string, tableInput: CfnTable.TableInputProperty): CfnTable {
    return new CfnTable(this, id, { catalogId: Stack.of(this).account, databaseName: this.database.ref, tableInput });
  }

  /** Who is not to be shown any more, from files of JSON lines. */
  private erased(): void {
    this.glueTable('Erased', {
      name: ERASED,
      tableType: 'EXTERNAL_TABLE',
      parameters: { classification: 'json' },
      storageDescriptor: {
        columns: Object.entries(ERASED_COLUMNS).map(([name, type]) => ({ name, type })),
        location: `s3://${this.files.bucketName}/${ERASED}/`,
        inputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
        outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
        serdeInfo: { serializationLibrary: 'org.openx.data.jsonserde.JsonSerDe' },
      },
    });
  }

  private workgroup(): void {
    const group = new CfnWorkGroup(this, 'Workgroup', {
      name: this.workgroupName,
      description: `Fraud screening, ${this.props.stage}: a query reads at most ${MOST_BYTES / 1024 ** 3} GB`,
      workGroupConfiguration: {
        enforceWorkGroupConfiguration: true,
        publishCloudWatchMetricsEnabled: true,
        bytesScannedCutoffPerQuery: MOST_BYTES,
        resultConfiguration: {
          outputLocation: `s3://${this.files.bucketName}/${RESULTS}`,
          encryptionConfiguration: { encryptionOption: 'SSE_S3' },
        },
      },
    });
    const saved = { database: this.database.ref, workGroup: group.ref };
    for (const { name, description, sql: queryString } of WAREHOUSE_QUERIES) {
      const query = new CfnNamedQuery(this, `Query-${name}`, { ...saved, name, description, queryString });
      query.node.addDependency(group);
    }
  }
}

/** The rule pack's names for grants on many files. */
function wildcardsOf(user: Construct, bucket: Bucket, keys: readonly string[]): string[] {
  const resource = bucket.node.defaultChild as CfnBucket;
  const own = Stack.of(bucket);
  const isNested = Stack.of(user) !== own;
  // A nested stack gets the bucket's ARN as a parameter.
  const name = isNested
    ? `referenceto${Names.nodeUniqueId(resource.node)}Arn`
    : `${own.resolve(resource.logicalId)}.Arn`;
  return keys.map((each) => `AwsSolutions-IAM5[Resource::<${name}>/${each}]`);
}

function allow({ grantPrincipal }: IGrantable, actions: string[], resources: string[]): void {
  grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources }));
}
