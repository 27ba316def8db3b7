import { deploy } from '../../../bin/deploy/deploy';
import { type Deployment, readDeployment } from '../../../bin/deploy/deployment-steps';

const PRODUCTION = {
  productionDomain: 'api.example.com',
  productionCertificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/1',
  alarmEmail: 'ops@example.com',
  oidcIssuer: 'https://login.example.com',
  oidcClientId: 'console',
  accountDailyQuota: '10000',
};

type Stack = { StackStatus?: string; Outputs?: { OutputKey: string; OutputValue: string }[] } | Error;

const keeping = (options: object): Stack => ({
  StackStatus: 'UPDATE_COMPLETE',
  Outputs: [{ OutputKey: 'DeploymentOptions', OutputValue: JSON.stringify(options) }],
});

/** Deploys with these arguments over a stack in this state; what was run, and what was printed. */
async function deployed(stack: Stack, ...args: string[]) {
  const commands: string[] = [];
  const printed: string[] = [];
  const send = async () => {
    if (stack instanceof Error) throw stack;
    return { Stacks: [stack] };
  };
  const isDone = await deploy(readDeployment(args) as Deployment, {
    cloudFormation: { send } as never,
    runs: (command) => commands.push(command.join(' ')) > 0,
    print: (text) => printed.push(text),
    root: '/checkout',
  });
  expect(isDone).toBe(true);
  return { commands, printed: printed.join('\n'), cdk: commands.find((each) => each.startsWith('npx cdk')) ?? '' };
}

const asArguments = (options: object): string =>
  Object.entries(options)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

describe('options of a deployment', () => {
  it.each([
    ['again', []],
    ['a fix while alarms are red', ['--now']],
    ['an older commit', ['--to', 'v1.2.0']],
  ])('%s: are those that the stack keeps', async (_, args) => {
    const { cdk, printed } = await deployed(keeping(PRODUCTION), '--stage', 'production', ...args);
    expect(cdk).toContain(`npx cdk deploy FraudScreening-production ${asArguments(PRODUCTION)} `);
    expect(cdk).toContain('--no-previous-parameters');
    expect(printed).toContain('productionDomain=api.example.com (kept)');
  });

  it('are overridden one by one, and those of one deployment are not kept', async () => {
    const { cdk, printed } = await deployed(
      ...([keeping(PRODUCTION), '--stage', 'production', '-c', 'alarmEmail=new@example.com', '--now'] as const),
    );
    expect(cdk).toContain(asArguments({ ...PRODUCTION, alarmEmail: 'new@example.com', canary: 'off' }));
    expect(printed).toContain('alarmEmail=new@example.com (was ops@example.com)');
    expect(printed).toContain('canary=off (this time only)');
  });

  it.each([
    ['domain', 'Domain=|CertificateArn='],
    ['signIn', 'oidc'],
    ['subscriptions', 'alarmEmail'],
    ['quota', 'accountDailyQuota'],
    ['accountDailyQuota', 'accountDailyQuota'],
  ])('--drop %s takes exactly that away', async (name, gone) => {
    const { cdk } = await deployed(keeping(PRODUCTION), '--stage', 'production', '--drop', name);
    const left = Object.fromEntries(Object.entries(PRODUCTION).filter(([each]) => !new RegExp(gone).test(`${each}=`)));
    expect(Object.keys(left).length).toBeLessThan(Object.keys(PRODUCTION).length);
    expect(cdk).toContain(`FraudScreening-production ${asArguments(left)} --no-previous`);
  });

  it.each([
    [['-c', 'productionDomain='], '--drop productionDomain'],
    [['-c', 'alarms=off'], 'would lose who is notified of alarms. If you mean it, add --drop subscriptions'],
    [['-c', 'alarmMail=a@b.c'], '-c alarmMail is not an option'],
    [['--drop', 'everything'], '--drop everything is not known'],
    [['--drop', 'quota', '-c', 'accountDailyQuota=5'], 'not both'],
    [['--adopt'], 'keeps its options already'],
  ])('%j is refused in a sentence, before anything is deployed', async (args, problem) => {
    await expect(deployed(keeping(PRODUCTION), '--stage', 'production', ...args)).rejects.toThrow(problem);
  });

  it('are none before the first deployment, and after one that was rolled back', async () => {
    const missing = new Error('Stack with id FraudScreening-sandbox does not exist');
    expect((await deployed(missing)).cdk).toBe('npx cdk deploy FraudScreening-sandbox --no-previous-parameters');
    expect((await deployed({ StackStatus: 'ROLLBACK_COMPLETE' })).printed).toContain('none');
  });

  it('that cannot be read stop a deployment, which could take a domain away', async () => {
    await expect(deployed(new Error('not authorized'))).rejects.toThrow(
      'take a domain or sign-in away: not authorized',
    );
  });

  it('of a stage that kept none must be named, once', async () => {
    const older: Stack = { StackStatus: 'UPDATE_COMPLETE', Outputs: [] };
    await expect(deployed(older)).rejects.toThrow('--adopt');
    expect((await deployed(older, '--adopt', '-c', 'alarmEmail=a@b.c')).cdk).toContain('-c alarmEmail=a@b.c');
  });

  it('in a copy of the older commit, which is removed', async () => {
    const { commands } = await deployed(keeping({}), '--to', 'v1.2.0');
    expect(commands.map((each) => each.split(' ').slice(0, 3).join(' '))).toEqual([
      'git worktree add',
      'npm ci',
      'npx cdk deploy',
      'git worktree remove',
    ]);
  });
});
