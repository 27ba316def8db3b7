import { join } from 'node:path';
import { STAGES, type Stage } from '../shared/domain/stage';
import { adminWiring, localClient, stageAddress } from '../shared/runtime/admin-wiring';
import { createAccount, createKey } from '../shared/usecases/accounts/administer-accounts';
import { readJsonFile, writeJsonFile } from './json-file';
import type { LocalRun } from './start-local';

interface DemoAccount {
  readonly account_id: string;
  readonly key: string;
}

/**
 * The account for a newcomer's first calls. Its key is in the data directory, readable by its owner only: it is valid
 * only for the run on this machine, and yesterday's curl command still works today.
 */
export async function demoAccount(run: LocalRun): Promise<DemoAccount> {
  const stage = STAGES.find((known) => run.stackName.endsWith(known)) as Stage;
  const file = join(run.dataDir, 'demo-account.json');
  const admin = adminWiring(stage, stageAddress(run.outputs, localClient(run)));
  const kept = readJsonFile<DemoAccount | undefined>(file, undefined);
  if (kept && (await admin.accounts.account(kept.account_id))) return kept;
  const { account_id } = await createAccount(admin, 'Demo');
  const { key } = await createKey(admin, account_id, 'demo key');
  writeJsonFile(file, { account_id, key });
  return { account_id, key };
}
