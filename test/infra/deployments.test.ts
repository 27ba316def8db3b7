import { ROUTES } from '../../shared/routes';
import { functionOf } from '../../shared/routes/define-route';
import { ofType, ownFunctions, type Properties, type Resource, resourcesOf } from '../support/template';

describe.each(['sandbox', 'production'])('deployments of %s', (stage) => {
  const resources = resourcesOf(`FraudScreening-${stage}`);
  const aliases = ofType(resources, 'AWS::Lambda::Alias');
  const functions = ownFunctions(resources);
  const byId = new Map(resources.map((resource) => [resource.id, resource]));

  const nameOf = ({ Properties: { FunctionName } }: Resource): string =>
    byId.get(FunctionName.Ref)?.Properties.Description.split(': ')[1];

  /** Ids of the functions and aliases that a property names, whatever it is wrapped in. */
  const named = (value: Properties): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const reference = value.Ref ?? value['Fn::GetAtt']?.[0];
    const type = typeof reference === 'string' ? byId.get(reference)?.Type : undefined;
    return type === 'AWS::Lambda::Function' || type === 'AWS::Lambda::Alias'
      ? [reference]
      : Object.values(value).flatMap(named);
  };

  it('every function is called through its alias `live`, and its version goes with the deployment', () => {
    expect(aliases.map(nameOf).sort()).toEqual(functions.map((fn) => fn.Properties.Description.split(': ')[1]).sort());
    for (const alias of aliases) {
      expect(alias.Properties.Name).toBe('live');
      // A version that stayed behind after a rollback would make the same commit fail to deploy.
      const version = byId.get(alias.Properties.FunctionVersion['Fn::GetAtt'][0]);
      expect(version).toMatchObject({ Type: 'AWS::Lambda::Version', DeletionPolicy: 'Delete' });
      expect(version?.Properties.FunctionName).toEqual(alias.Properties.FunctionName);
    }
  });

  it.each([
    ['AWS::ApiGateway::Method', ({ Integration }: Properties) => Integration.Uri],
    ['AWS::ApiGateway::Authorizer', ({ AuthorizerUri }: Properties) => AuthorizerUri],
    ['AWS::Lambda::EventSourceMapping', ({ FunctionName }: Properties) => FunctionName],
    ['AWS::Lambda::Permission', ({ FunctionName }: Properties) => FunctionName],
    ['AWS::Events::Rule', ({ Targets }: Properties) => Targets.map(({ Arn }: Properties) => Arn)],
  ])('%s names the alias, never the function', (type, target) => {
    const callees = ofType(resources, type).flatMap(({ Properties }) => named(target(Properties)));
    expect(callees.filter((id) => byId.get(id)?.Type !== 'AWS::Lambda::Alias')).toEqual([]);
    if (type !== 'AWS::Lambda::EventSourceMapping') expect(callees).not.toEqual([]);
  });

  const guarded = [
    'authorize',
    'afd',
    ...new Set(ROUTES.flatMap((route) => ('public' in route ? [] : [functionOf(route)]))),
  ];

  it('what serves requests gets a tenth of them first, and an alarm takes it back', () => {
    const shifted = aliases.filter(({ UpdatePolicy }) => UpdatePolicy?.CodeDeployLambdaAliasUpdate);
    expect(shifted.map(nameOf).sort()).toEqual([...guarded].sort());
    for (const alias of shifted) {
      const { ApplicationName, DeploymentGroupName } = alias.UpdatePolicy.CodeDeployLambdaAliasUpdate;
      const group = byId.get(DeploymentGroupName.Ref)?.Properties;
      expect(byId.get(ApplicationName.Ref)?.Properties.ComputePlatform).toBe('Lambda');
      expect(group).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AlarmConfiguration: { Enabled: true },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']),
        },
      });
      const alarms = group.AlarmConfiguration.Alarms.map(({ Name }: Properties) => byId.get(Name.Ref));
      const names = alarms.map((alarm: Resource) =>
        alarm.Properties.AlarmName.replace(`fraud-screening-${stage}-`, ''),
      );
      expect(names).toEqual([`crashed-${nameOf(alias)}`, 'unhandled-errors', 'failed-signals', 'latency']);
    }
  });

  it('the crash alarm of a function watches what is live', () => {
    for (const alias of aliases) {
      const name = `fraud-screening-${stage}-crashed-${nameOf(alias)}`;
      const alarm = ofType(resources, 'AWS::CloudWatch::Alarm').find(({ Properties: p }) => p.AlarmName === name);
      expect(alarm?.Properties).toMatchObject({ MetricName: 'Errors', Namespace: 'AWS/Lambda', Threshold: 0 });
      const { Dimensions } = alarm?.Properties ?? {};
      expect(Dimensions.map(({ Name }: Properties) => Name)).toEqual(['FunctionName', 'Resource']);
      expect(JSON.stringify(Dimensions)).toContain(':live');
    }
  });
});
