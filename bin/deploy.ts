import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '../shared/cli/command-line';
import { DEPLOY_LINE, deploymentSteps, readDeployment } from './deploy/deployment-steps';

/** Runs one step in the caller's terminal; false if it failed. */
function runs([command, ...args]: readonly string[], cwd: string): boolean {
  console.log(`> ${command} ${args.join(' ')}`);
  return spawnSync(command ?? '', args, { cwd, stdio: 'inherit' }).status === 0;
}

function main(): number {
  const deployment = readDeployment(process.argv.slice(2));
  if (deployment === 'help') {
    readCommandLine(DEPLOY_LINE, ['--help']);
    return 0;
  }
  if ('problem' in deployment) {
    console.error(deployment.problem);
    return 1;
  }
  const root = join(__dirname, '..');
  const older = deployment.commit ? join(mkdtempSync(join(tmpdir(), 'fraud-screening-')), 'source') : root;
  const { before, deploy, after } = deploymentSteps(deployment, older);
  const isDone = before.every(({ command, inside }) => runs(command, inside ? older : root)) && runs(deploy, older);
  for (const command of after) runs(command, root);
  return isDone ? 0 : 1;
}

process.exitCode = main();
