import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { mergeOptions, type Options, optionLines } from '../../lib/kept-options';
import { UsageError } from '../../shared/cli/command-line';
import { keptOptions } from './deployed-stack';
import { type Deployment, type DeploymentSteps, deploymentSteps } from './deployment-steps';

export interface DeployDeps {
  readonly cloudFormation: Pick<CloudFormationClient, 'send'>;
  /** Runs a command in the caller's terminal; false if it failed. */
  readonly runs: (command: readonly string[], cwd: string) => boolean;
  readonly print: (text: string) => void;
  /** The checkout. */
  readonly root: string;
}

/** The options to deploy with; anything unclear is a `UsageError`, before anything is touched. */
async function optionsOf(deployment: Deployment, { cloudFormation, print }: DeployDeps): Promise<Options> {
  const { stage, given, drop, adopt } = deployment;
  const found = await keptOptions(cloudFormation, stage);
  if (found === 'unknown' && !adopt) {
    throw new UsageError(
      `FraudScreening-${stage} keeps no options: an older version deployed it. Give every option that it has ` +
        '(-c name=value), and add --adopt; what you leave out is lost: a domain, sign-in, subscriptions, event bus, quota.',
    );
  }
  if (found !== 'unknown' && adopt) {
    throw new UsageError(`FraudScreening-${stage} keeps its options already. Leave out --adopt.`);
  }
  const kept = found === 'unknown' ? {} : found;
  const merged = mergeOptions(stage, kept, { given, drop });
  if ('problem' in merged) throw new UsageError(merged.problem);
  const lines = optionLines(kept, merged.options);
  print(lines.length === 0 ? `Options of ${stage}: none` : [`Options of ${stage}:`, ...lines].join('\n'));
  return merged.options;
}

/** Runs steps around some work; what they made is removed whatever happens. */
function within(
  { before, after }: Pick<DeploymentSteps, 'before' | 'after'>,
  directory: string,
  { runs, root }: DeployDeps,
  work: () => boolean,
): boolean {
  try {
    return before.every(({ command, inside }) => runs(command, inside ? directory : root)) && work();
  } finally {
    for (const command of after) runs(command, root);
  }
}

const newCopy = (): string => join(mkdtempSync(join(tmpdir(), 'fraud-screening-')), 'source');

/** Deploys a stage with the options that it keeps; false if a step failed. */
export async function deploy(deployment: Deployment, deps: DeployDeps): Promise<boolean> {
  const options = await optionsOf(deployment, deps);
  const directory = deployment.commit ? newCopy() : deps.root;
  const steps = deploymentSteps(deployment, options, directory);
  return within(steps, directory, deps, () => deps.runs(steps.deploy, directory));
}
