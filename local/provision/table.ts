import type { TableKeys } from '../aws/dynamodb-actions';
import { type AwsClient, BackendError } from '../backends/aws-client';
import { StartError } from '../start-error';
import type { StackResource } from '../template/types';

interface KeyPart {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

interface Index {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyPart[];
  readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
}

interface TableProperties {
  readonly AttributeDefinitions: readonly { readonly AttributeName: string; readonly AttributeType: string }[];
  readonly KeySchema: readonly KeyPart[];
  readonly GlobalSecondaryIndexes?: readonly Index[];
  readonly LocalSecondaryIndexes?: readonly Index[];
  readonly StreamSpecification?: { readonly StreamViewType: string };
  readonly TimeToLiveSpecification?: { readonly AttributeName?: string; readonly Enabled: boolean };
}

type Described = TableProperties & { readonly TableName: string };

const plainIndex = ({ IndexName, KeySchema, Projection }: Index): Index => ({
  IndexName,
  KeySchema,
  Projection: Projection ?? { ProjectionType: 'ALL' },
});

/** What cannot be changed in a table that has data, as text for comparison. */
function shape(table: TableProperties): string {
  const keys = (schema: readonly KeyPart[]): string =>
    schema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).join(', ');
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])].map(
    ({ IndexName, KeySchema, Projection }) =>
      `${IndexName}(${keys(KeySchema)}; ${Projection?.ProjectionType ?? 'ALL'} ${[...(Projection?.NonKeyAttributes ?? [])].sort()})`,
  );
  const types = table.AttributeDefinitions.map(
    ({ AttributeName, AttributeType }) => `${AttributeName}:${AttributeType}`,
  );
  return [keys(table.KeySchema), indexes.sort(), types.sort(), table.StreamSpecification?.StreamViewType].join(' | ');
}

async function describe(client: AwsClient, name: string): Promise<Described | undefined> {
  try {
    return (await client.call<{ Table: Described }>('DynamoDB_20120810.DescribeTable', { TableName: name })).Table;
  } catch (error) {
    if (error instanceof BackendError && error.type === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

async function create(client: AwsClient, name: string, table: TableProperties): Promise<void> {
  const { GlobalSecondaryIndexes: global, LocalSecondaryIndexes: local, StreamSpecification: stream } = table;
  await client.call('DynamoDB_20120810.CreateTable', {
    TableName: name,
    AttributeDefinitions: table.AttributeDefinitions,
    KeySchema: table.KeySchema,
    BillingMode: 'PAY_PER_REQUEST',
    ...(global?.length ? { GlobalSecondaryIndexes: global.map(plainIndex) } : {}),
    ...(local?.length ? { LocalSecondaryIndexes: local.map(plainIndex) } : {}),
    ...(stream ? { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.StreamViewType } } : {}),
  });
  const ttl = table.TimeToLiveSpecification;
  if (ttl?.Enabled) {
    const TimeToLiveSpecification = { AttributeName: ttl.AttributeName, Enabled: true };
    await client.call('DynamoDB_20120810.UpdateTimeToLive', { TableName: name, TimeToLiveSpecification });
  }
}

/** Creates the table as the template describes it, or takes over an earlier run's; returns whether it is new. */
export async function provisionTable(client: AwsClient, resource: StackResource): Promise<'created' | 'kept'> {
  const wanted = resource.properties as unknown as TableProperties;
  const existing = await describe(client, resource.ref);
  if (!existing) {
    await create(client, resource.ref, wanted);
    return 'created';
  }
  if (shape(existing) !== shape(wanted)) {
    throw new StartError(
      `The table ${resource.name} from an earlier run has different keys, indexes or stream settings than the template. Start once with --reset to clear the local data.`,
    );
  }
  return 'kept';
}

/** Partition keys of a table and its indexes, for `dynamodb:LeadingKeys`. */
export function tableKeys({ properties }: StackResource): TableKeys {
  const table = properties as unknown as TableProperties;
  const hashOf = (schema: readonly KeyPart[]): string =>
    schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  return {
    partitionKey: hashOf(table.KeySchema),
    indexes: Object.fromEntries(indexes.map(({ IndexName, KeySchema }) => [IndexName, hashOf(KeySchema)])),
  };
}
