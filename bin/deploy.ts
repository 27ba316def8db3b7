import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { readCommandLine, runCommand, UsageError } from '../shared/cli/command-line';
import { deploy } from './deploy/deploy';
import { DEPLOY_LINE, readDeployment } from './deploy/deployment-steps';

function runs([command, ...args]: readonly string[], cwd: string): boolean {
  console.log(`> ${command} ${args.join(' ')}`);
  return spawnSync(command ?? '', args, { cwd, stdio: 'inherit' }).status === 0;
}

/** `-- --profile acme` is meant for cdk; the options are read with the same credentials. */
function profileIn(rest: readonly string[]): string | undefined {
  const text = rest.join('=');
  return /(?:^|=)--profile=([^=]+)/.exec(text)?.[1];
}

runCommand(async () => {
  const deployment = readDeployment(process.argv.slice(2));
  if (deployment === 'help') return void readCommandLine(DEPLOY_LINE, ['--help']);
  if ('problem' in deployment) throw new UsageError(deployment.problem);
  const { given, rest } = deployment;
  const profile = profileIn(rest);
  const cloudFormation = new CloudFormationClient({
    ...(given.region ? { region: given.region } : {}),
    ...(profile ? { profile } : {}),
  });
  const isDone = await deploy(deployment, { cloudFormation, runs, print: console.log, root: join(__dirname, '..') });
  if (!isDone) process.exitCode = 1;
});
