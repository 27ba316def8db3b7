import { type CommandLine, parseArguments } from '../../shared/cli/command-line';
import { STAGES } from '../../shared/domain/stage';

/** What `npm run deploy` understands. */
export const DEPLOY_LINE: CommandLine = {
  usage: 'npm run deploy -- [options] [-- options of cdk deploy]',
  about: 'Deploys one stage, with the model registry, by the CDK command line.',
  options: {
    stage: { value: 'name', does: `${STAGES.join(' or ')}`, default: 'sandbox' },
    now: { does: 'no canary: new versions are live at once, whatever the alarms say (-c canary=off)' },
    to: { value: 'commit', does: 'go back: deploy this older commit, at once, from a copy of its own' },
    context: {
      value: 'n=v',
      does: 'an option of the deployment; may be given several times',
      short: 'c',
      isList: true,
    },
  },
  next: 'npm run verify -- --aws',
};

/** The requested deployment. */
export interface Deployment {
  readonly stage: string;
  readonly commit: string | undefined;
  readonly context: readonly string[];
  /** Passed to `cdk deploy` unchanged. */
  readonly rest: readonly string[];
}

type Command = readonly string[];

export interface DeploymentSteps {
  /** In order; those `inside` run in the directory of the older commit. */
  readonly before: ReadonlyArray<{ readonly command: Command; readonly inside: boolean }>;
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
    const { stage = '', to: commit } = texts;
    const { context = [] } = lists;
    if (!STAGES.some((known) => known === stage)) {
      return { problem: `--stage ${stage} is not known: give ${STAGES.join(' or ')}.` };
    }
    const wrong = context.find((pair) => !/^[^=]+=/.test(pair));
    if (wrong) return { problem: `-c ${wrong} is not an option of the deployment: give name=value.` };
    // A rollback is urgent, and the alarms are red because of the version that is live.
    const isAtOnce = flags.has('now') || commit !== undefined;
    return {
      stage,
      commit,
      context: [...context, ...(isAtOnce ? ['canary=off'] : [])],
      rest: end === -1 ? [] : args.slice(end + 1),
    };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/**
 * The steps of a deployment. A rollback deploys the older commit as a whole: functions, grants and environment belong
 * together, and CloudFormation's template stays the source of truth. Moving aliases by hand would let them drift apart.
 */
export function deploymentSteps({ stage, commit, context, rest }: Deployment, directory: string): DeploymentSteps {
  const deploy = [
    'npx',
    'cdk',
    'deploy',
    `FraudScreening-${stage}`,
    ...context.flatMap((pair) => ['-c', pair]),
    ...(commit ? ['--require-approval', 'never'] : []),
    ...rest,
  ];
  if (!commit) return { before: [], deploy, after: [] };
  return {
    before: [
      { command: ['git', 'worktree', 'add', '--detach', directory, commit], inside: false },
      { command: ['npm', 'ci'], inside: true },
    ],
    deploy,
    after: [['git', 'worktree', 'remove', '--force', directory]],
  };
}
