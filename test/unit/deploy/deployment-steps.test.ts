import { type Deployment, deploymentSteps, readDeployment } from '../../../bin/deploy/deployment-steps';

const read = (...args: string[]) => readDeployment(args) as Deployment;
const commandOf = (...args: string[]) => {
  const deployment = read(...args);
  return deploymentSteps(deployment, deployment.given, '/copy').deploy.join(' ');
};

describe('npm run deploy', () => {
  it('needs no name of a stack: the sandbox is meant, or the stage that is named', () => {
    expect(commandOf()).toBe('npx cdk deploy FraudScreening-sandbox --no-previous-parameters');
    expect(commandOf('--stage', 'production')).toBe(
      'npx cdk deploy FraudScreening-production --no-previous-parameters',
    );
  });

  it('hands on options of the deployment and of cdk', () => {
    expect(commandOf('-c', 'alarmEmail=a@b.c', '-c', 'console=off', '--', '--profile', 'acme')).toBe(
      'npx cdk deploy FraudScreening-sandbox -c alarmEmail=a@b.c -c console=off --no-previous-parameters --profile acme',
    );
  });

  it('is live at once when asked: a fix gets out while alarms are red', () => {
    expect(commandOf('--now')).toBe('npx cdk deploy FraudScreening-sandbox -c canary=off --no-previous-parameters');
  });

  it('goes back with one command: the older commit as a whole, by CloudFormation, at once', () => {
    const steps = deploymentSteps(read('--stage', 'production', '--to', 'v1.2.0'), { canary: 'off' }, '/copy');
    expect(steps.before.map(({ command, inside }) => [command.join(' '), inside])).toEqual([
      ['git worktree add --detach /copy v1.2.0', false],
      ['npm ci', true],
    ]);
    expect(steps.deploy.join(' ')).toBe(
      'npx cdk deploy FraudScreening-production -c canary=off --no-previous-parameters --require-approval never',
    );
    expect(steps.after).toEqual([['git', 'worktree', 'remove', '--force', '/copy']]);
  });

  it.each([
    [['--stage', 'moon'], '--stage moon is not known'],
    [['-c', 'canary'], 'give name=value'],
    [['--wrong'], 'wrong'],
    [['--', '-c', 'console=off'], 'Give -c before the second --'],
  ])('%j is one sentence', (args, problem) => {
    expect(readDeployment(args)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
