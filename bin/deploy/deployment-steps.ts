import type { Options } from '../../lib/kept-options';
import { type CommandLine, parseArguments } from '../../shared/cli/command-line';
import { STAGES, type Stage } from '../../shared/domain/stage';

export const DEPLOY_LINE: CommandLine = {
  usage: 'npm run deploy -- [options] [-- options of cdk deploy]',
  about: 'Deploys one stage, with the model registry, by the CDK command line. Options are kept with the stage.',
  options: {
    stage: { value: 'name', does: `${STAGES.join(' or ')}`, default: 'sandbox' },
    now: { does: 'no canary: new versions are live at once, whatever the alarms say (-c canary=off)' },
    to: { value: 'commit', does: 'go back: deploy this older commit, at once, from its own copy' },
    context: {
      value: 'n=v',
      does: 'an option of the deployment, kept for the next ones; may be given several times',
      short: 'c',
      isList: true,
    },
    drop: {
      value: 'name',
      does: 'no longer: domain, consoleDomain, signIn, subscriptions, eventBus, warehouse, quota, or an option; may be given several times',
      isList: true,
    },
    'dry-run': { does: 'deploy nothing; print what would be added, changed, replaced and deleted' },
    from: { value: 'what', does: 'with --dry-run: compare with a commit or a folder of templates instead of with AWS' },
    adopt: { does: 'a stage that keeps no options yet: those given here are all it has' },
  },
  next: 'npm run verify -- --aws',
};

export interface Deployment {
  readonly stage: Stage;
  readonly commit: string | undefined;
  readonly given: Options;
  readonly drop: readonly string[];
  readonly adopt: boolean;
  readonly dryRun: boolean;
  /** The commit or folder that a dry run starts from. @default the deployed one */
  readonly from: string | undefined;
  /** Passed to `cdk deploy` unchanged. */
  readonly rest: readonly string[];
}

type Command = readonly string[];

interface Step {
  readonly command: Command;
  readonly inside: boolean;
}

export interface DeploymentSteps {
  readonly before: readonly Step[];
  readonly deploy: Command;
  readonly after: readonly Command[];
}

/** Parses the command line; an error is one sentence. */
export function readDeployment(args: readonly string[]): Deployment | 'help' | { readonly problem: string } {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  try {
    const { texts, lists, flags } = parseArguments(DEPLOY_LINE.options, false, own);
    if (flags.has('help')) return 'help';
    const { to: commit, from } = texts;
    const { context = [], drop = [] } = lists;
    const stage = STAGES.find((known) => known === texts.stage);
    if (!stage) return { problem: `--stage ${texts.stage} is not known: give ${STAGES.join(' or ')}.` };
    const wrong = context.find((pair) => !/^[^=]+=/.test(pair));
    if (wrong) return { problem: `-c ${wrong} is not an option of the deployment: give name=value.` };
    if (from !== undefined && !flags.has('dry-run')) return { problem: '--from is for --dry-run.' };
    const rest = end === -1 ? [] : args.slice(end + 1);
    if (rest.some((each) => /^(?:-c|--context)(?:=|$)/.test(each))) {
      return { problem: 'Give -c before the second --: options of the deployment are kept, those of cdk are not.' };
    }
    // A rollback is urgent, and the alarms are red because of the version that is live.
    const isAtOnce = flags.has('now') || commit !== undefined;
    const given = context.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
    return {
      stage,
      commit,
      given: { ...Object.fromEntries(given), ...(isAtOnce ? { canary: 'off' } : {}) },
      drop,
      adopt: flags.has('adopt'),
      dryRun: flags.has('dry-run'),
      from,
      rest,
    };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

export const contextArguments = (options: Options): readonly string[] =>
  Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** A copy of an older commit, and how to remove it. */
export function copyOf(commit: string, directory: string): Pick<DeploymentSteps, 'before' | 'after'> {
  return {
    before: [
      { command: ['git', 'worktree', 'add', '--detach', directory, commit], inside: false },
      { command: ['npm', 'ci'], inside: true },
    ],
    after: [['git', 'worktree', 'remove', '--force', directory]],
  };
}

/**
 * The steps of a deployment. A rollback deploys the older commit as a whole: functions, grants and environment belong
 * together, and CloudFormation's template stays the source of truth. Moving aliases by hand would let them drift apart.
 */
export function deploymentSteps(
  { stage, commit, rest }: Pick<Deployment, 'stage' | 'commit' | 'rest'>,
  options: Options,
  directory: string,
): DeploymentSteps {
  const deploy = [
    ...['npx', 'cdk', 'deploy', `FraudScreening-${stage}`],
    ...contextArguments(options),
    // The kept options become those of this template; see keepOptions.
    '--no-previous-parameters',
    ...(commit ? ['--require-approval', 'never'] : []),
    ...rest,
  ];
  return { ...(commit ? copyOf(commit, directory) : { before: [], after: [] }), deploy };
}
