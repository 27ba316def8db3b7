import { SERVICE_VERSION } from '../shared/runtime/service-version';
import { demoAccount } from './demo-account';
import type { LocalOptions } from './options';
import type { LocalRun } from './start-local';

/** What the terminal shows once everything is up. */
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
