import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALSO_NEEDED, servicePrefix } from '../../bin/policies/policy-document';
import { SCHEDULED_ALIAS } from '../../bin/verify/aws-operator';
import { CheckFailure, type VerifyContext } from '../../bin/verify/check';
import { outputs } from '../../bin/verify/checks/operations';
import { REPLACING } from '../../lib/template-changes';
import { compilePolicy, evaluator, type PolicyDocument } from '../../local/iam/roles';
import { ofType, outputsOf, resourcesOf } from '../support/template';

const STACKS = ['FraudScreening-sandbox', 'FraudScreening-production', 'FraudScreening-Models'];
const policy = (name: string): PolicyDocument & { Statement: { Action: string | string[] }[] } =>
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

describe('docs/policies/execution.json', () => {
  const document = policy('execution');
  const may = evaluator(compilePolicy(document));
  const types = [...new Set(STACKS.flatMap((stack) => resourcesOf(stack)).map(({ Type }) => Type))];

  it('lets CloudFormation do what the schema of every type in the templates asks for, to create and to delete it', () => {
    const needed = types.flatMap((type) => [
      ...(ALSO_NEEDED[type] ?? []),
      ...(servicePrefix(type) && servicePrefix(type) !== 'iam' ? [`${servicePrefix(type)}:DeleteIt`] : []),
    ]);
    const resource = (action: string) =>
      action === 'iam:CreateServiceLinkedRole'
        ? 'arn:aws:iam::123456789012:role/aws-service-role/ops.apigateway.amazonaws.com/x'
        : action.startsWith('iam:')
          ? 'arn:aws:iam::123456789012:role/FraudScreening-sandbox-AuthorizeRole-1'
          : 'arn:aws:cloudformation:eu-central-1:123456789012:stack/FraudScreening-sandbox-Functions/1';
    const refused = [...new Set(needed)].filter((action) => may({ action, resource: resource(action) }) !== 'allowed');
    expect(refused).toEqual([]);
    expect(needed).toContain('iam:ListRolePolicies');
    // A delivery stream exists with `-c warehouse=on` only.
    expect(servicePrefix('AWS::KinesisFirehose::DeliveryStream')).toBe('firehose');
    expect(may({ action: 'firehose:CreateDeliveryStream', resource: '*' })).toBe('allowed');
    expect(may({ action: 'glue:CreateTable', resource: '*' })).toBe('allowed');
  });

  it('knows every type in the templates', () => {
    expect(types.filter((type) => !(type in REPLACING))).toEqual([]);
  });

  it('lets nobody change roles beyond those of the stacks', () => {
    for (const action of actionsOf('execution').filter((each) => each.startsWith('iam:'))) {
      expect(may({ action, resource: 'arn:aws:iam::123456789012:role/Admin' })).toBe('not allowed');
    }
  });
});
