import {
  ofType,
  ownFunctions,
  type Properties,
  type Resource,
  resourcesOf,
  statementsOfRole,
} from '../support/template';

/** Seconds and megabytes of every function that does not have the usual 10 s and 1,024 MB. */
const UNUSUAL: Readonly<Record<string, readonly [timeout: number, memory: number]>> = {
  desk: [25, 1_024],
  lists: [25, 1_024],
  rules: [25, 1_024],
  'relay-events': [30, 1_024],
  'deliver-webhook': [30, 512],
  'sweep-deliveries': [55, 1_024],
  'sweep-cases': [240, 1_024],
  'sweep-lists': [240, 1_024],
  'erase-users': [840, 1_024],
  'tally-overview': [60, 1_024],
  'train-model': [900, 3_008],
};

const SCHEDULES: Readonly<Record<string, string>> = {
  'sweep-deliveries': 'rate(1 minute)',
  'sweep-cases': 'rate(5 minutes)',
  'sweep-lists': 'rate(5 minutes)',
  'erase-users': 'rate(15 minutes)',
  'train-model': 'rate(6 hours)',
};

describe.each(['sandbox', 'production'])('the functions of %s', (stage) => {
  const resources = resourcesOf(`FraudScreening-${stage}`);
  const functions = ownFunctions(resources);
  const nameOf = ({ Properties: { Description } }: Resource): string => Description.split(': ')[1];
  const nameOfAlias = (alias: string | undefined): string | undefined => {
    const live = resources.find(({ id }) => id === alias);
    const target = functions.find(({ id }) => id === live?.Properties.FunctionName.Ref);
    return target && nameOf(target);
  };
  const statementsOf = (fn: Resource) => statementsOfRole(resources, fn.Properties.Role['Fn::GetAtt'][0]);
  const each = functions.map((fn) => [nameOf(fn), fn] as const);

  it.each(each)('%s has its time and memory', (name, fn) => {
    expect([fn.Properties.Timeout, fn.Properties.MemorySize]).toEqual(UNUSUAL[name] ?? [10, 1_024]);
  });

  it.each(each)('%s may write its log, and no other', (_name, fn) => {
    const writing = statementsOf(fn).filter(({ Action }) => JSON.stringify(Action).includes('logs:'));
    expect(writing).toEqual([
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: { 'Fn::GetAtt': [fn.Properties.LoggingConfig.LogGroup.Ref, 'Arn'] },
      },
    ]);
  });

  it('runs by the clock what must, enabled, as often as it must', () => {
    const rules = ofType(resources, 'AWS::Events::Rule').map(
      ({ Properties: { State, ScheduleExpression, Targets } }) => [
        nameOfAlias(Targets[0].Arn.Ref),
        [State, ScheduleExpression, Targets[0].RetryPolicy.MaximumRetryAttempts],
      ],
    );
    const wanted = Object.entries(SCHEDULES).map(([name, rate]) => [name, ['ENABLED', rate, 0]]);
    expect(Object.fromEntries(rules)).toEqual(Object.fromEntries(wanted));
  });

  it('repeats nothing that a schedule began: Lambda itself would try twice more', () => {
    const configured = ofType(resources, 'AWS::Lambda::EventInvokeConfig').map(({ Properties: p }) => [
      functions.filter(({ id }) => id === p.FunctionName.Ref).map(nameOf)[0],
      p.MaximumRetryAttempts,
      p.Qualifier,
    ]);
    expect(configured.map(([name, retries]) => [name, retries]).sort()).toEqual(
      Object.keys(SCHEDULES)
        .sort()
        .map((name) => [name, 0]),
    );
    expect(JSON.stringify(configured)).toContain('live');
  });

  it('stops every endless loop but the one that is meant: deliver-webhook sends to a queue that calls it', () => {
    const loops = functions.map((fn) => [nameOf(fn), fn.Properties.RecursiveLoop]);
    for (const [name, loop] of loops)
      expect([name, loop]).toEqual([name, name === 'deliver-webhook' ? 'Allow' : 'Terminate']);
  });

  it('asks for each table action in one statement, whatever the partitions', () => {
    for (const [name, fn] of each) {
      const perItem = statementsOf(fn).filter(({ Condition }) =>
        JSON.stringify(Condition ?? '').includes('LeadingKeys'),
      );
      const asked = perItem.flatMap(({ Action, Resource }) =>
        [Action].flat().map((action: string) => `${action} ${JSON.stringify(Resource)}`),
      );
      expect([name, asked.filter((action, at) => asked.indexOf(action) !== at)]).toEqual([name, []]);
    }
  });

  it('maps no queue whose messages would come back while the function still works on them', () => {
    const mappings = ofType(resources, 'AWS::Lambda::EventSourceMapping').flatMap(({ Properties: p }) => {
      const queue = resources.find(({ id }) => id === p.EventSourceArn['Fn::GetAtt'][0]);
      const alias = ofType(resources, 'AWS::Lambda::Alias').find(({ id }) =>
        JSON.stringify(p.FunctionName).includes(`"${id}"`),
      );
      const name = nameOfAlias(alias?.id);
      const fn = functions.find((candidate) => nameOf(candidate) === name);
      return queue?.Type === 'AWS::SQS::Queue' ? [[queue.Properties.VisibilityTimeout, fn?.Properties.Timeout]] : [];
    });
    expect(mappings).toHaveLength(2);
    // AWS refuses the mapping below the time-out itself, and advises six times of it.
    for (const [visibility, timeout] of mappings) expect(visibility).toBeGreaterThanOrEqual(6 * timeout);
  });

  it('throttles what anybody may call, and keeps the logs of the gateway for a month', () => {
    const [deployed] = ofType(resources, 'AWS::ApiGateway::Stage');
    const settings: Properties[] = deployed?.Properties.MethodSettings;
    const [all, ...open] = settings;
    expect([all?.ResourcePath, all?.HttpMethod]).toEqual(['/*', '*']);
    expect(open.map(({ ResourcePath }) => ResourcePath.replaceAll('~1', '/').replace('//', '/')).sort()).toEqual([
      '/docs',
      '/docs/reference.js',
      '/openapi.json',
      '/v1/inbound/{provider}/{id}',
    ]);
    for (const setting of open) {
      const isInbound = setting.ResourcePath.includes('inbound');
      expect(setting).toMatchObject({ LoggingLevel: 'ERROR', DataTraceEnabled: false });
      // With ANY, or with only one of the two wild, API Gateway refuses the stage: "Invalid method setting path".
      expect(setting.HttpMethod).toBe(isInbound ? 'POST' : 'GET');
      // Processors send a day's disputes at once, those of all accounts to one path.
      expect(setting.ThrottlingRateLimit).toBe(isInbound ? 1_000 : 5);
    }
    const log = ofType(resources, 'AWS::Logs::LogGroup').find(({ Properties: { LogGroupName } }) =>
      JSON.stringify(LogGroupName ?? '').includes('API-Gateway-Execution-Logs_'),
    );
    expect(log?.Properties.RetentionInDays).toBe(30);
    expect((deployed as { DependsOn?: string[] }).DependsOn).toContain(log?.id);
    expect(ofType(resources, 'AWS::Logs::LogGroup').filter(({ Properties: p }) => !p.RetentionInDays)).toEqual([]);
  });
});
