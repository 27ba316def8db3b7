import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  GetApiKeysCommand,
} from '@aws-sdk/client-api-gateway';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Pseudonyms, pseudonymsBy } from '../domain/entities/pseudonyms';
import type { Sealer } from '../domain/sealer';
import type { Stage } from '../domain/stage';
import { aesSealer, sealedVersion } from '../secrets/aes-sealer';
import { secretsManagerDataKeys } from '../secrets/data-keys';
import {
  identityKeys,
  parseStageSecret,
  type StageSecret,
  withDataKey,
  withIdentityKey,
} from '../secrets/stage-pseudonyms';
import { type AccountAdminStore, accountAdminStore } from '../store/accounts/account-store';
import { afdMappingStore } from '../store/afd/afd-store';
import { entryRemover } from '../store/lists/entry-remover';
import { entryStore } from '../store/lists/entry-store';
import { listReader, listWriter } from '../store/lists/list-store';
import { entryRekeyer } from '../store/lists/rekey-entry';
import { labelReader } from '../store/models/label-store';
import { inboundAdmin } from '../store/outcomes/inbound-store';
import { traceStore } from '../store/personal-data/trace-store';
import type { Table } from '../store/sdk/client';
import { type StoredText, sealedStore } from '../store/secrets/sealed-store';
import { type TableCopyStore, tableCopyStore } from '../store/table-copy-store';
import { webhookSecretRotator } from '../store/webhooks/webhook-store';
import type { AdminDeps } from '../usecases/accounts/administer-accounts';
import type { ResealDeps } from '../usecases/secrets/reseal';
import { systemClock } from './clock';
import { newId, randomBytes } from './ids';
import { LOCAL_ADMIN, localCredentials } from './local-credentials';

export interface StageAddress {
  readonly tableName: string;
  readonly usagePlanId: string;
  readonly dataKeySecretId: string;
  /** How to reach AWS; empty to use the caller's own credentials and region. */
  readonly client: object;
}

export function stageAddress(outputs: Readonly<Record<string, string>>, client: object): StageAddress {
  const { TableName: tableName = '', UsagePlanId: usagePlanId = '', DataKeySecretId: dataKeySecretId = '' } = outputs;
  return { tableName, usagePlanId, dataKeySecretId, client };
}

/** How an SDK client reaches the local run as its administrator, whose calls are not limited by a function's policy. */
export const localClient = ({ awsEndpoint, secret }: { readonly awsEndpoint: string; readonly secret: string }) => ({
  endpoint: awsEndpoint,
  region: 'us-east-1',
  credentials: localCredentials(secret, LOCAL_ADMIN),
});

const listAdmin = (table: Table, sealer: Sealer) => ({
  definitions: { ...listReader(table), ...listWriter(table) },
  entries: { ...entryStore(table, sealer), ...entryRemover(table) },
  ...entryRekeyer(table),
});

// As many as the template's own generator makes: more than the derived key holds.
const DATA_KEY_BYTES = 48;

export type AdminWiring = AdminDeps & {
  readonly accounts: AccountAdminStore;
  readonly labels: ReturnType<typeof labelReader>;
  readonly afdMappings: ReturnType<typeof afdMappingStore>;
  /** The stage's table itself, for commands that write through their own stores. */
  readonly table: Table;
  readonly tableNamed: (name: string | undefined) => TableCopyStore;
  /** Personal data in a table of the stage. */
  readonly tracesIn: (name: string | undefined) => ReturnType<typeof traceStore>;
  readonly webhookSecrets: ReturnType<typeof webhookSecretRotator>;
  readonly inbound: ReturnType<typeof inboundAdmin>;
  readonly lists: ReturnType<typeof listAdmin>;
  readonly dataKey: ResealDeps<StoredText> & {
    readonly addVersion: () => Promise<string>;
  };
  readonly identity: {
    readonly pseudonyms: () => Promise<Pseudonyms>;
    readonly addKey: () => Promise<void>;
  };
};

/** Everything needed to administer a stage, for the command line, the local run and tests; no function imports it. */
export function adminWiring(stage: Stage, address: StageAddress): AdminWiring {
  const { tableName, usagePlanId, dataKeySecretId, client } = address;
  const gateway = new APIGatewayClient(client);
  const dynamodb = new DynamoDBClient(client);
  const document = DynamoDBDocumentClient.from(dynamodb);
  const table = { client: document, name: tableName };
  const keys = secretsManagerDataKeys(dataKeySecretId, systemClock, client);
  const sealer = aesSealer(keys, randomBytes);
  const secrets = new SecretsManagerClient(client);
  const readSecret = async (): Promise<StageSecret> => {
    const { SecretString: text } = await secrets.send(new GetSecretValueCommand({ SecretId: dataKeySecretId }));
    return parseStageSecret(text ?? '');
  };
  const changeSecret = async (change: (old: StageSecret, material: string) => StageSecret): Promise<string> => {
    const material = Buffer.from(randomBytes(DATA_KEY_BYTES)).toString('base64url');
    const SecretString = JSON.stringify(change(await readSecret(), material));
    const { VersionId } = await secrets.send(new PutSecretValueCommand({ SecretId: dataKeySecretId, SecretString }));
    if (!VersionId) throw new Error('Secrets Manager returned no version');
    return VersionId;
  };
  return {
    stage,
    table,
    clock: systemClock,
    newId,
    randomBytes,
    accounts: accountAdminStore(table),
    labels: labelReader(table),
    afdMappings: afdMappingStore(table),
    webhookSecrets: webhookSecretRotator(table, sealer),
    inbound: inboundAdmin(table, sealer),
    lists: listAdmin(table, sealer),
    dataKey: {
      sealed: sealedStore(table),
      sealer,
      versionOf: sealedVersion,
      currentVersion: async () => (await keys.current()).version,
      addVersion: () => changeSecret(withDataKey),
    },
    identity: {
      pseudonyms: async () => pseudonymsBy(identityKeys(await readSecret())),
      addKey: async () => void (await changeSecret(withIdentityKey)),
    },
    tableNamed: (name = tableName) => tableCopyStore(dynamodb, name),
    tracesIn: (name = tableName) => traceStore({ client: table.client, name }),
    ensureRateLimitKey: async (name, value) => {
      const { items: known = [] } = await gateway.send(new GetApiKeysCommand({ nameQuery: name, includeValues: true }));
      const existing = known.find((key) => key.value === value)?.id;
      const { id = existing } = existing
        ? {}
        : await gateway.send(new CreateApiKeyCommand({ name, value, enabled: true }));
      if (!id) throw new Error('API Gateway returned a key without an id');
      const attach = new CreateUsagePlanKeyCommand({ usagePlanId, keyId: id, keyType: 'API_KEY' });
      await gateway.send(attach).catch((error: Error) => {
        // Already in the plan.
        if (error.name !== 'ConflictException') throw error;
      });
      return id;
    },
    deleteRateLimitKey: async (id) => void (await gateway.send(new DeleteApiKeyCommand({ apiKey: id }))),
  };
}
