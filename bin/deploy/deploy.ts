import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { mergeOptions, type Options, optionLines } from '../../lib/kept-options';
import { readStackTemplates, type StackTemplates } from '../../lib/stack-templates';
import { updateRefusals } from '../../lib/template-rules/update-rules';
import { UsageError } from '../../shared/cli/command-line';
import { changesText } from './changes-text';
import { deployedTemplates, keptOptions } from './deployed-stack';
import { contextArguments, copyOf, type Deployment, type DeploymentSteps, deploymentSteps } from './deployment-steps';

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
  const { stage, given, drop, adopt, dryRun, from } = deployment;
  const found = from === undefined ? await keptOptions(cloudFormation, stage) : {};
  if (found === 'unknown' && !adopt && !dryRun) {
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

/** The stacks of a stage, each with those nested in it. */
type Stacks = readonly StackTemplates[];

const rootsOf = (stage: string): readonly string[] => ['FraudScreening-Models', `FraudScreening-${stage}`];

/** Reads the stacks of a stage from a cloud assembly. */
const stacksIn = (folder: string, stage: string): Stacks =>
  rootsOf(stage).map((root) => readStackTemplates(folder, root));

/** Synthesizes the templates of a checkout with these options. */
function synthesized(checkout: string, stage: string, options: Options, { runs }: DeployDeps): Stacks {
  const folder = mkdtempSync(join(tmpdir(), 'fraud-screening-templates-'));
  try {
    const synth = ['npx', 'cdk', 'synth', '--quiet', '--output', folder, ...contextArguments(options)];
    if (!runs(synth, checkout)) throw new UsageError('The templates could not be made: see above.');
    return stacksIn(folder, stage);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The templates of a commit, or of this checkout. */
function templatesAt(commit: string | undefined, stage: string, options: Options, deps: DeployDeps): Stacks {
  if (commit === undefined) return synthesized(deps.root, stage, options, deps);
  const directory = newCopy();
  let made: Stacks = [];
  const isMade = within(copyOf(commit, directory), directory, deps, () => {
    made = synthesized(directory, stage, options, deps);
    return true;
  });
  if (!isMade) throw new UsageError(`The commit ${commit} could not be checked out: see above.`);
  return made;
}

const newCopy = (): string => join(mkdtempSync(join(tmpdir(), 'fraud-screening-')), 'source');

async function showChanges(deployment: Deployment, options: Options, deps: DeployDeps): Promise<boolean> {
  const { stage, commit, from } = deployment;
  const after = templatesAt(commit, stage, options, deps);
  const here = from !== undefined && existsSync(from) ? stacksIn(from, stage) : undefined;
  const before =
    from === undefined
      ? await Promise.all(rootsOf(stage).map((root) => deployedTemplates(deps.cloudFormation, root)))
      : (here ?? templatesAt(from, stage, options, deps));
  for (const [index, templates] of after.entries()) deps.print(changesText(before[index] ?? {}, templates));
  const refusals = after.flatMap((templates, index) => updateRefusals(before[index] ?? {}, templates));
  if (refusals.length > 0) deps.print(['AWS WOULD REFUSE THIS UPDATE:', ...refusals].join('\n  '));
  return refusals.length === 0;
}

/** Deploys a stage with the options that it keeps, or shows what that would change; false if a step failed. */
export async function deploy(deployment: Deployment, deps: DeployDeps): Promise<boolean> {
  const options = await optionsOf(deployment, deps);
  if (deployment.dryRun) return showChanges(deployment, options, deps);
  const directory = deployment.commit ? newCopy() : deps.root;
  const steps = deploymentSteps(deployment, options, directory);
  return within(steps, directory, deps, () => deps.runs(steps.deploy, directory));
}
