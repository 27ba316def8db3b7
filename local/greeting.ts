import { join } from 'node:path';
import { printFailure } from '../shared/cli/command-line';
import { SERVICE_VERSION } from '../shared/domain/api-version';
import { STAGES, type Stage } from '../shared/domain/stage';
import { adminWiring, localClient, stageAddress } from '../shared/runtime/admin-wiring';
import { SDK_ENVIRONMENT } from '../shared/runtime/sdk-environment';
import { createAccount, createKey } from '../shared/usecases/accounts/administer-accounts';
import { readJsonFile, writeJsonFile } from './data-directory';
import type { LocalOptions } from './local-options';
import { type LocalRun, startLocal } from './start-local';

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

export async function greet(run: LocalRun, { inMemory = false }: Pick<LocalOptions, 'inMemory'>): Promise<void> {
  const { account_id, key } = await demoAccount(run);
  const lines = [
    '',
    `  ${run.stackName} is running at ${run.url}`,
    '',
    `  version             ${SERVICE_VERSION}`,
    `  demo account        ${account_id}`,
    `  API key             ${key}`,
    '',
    '  Try it:',
    '',
    `  curl -s ${run.url}/v1/transactions/screen -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"user_id":"user-1","amount":25,"currency":"EUR","ip_address":"91.0.0.1"}'`,
    '',
    `  review console      ${run.url}/console (sign in with the key above)`,
    `  guide               ${run.url}/_local/docs/`,
    `  API reference       ${run.url}/docs`,
    `  OpenAPI             ${run.url}/openapi.json`,
    `  dashboard           ${run.url}/_local/dashboard`,
    `  denied SDK calls    ${run.url}/_local/denials`,
    `  data                ${run.dataDir}`,
    `  function logs       ${run.logDir}`,
    '  more accounts       npm run admin -- help',
    '',
    `  Press Ctrl-C to stop. ${inMemory ? 'Data is in memory only and will be lost' : 'Data is kept for the next run'}.`,
    '',
  ];
  console.log(lines.join('\n'));
}

function stopOnSignals(run: Promise<LocalRun>): void {
  let stopping = false;
  const stop = (): void => {
    // A second Ctrl-C means now.
    if (stopping) process.exit(1);
    stopping = true;
    console.log('\nStopping');
    run
      .then((started) => started.stop())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

/** The command line around a run: progress with elapsed time, a greeting, signals, and errors in one sentence. */
export async function runUntilStopped(
  options: () => LocalOptions | undefined,
  greet: (run: LocalRun, options: LocalOptions) => Promise<void>,
): Promise<void> {
  // Lambda's clock is UTC; threads take it from the process.
  process.env.TZ = 'UTC';
  Object.assign(process.env, SDK_ENVIRONMENT);
  const started = performance.now();
  const print = (line: string): void =>
    console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
  try {
    const chosen = options();
    if (!chosen) return;
    const run = startLocal({ print, ...chosen });
    stopOnSignals(run);
    const running = await run;
    print('Ready');
    await greet(running, chosen).catch(async (error: unknown) => {
      await running.stop();
      throw error;
    });
  } catch (error) {
    printFailure(error);
    process.exit(1);
  }
}
