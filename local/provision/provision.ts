import { randomBytes, randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { ApiKeys } from '../aws/api-gateway-keys';
import type { TableKeys } from '../aws/dynamodb-actions';
import type { S3Mirror } from '../aws/s3-actions';
import type { SecretsManager } from '../aws/secrets-manager';
import { type AwsClient, BackendError } from '../backends/aws-client';
import type { Backends } from '../backends/start-backends';
import { type DataDirectory, readJsonFile, writeJsonFile } from '../data-directory';
import { StartError } from '../start-error';
import type { StackResource, Stacks } from '../template/resolve-stack';

interface Message {
  readonly body: string;
  readonly messageAttributes?: Readonly<Record<string, unknown>>;
  readonly delayUntil?: number;
  readonly messageGroupId?: string;
  readonly messageDeduplicationId?: string;
}

interface Inspected {
  readonly messages: {
    readonly ready: readonly Message[];
    readonly delayed: readonly Message[];
    readonly inflight: readonly { readonly message: Message }[];
  };
}

type Saved = Readonly<Record<string, readonly Message[]>>;

const MAX_DELAY_SECONDS = 900;

/**
 * fauxqs keeps messages in memory only. An orderly stop saves them and the next start resends them (with new
 * IDs and a receive count of zero). After a kill they are lost, unlike in AWS.
 */
export async function saveMessages(client: AwsClient, queueNames: Iterable<string>, file: string): Promise<void> {
  const saved: Record<string, readonly Message[]> = {};
  const headers = { authorization: client.authorization('sqs') };
  for (const name of queueNames) {
    const reply = await client.send({ method: 'GET', path: `/_fauxqs/queues/${name}`, headers });
    if (reply.status !== 200) continue;
    const { messages } = JSON.parse(reply.body.toString()) as Inspected;
    const all = [...messages.inflight.map(({ message }) => message), ...messages.ready, ...messages.delayed];
    if (all.length > 0) saved[name] = all;
  }
  writeJsonFile(file, saved);
}

/** Resends the messages of the last orderly stop to their queues. */
export async function restoreMessages(
  client: AwsClient,
  queueUrls: ReadonlyMap<string, string>,
  file: string,
): Promise<void> {
  const saved = readJsonFile<Saved>(file, {});
  for (const [name, url] of queueUrls) {
    for (const message of saved[name] ?? []) {
      const waitSeconds = Math.ceil(((message.delayUntil ?? 0) - Date.now()) / 1_000);
      await client.call('AmazonSQS.SendMessage', {
        QueueUrl: url,
        MessageBody: message.body,
        MessageAttributes: message.messageAttributes ?? {},
        ...(message.messageGroupId
          ? { MessageGroupId: message.messageGroupId, MessageDeduplicationId: message.messageDeduplicationId }
          : { DelaySeconds: Math.min(Math.max(waitSeconds, 0), MAX_DELAY_SECONDS) }),
      });
    }
  }
  rmSync(file, { force: true });
}

export interface GenerateSecretString {
  readonly SecretStringTemplate?: string;
  readonly GenerateStringKey?: string;
  readonly PasswordLength?: number;
  readonly ExcludeCharacters?: string;
  readonly ExcludeLowercase?: boolean;
  readonly ExcludeUppercase?: boolean;
  readonly ExcludeNumbers?: boolean;
  readonly ExcludePunctuation?: boolean;
  readonly IncludeSpace?: boolean;
  readonly RequireEachIncludedType?: boolean;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const DEFAULT_LENGTH = 32;

const pick = (characters: string): string => characters[randomInt(characters.length)] ?? '';

function password(options: GenerateSecretString): string {
  const allowed = (characters: string): string =>
    [...characters].filter((character) => !options.ExcludeCharacters?.includes(character)).join('');
  const types = [
    options.ExcludeLowercase ? '' : LOWER,
    options.ExcludeUppercase ? '' : LOWER.toUpperCase(),
    options.ExcludeNumbers ? '' : '0123456789',
    options.ExcludePunctuation ? '' : PUNCTUATION,
    options.IncludeSpace ? ' ' : '',
  ]
    .map(allowed)
    .filter((characters) => characters.length > 0);
  const required = options.RequireEachIncludedType === false ? [] : types.map(pick);
  const all = types.join('');
  const characters = [...required];
  while (characters.length < (options.PasswordLength ?? DEFAULT_LENGTH)) {
    characters.splice(randomInt(characters.length + 1), 0, pick(all));
  }
  return characters.join('');
}

/** A fresh secret as Secrets Manager would generate it, inside the given template if there is one. */
export function generateSecret(options: GenerateSecretString): string {
  const generated = password(options);
  if (options.SecretStringTemplate === undefined || options.GenerateStringKey === undefined) return generated;
  const template = JSON.parse(options.SecretStringTemplate) as Record<string, unknown>;
  return JSON.stringify({ ...template, [options.GenerateStringKey]: generated });
}

/** Template properties that are queue attributes of the same name; encryption has no meaning in memory. */
const ATTRIBUTES: readonly string[] = [
  'VisibilityTimeout',
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
];

/** The queue attributes of a template's queue, as CreateQueue takes them: strings, the redrive policy as JSON. */
export function queueAttributes(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = {};
  for (const name of ATTRIBUTES) {
    const value = properties[name];
    if (value === undefined) continue;
    attributes[name] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  return attributes;
}

/** Creates the queue and returns its URL in the emulator; functions use a URL that leads to the front. */
export async function provisionQueue(client: AwsClient, resource: StackResource): Promise<string> {
  const input = { QueueName: resource.attribute('QueueName'), Attributes: queueAttributes(resource.properties) };
  return (await client.call<{ QueueUrl: string }>('AmazonSQS.CreateQueue', input)).QueueUrl;
}

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

/** The part of a table that cannot be changed once it has data, as text for comparison. */
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

export interface ProvisionDeps {
  readonly stacks: Stacks;
  readonly backends: Backends;
  readonly secrets: SecretsManager;
  readonly keys: ApiKeys;
  readonly mirror: S3Mirror | undefined;
  readonly data: DataDirectory;
}

export interface Provisioned {
  readonly oldTables: ReadonlySet<string>;
  /** Queue name → its URL in the emulator. */
  readonly queueUrls: ReadonlyMap<string, string>;
}

async function tables({ stacks, backends }: ProvisionDeps): Promise<ReadonlySet<string>> {
  const old = new Set<string>();
  for (const table of stacks.ofType('AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table')) {
    if ((await provisionTable(backends.dynamodb, table)) === 'kept') old.add(table.ref);
  }
  return old;
}

async function queuesAndBuckets({
  stacks,
  backends,
  mirror,
  data,
}: ProvisionDeps): Promise<ReadonlyMap<string, string>> {
  const client = backends.fauxqs;
  for (const { ref } of stacks.ofType('AWS::S3::Bucket')) {
    const headers = { authorization: client.authorization('s3'), 'content-length': 0 };
    await client.send({ method: 'PUT', path: `/${ref}`, headers });
  }
  await mirror?.restore();
  const queues = stacks.ofType('AWS::SQS::Queue');
  // Dead-letter queues first: a redrive policy may only name a queue that exists.
  const ordered = [...queues].sort(
    (left, right) => Number('RedrivePolicy' in left.properties) - Number('RedrivePolicy' in right.properties),
  );
  const urls = new Map<string, string>();
  for (const queue of ordered) urls.set(queue.attribute('QueueName'), await provisionQueue(client, queue));
  if (backends.ours) await restoreMessages(client, urls, data.messages);
  return urls;
}

function secretsOf({ stacks, secrets }: ProvisionDeps): void {
  for (const secret of stacks.ofType('AWS::SecretsManager::Secret')) {
    const { SecretString: given, GenerateSecretString: generate, Name: name } = secret.properties;
    const initial = () =>
      typeof given === 'string' ? given : generateSecret((generate ?? {}) as GenerateSecretString);
    secrets.provision(secret.ref, typeof name === 'string' ? name : secret.logicalId, initial);
  }
}

function keysOf({ stacks, keys }: ProvisionDeps): void {
  for (const { ref, properties, name } of stacks.ofType('AWS::ApiGateway::ApiKey')) {
    const value = typeof properties.Value === 'string' ? properties.Value : randomBytes(20).toString('hex');
    keys.provision({ id: ref, name: String(properties.Name ?? name), value, enabled: properties.Enabled !== false });
  }
  for (const { properties } of stacks.ofType('AWS::ApiGateway::UsagePlanKey')) {
    keys.attach(String(properties.UsagePlanId), String(properties.KeyId));
  }
}

/** Creates everything in the template that holds data, or takes over an earlier run's. */
export async function provision(deps: ProvisionDeps): Promise<Provisioned> {
  secretsOf(deps);
  keysOf(deps);
  const [oldTables, queueUrls] = await Promise.all([tables(deps), queuesAndBuckets(deps)]);
  return { oldTables, queueUrls };
}
