import { randomBytes } from 'node:crypto';
import type { ApiKeys } from '../aws/api-gateway-keys';
import type { S3Mirror } from '../aws/s3-mirror';
import type { SecretsManager } from '../aws/secrets-manager';
import type { Backends } from '../backends/start-backends';
import type { DataDirectory } from '../data-directory';
import type { Stacks } from '../template/resolve-stacks';
import { type GenerateSecretString, generateSecret } from './generate-secret';
import { restoreMessages } from './messages';
import { provisionQueue } from './queue';
import { provisionTable } from './table';

export interface ProvisionDeps {
  readonly stacks: Stacks;
  readonly backends: Backends;
  readonly secrets: SecretsManager;
  readonly keys: ApiKeys;
  readonly mirror: S3Mirror | undefined;
  readonly data: DataDirectory;
}

/** What provisioning learned. */
export interface Provisioned {
  /** Tables that existed before this run. */
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

/** Creates everything in the template that holds data, or takes over what an earlier run left. */
export async function provision(deps: ProvisionDeps): Promise<Provisioned> {
  secretsOf(deps);
  keysOf(deps);
  const [oldTables, queueUrls] = await Promise.all([tables(deps), queuesAndBuckets(deps)]);
  return { oldTables, queueUrls };
}
