import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEDULED_ALIAS } from '../../bin/verify/aws-operator';
import type { VerifyContext } from '../../bin/verify/check';
import { CheckFailure } from '../../bin/verify/check-failure';
import { outputs } from '../../bin/verify/checks/outputs';
import { ofType, outputsOf, resourcesOf } from '../support/template';

const STACKS = ['FraudScreening-sandbox', 'FraudScreening-production', 'FraudScreening-Models'];
const policy = (name: string): { Statement: { Action: string | string[]; Resource: string | string[] }[] } =>
  JSON.parse(readFileSync(join(__dirname, '../../docs/policies', `${name}.json`), 'utf8'));
const actionsOf = (name: string): string[] => policy(name).Statement.flatMap(({ Action }) => Action);

describe('npm run verify knows the template', () => {
  const resources = resourcesOf('FraudScreening-sandbox');

  it('calls exactly the functions that schedules call', () => {
    const scheduled = ofType(resources, 'AWS::Events::Rule').flatMap(({ Properties: rule }) =>
      rule.Targets.map(({ Arn }: { Arn: { Ref: string } }) => Arn.Ref),
    );
    const known = ofType(resources, 'AWS::Lambda::Alias').filter(({ id }) => SCHEDULED_ALIAS.test(id));
    expect(known.map(({ id }) => id).sort()).toEqual(scheduled.sort());
    expect(scheduled.length).toBeGreaterThanOrEqual(3);
  });

  it('sets off an alarm that exists, pages and rolls nothing back', () => {
    const [alarm] = ofType(resources, 'AWS::CloudWatch::Alarm').filter(
      ({ Properties: { AlarmName } }) => AlarmName === 'fraud-screening-sandbox-relay-behind',
    );
    expect(JSON.stringify(alarm?.Properties.AlarmActions)).toContain('Pages');
    expect(JSON.stringify(ofType(resources, 'AWS::CodeDeploy::DeploymentGroup'))).not.toContain(alarm?.id);
  });

  it('asks for no output that the template does not have, and misses each that is gone', async () => {
    const found = Object.fromEntries(Object.keys(outputsOf('FraudScreening-sandbox')).map((name) => [name, 'there']));
    const check = (given: Record<string, string>) =>
      outputs.run({ operator: { outputs: async () => given } } as unknown as VerifyContext);
    await expect(check(found)).resolves.toContain('alarms: there');
    await expect(check({ ...found, TableName: '' })).rejects.toThrow(CheckFailure);
  });
});

describe('the policies in docs/policies', () => {
  it('let CloudFormation create every type of resource that the templates have', () => {
    const allowed = new Set(actionsOf('execution').map((action) => action.split(':')[0]));
    // Custom resources are functions of CDK's; some services have another prefix in IAM than in CloudFormation.
    const prefixes: Readonly<Record<string, string>> = { custom: 'lambda' };
    const needed = STACKS.flatMap((stack) => resourcesOf(stack)).flatMap(({ Type }) => {
      const [vendor = '', service = ''] = Type.split('::');
      if (Type === 'AWS::CDK::Metadata') return [];
      const name = vendor === 'Custom' ? 'custom' : service.toLowerCase();
      return [prefixes[name] ?? name];
    });
    expect([...new Set(needed)].filter((service) => !allowed.has(service))).toEqual([]);
  });

  it('do not let anyone create roles beyond those of the stacks', () => {
    for (const { Action, Resource } of policy('execution').Statement) {
      if (!JSON.stringify(Action).includes('iam:')) continue;
      expect(Resource).toMatch(/role\/(FraudScreening-\*|aws-service-role\/\*)$/);
    }
  });

  it('let an operator do what the command lines do', () => {
    const needed = [
      ...['cloudformation:DescribeStacks', 'cloudformation:ListStackResources', 'lambda:InvokeFunction'],
      ...['cloudwatch:GetMetricData', 'cloudwatch:DescribeAlarms', 'cloudwatch:DescribeAlarmHistory'],
      ...['cloudwatch:SetAlarmState', 'sns:ListSubscriptionsByTopic', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'],
    ];
    expect(needed.filter((action) => !actionsOf('operator').includes(action))).toEqual([]);
    const sources = ['aws-operator', 'receiver', 'verify-stack'].map((file) =>
      readFileSync(join(__dirname, '../../bin/verify', `${file}.ts`), 'utf8'),
    );
    const commands = [...sources.join('\n').matchAll(/new (\w+)Command\(/g)].map(([, name = '']) => name);
    const granted = actionsOf('operator').map((action) => action.split(':')[1]);
    expect(commands.filter((name) => name !== 'Invoke' && !granted.includes(name))).toEqual([]);
    expect(commands.length).toBeGreaterThanOrEqual(8);
  });
});
