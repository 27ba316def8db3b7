import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DomainError } from '../domain/errors';
import { leadsSandbox } from '../domain/models/registry-state';
import type { Stage } from '../domain/stage';
import { accountDirectory } from '../store/accounts/account-store';
import { labelReader } from '../store/models/label-store';
import { type ModelRegistry, modelRegistry, registryPrefix } from '../store/models/model-registry';
import { screeningReader } from '../store/screening/screening-reader';
import { type BucketAddress, s3ObjectStore } from '../store/sdk/object-store';
import type { StageAddress } from './admin-wiring';
import { loadBaseModel } from './base-model-file';
import { systemClock } from './clock';

export type ModelAddress = Pick<StageAddress, 'tableName' | 'client'> & { readonly models: BucketAddress };

/** The registry that a stage scores with. Sandbox reads production's while that one leads, and cannot change it. */
async function registryOf(stage: Stage, models: BucketAddress): Promise<{ registry: ModelRegistry; from: string }> {
  const objects = s3ObjectStore(models);
  const at = (each: Stage) => modelRegistry(objects, registryPrefix(each));
  const leader = at('production');
  if (stage === 'production' || !leadsSandbox((await leader.state()).state))
    return { registry: at(stage), from: `${models.bucket}/${registryPrefix(stage)}` };
  const refuse = () => {
    throw new DomainError(
      'invalid_request',
      "Sandbox follows production's models. To change those, add --stage production.",
    );
  };
  return {
    registry: { ...leader, change: refuse, store: refuse },
    from: `${models.bucket}/, where sandbox follows production`,
  };
}

/** Everything that the models' command line is made of; no function imports it. */
export async function modelAdminWiring(stage: Stage, { tableName, client, models }: ModelAddress) {
  const table = { client: DynamoDBDocumentClient.from(new DynamoDBClient(client)), name: tableName };
  const { accountIds } = accountDirectory(table);
  const { storedInMonth, pagesInMonth } = labelReader(table);
  return {
    stage,
    clock: systemClock,
    accounts: accountIds,
    labels: { accounts: accountIds, storedInMonth, pagesInMonth },
    screenings: screeningReader(table),
    ...(await registryOf(stage, models)),
    base: () => loadBaseModel(__dirname),
  };
}

export type ModelAdminWiring = Awaited<ReturnType<typeof modelAdminWiring>>;
