import { parseArgs } from 'node:util';
import { STAGES } from '../../shared/domain/stage';

export const DEPLOY_HELP = `Deploys one stage, with the model registry, by the CDK command line.

  npm run deploy -- [options] [-- options of cdk deploy]

  --stage <name>         sandbox (default) or production
  --now                  no canary: new versions are live at once, whatever the alarms say (-c canary=off)
  --to <commit>          go back: deploy this older commit, at once, from a copy of its own
  -c, --context <n>=<v>  an option of the deployment; may be given several times
  --help                 this text

Next: npm run verify -- --aws
`;

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
    const { values } = parseArgs({
      args: [...own],
      options: {
        stage: { type: 'string', default: 'sandbox' },
        now: { type: 'boolean', default: false },
        to: { type: 'string' },
        context: { type: 'string', short: 'c', multiple: true, default: [] as string[] },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return 'help';
    const { stage, context } = values;
    if (!STAGES.some((known) => known === stage)) {
      return { problem: `--stage ${stage} is not known: give ${STAGES.join(' or ')}.` };
    }
    const wrong = context.find((pair) => !/^[^=]+=/.test(pair));
    if (wrong) return { problem: `-c ${wrong} is not an option of the deployment: give name=value.` };
    // A rollback is urgent, and the alarms are red because of the version that is live.
    const isAtOnce = values.now || values.to !== undefined;
    return {
      stage,
      commit: values.to,
      context: [...context, ...(isAtOnce ? ['canary=off'] : [])],
      rest: end === -1 ? [] : args.slice(end + 1),
    };
  } catch (error) {
    return { problem: `${(error as Error).message}\nTry --help.` };
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
