import { APIGatewayClient, CreateApiKeyCommand, CreateUsagePlanKeyCommand } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Stage } from '../domain/stage';
import { type AccountAdminStore, accountAdminStore } from '../store/account-store';
import { labelReader } from '../store/label-store';
import type { AdminDeps } from '../usecases/administer-accounts';
import { systemClock } from './clock';
import { newId } from './ids';
import { randomBytes } from './random';

/** What an administrator must know of a stage. */
export interface StageAddress {
  readonly tableName: string;
  readonly usagePlanId: string;
  /** How to reach AWS; empty for the caller's own credentials and region. */
  readonly client: object;
}

/** How an SDK client reaches the local run as its administrator, whose calls are not held to a function's policy. */
export const localClient = (awsEndpoint: string) => ({
  endpoint: awsEndpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local-admin', secretAccessKey: 'local' },
});

export type AdminWiring = AdminDeps & {
  readonly accounts: AccountAdminStore;
  readonly labels: ReturnType<typeof labelReader>;
};

/** Everything that administers a stage, for the command line, the local run and tests; no function imports it. */
export function adminWiring(stage: Stage, { tableName, usagePlanId, client }: StageAddress): AdminWiring {
  const gateway = new APIGatewayClient(client);
  const document = DynamoDBDocumentClient.from(new DynamoDBClient(client));
  return {
    stage,
    clock: systemClock,
    newId,
    randomBytes,
    accounts: accountAdminStore({ client: document, name: tableName }),
    labels: labelReader({ client: document, name: tableName }),
    createRateLimitKey: async (name, value) => {
      const { id } = await gateway.send(new CreateApiKeyCommand({ name, value, enabled: true }));
      if (!id) throw new Error('API Gateway returned a key without an id');
      await gateway.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId: id, keyType: 'API_KEY' }));
      return id;
    },
  };
}
