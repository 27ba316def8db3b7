import type { LocalRun } from './start-local';

/** What the person at the terminal sees once everything is up. */
export async function greet(run: LocalRun): Promise<void> {
  const lines = [
    '',
    `  ${run.stackName} runs at ${run.url}`,
    `  API documentation   ${run.url}/docs`,
    `  refused SDK calls   ${run.url}/_local/denials`,
    `  data                ${run.dataDir}`,
    `  function logs       ${run.logDir}`,
    '',
    '  Ctrl-C stops everything; the data stays.',
    '',
  ];
  console.log(lines.join('\n'));
}
