import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Stage } from '../domain/stage';
import { accountDirectory } from '../store/accounts/account-store';
import { labelReader } from '../store/models/label-store';
import { modelRegistry } from '../store/models/model-registry';
import { screeningReader } from '../store/screening/screening-reader';
import { type BucketAddress, s3ObjectStore } from '../store/sdk/object-store';
import type { StageAddress } from './admin-wiring';
import { loadBaseModel } from './base-model-file';
import { systemClock } from './clock';

/** Where a stage's table is, and which registry it follows. */
export type ModelAddress = Pick<StageAddress, 'tableName' | 'client'> & { readonly models: BucketAddress };

/** Everything that the models' command line is made of; no function imports it. */
export function modelAdminWiring(stage: Stage, { tableName, client, models }: ModelAddress) {
  const table = { client: DynamoDBDocumentClient.from(new DynamoDBClient(client)), name: tableName };
  const { accountIds } = accountDirectory(table);
  const { storedInMonth, pagesInMonth } = labelReader(table);
  return {
    stage,
    clock: systemClock,
    accounts: accountIds,
    labels: { accounts: accountIds, storedInMonth, pagesInMonth },
    screenings: screeningReader(table),
    registry: modelRegistry(s3ObjectStore(models)),
    /** The model that ships with the functions; undefined if the signals alone are the base. */
    base: () => loadBaseModel(__dirname),
  };
}

export type ModelAdminWiring = ReturnType<typeof modelAdminWiring>;
