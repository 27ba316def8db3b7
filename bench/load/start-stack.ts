import { join } from 'node:path';
import { type Athena, athena } from '../../local/aws/athena';
import { type LocalOptions, serviceAssembly } from '../../local/local-options';
import { type LocalRun, startLocal } from '../../local/start-local';
import { loadAssembly } from '../../local/template/load-assembly';
import { resolveStacks } from '../../local/template/resolve-stack';
import { type AdminWiring, adminWiring, localClient, stageAddress } from '../../shared/runtime/admin-wiring';
import { createAccount, createKey } from '../../shared/usecases/accounts/administer-accounts';

const ROOT = join(__dirname, '../..');

export interface LoadedStack {
  readonly run: LocalRun;
  readonly assembly: string;
  readonly admin: AdminWiring;
  readonly accounts: ReadonlyArray<{ readonly account_id: string; readonly key: string }>;
}

/** Asks the files of a stack's warehouse, as Athena would. */
export function warehouseQuery({ run, assembly }: Pick<LoadedStack, 'run' | 'assembly'>): Athena['query'] {
  const stacks = resolveStacks(loadAssembly(assembly, run.stackName), run.awsEndpoint);
  return athena(stacks, join(run.dataDir, 'warehouse')).query;
}

/** Starts the stack in memory, in this process: the seams for faults and meters are functions. */
export async function startStack(
  name: string,
  accounts: number,
  { context = {}, ...options }: Partial<LocalOptions> & { readonly context?: Readonly<Record<string, string>> } = {},
): Promise<LoadedStack> {
  // Lambda's clock is UTC; threads take it from the process.
  process.env.TZ = 'UTC';
  const dataDir = options.dataDir ?? join(ROOT, '.local', name);
  const assembled = serviceAssembly(`${dataDir}-assembly`, context, 'sandbox');
  const run = await startLocal({
    ...assembled,
    stackName: 'FraudScreening-sandbox',
    dataDir,
    port: 0,
    inMemory: true,
    ...options,
  });
  const admin = adminWiring('sandbox', stageAddress(run.outputs, localClient(run)));
  const made: { account_id: string; key: string }[] = [];
  for (let number = 1; number <= accounts; number++) {
    const { account_id } = await createAccount(admin, `${name} ${number}`);
    made.push({ account_id, key: (await createKey(admin, account_id, null)).key });
  }
  return { run, assembly: assembled.assembly, admin, accounts: made };
}
