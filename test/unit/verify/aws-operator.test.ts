import { type AwsOperatorDeps, awsOperator, SCHEDULED_ALIAS } from '../../../bin/verify/aws-operator';
import { untilBy } from '../../../bin/verify/check';

type Answers = Readonly<Record<string, (input: Record<string, unknown>) => object>>;

/** AWS as far as the operator asks it: answers by command, and everything that was asked. */
function cloud(answers: Answers) {
  const asked: [string, Record<string, unknown>][] = [];
  const send = async (command: { constructor: { name: string }; input: Record<string, unknown> }) => {
    const name = command.constructor.name.replace(/Command$/, '');
    asked.push([name, command.input]);
    const answer = answers[name];
    if (!answer) throw new Error(`${name} was not expected`);
    return answer(command.input);
  };
  const client = { send } as unknown as AwsOperatorDeps['cloudWatch'] &
    AwsOperatorDeps['lambda'] &
    AwsOperatorDeps['sns'] &
    AwsOperatorDeps['cloudFormation'];
  let nowMs = 1_000_000;
  const until = untilBy(
    1_000,
    () => nowMs,
    async (ms) => {
      nowMs += ms;
    },
  );
  const operator = awsOperator({
    ...{ stage: 'sandbox', until, now: () => nowMs, outputs: { PagesTopicArn: 'arn:pages' } },
    ...{ cloudFormation: client, cloudWatch: client, lambda: client, sns: client },
  });
  return { operator, asked };
}

describe('schedules', () => {
  const resources = (...ids: string[]) =>
    ids.map((LogicalResourceId) => ({
      ResourceType: 'AWS::Lambda::Alias',
      LogicalResourceId,
      PhysicalResourceId: `arn:${LogicalResourceId}`,
    }));

  it('calls the live version of every scheduled function, on all pages, and reports what failed', async () => {
    const { operator, asked } = cloud({
      ListStackResources: ({ NextToken }) =>
        NextToken
          ? { StackResourceSummaries: resources('ModelTrainingTrainModelLive394EA4BD') }
          : {
              StackResourceSummaries: resources('SweepsSweepCasesLive720E82AB', 'ScreenEventLive8230F9DD'),
              NextToken: 'more',
            },
      Invoke: ({ FunctionName }) =>
        String(FunctionName).includes('Train')
          ? { FunctionError: 'Unhandled', Payload: Buffer.from('{"errorMessage":"AccessDenied"}') }
          : { Payload: Buffer.from('null') },
    });
    expect(await operator.runSchedules()).toEqual([
      { name: 'SweepsSweepCases', error: undefined },
      { name: 'ModelTrainingTrainModel', error: 'Unhandled: {"errorMessage":"AccessDenied"}' },
    ]);
    expect(asked.filter(([name]) => name === 'Invoke')).toHaveLength(2);
  });

  it('knows none but scheduled functions', () => {
    expect(SCHEDULED_ALIAS.test('DeliveryDeliverWebhookLive2CD878D7')).toBe(false);
    expect(SCHEDULED_ALIAS.test('DeliverySweepDeliveriesLive1A60757C')).toBe(true);
  });
});

it('metrics: those with values, by name, from the minute in which the run began', async () => {
  const { operator, asked } = cloud({
    GetMetricData: () => ({
      MetricDataResults: [
        { Id: 'm0', Values: [3] },
        { Id: 'm1', Values: [] },
      ],
    }),
  });
  expect(await operator.metricsSince(['Decisions', 'RiskScore'], 930_000)).toEqual(new Set(['Decisions']));
  expect(asked[0]?.[1]).toMatchObject({
    StartTime: new Date(900_000),
    MetricDataQueries: [
      { MetricStat: { Metric: { MetricName: 'Decisions', Dimensions: [{ Name: 'stage', Value: 'sandbox' }] } } },
      {},
    ],
  });
});

it('invocations: of every function, also of nested stacks, and none of CDK’s own', async () => {
  const summary = (ResourceType: string, LogicalResourceId: string, PhysicalResourceId: string) => ({
    ...{ ResourceType, LogicalResourceId, PhysicalResourceId },
  });
  const { operator } = cloud({
    ListStackResources: ({ StackName }) => ({
      StackResourceSummaries:
        StackName === 'arn:nested'
          ? [summary('AWS::Lambda::Function', 'Afd', 'afd-1'), summary('AWS::Lambda::Function', 'Rules', 'rules-1')]
          : [
              summary('AWS::CloudFormation::Stack', 'Functions', 'arn:nested'),
              summary('AWS::Lambda::Function', 'CustomCDKBucketDeployment8693', 'cdk-1'),
            ],
    }),
    GetMetricData: () => ({ MetricDataResults: [{ Id: 'm0', Values: [2, 3] }] }),
  });
  expect([...(await operator.invocationsSince(0))]).toEqual([
    ['afd-1', 5],
    ['rules-1', 0],
  ]);
});

it('alarms: metric and composite ones of this stage, on all pages', async () => {
  const { operator, asked } = cloud({
    DescribeAlarms: ({ NextToken }) =>
      NextToken
        ? {
            CompositeAlarms: [
              {
                AlarmName: 'fraud-screening-sandbox-b',
                StateValue: 'ALARM',
                AlarmDescription: 'Part of another alarm',
              },
            ],
          }
        : { MetricAlarms: [{ AlarmName: 'fraud-screening-sandbox-a', StateValue: 'OK' }], NextToken: 'more' },
  });
  expect(await operator.alarms()).toEqual([
    { name: 'fraud-screening-sandbox-a', state: 'OK', description: '' },
    { name: 'fraud-screening-sandbox-b', state: 'ALARM', description: 'Part of another alarm' },
  ]);
  expect(asked[0]?.[1]).toMatchObject({ AlarmNamePrefix: 'fraud-screening-sandbox-' });
});

describe('a test page', () => {
  const history = (...summaries: string[]) => ({
    AlarmHistoryItems: summaries.map((HistorySummary) => ({ HistorySummary })),
  });
  const subscriptions = (...arns: string[]) => ({
    Subscriptions: arns.map((SubscriptionArn) => ({ SubscriptionArn })),
  });
  const states = (asked: readonly [string, Record<string, unknown>][]) =>
    asked.filter(([name]) => name === 'SetAlarmState').map(([, { StateValue }]) => StateValue);

  it('sets an alarm off, waits for its notification, and sets it back', async () => {
    let looks = 0;
    const { operator, asked } = cloud({
      SetAlarmState: () => ({}),
      DescribeAlarmHistory: () =>
        ++looks < 3 ? history() : history('Successfully executed action arn:pages', 'of another arn'),
      ListSubscriptionsByTopic: () => subscriptions('arn:1', 'PendingConfirmation'),
    });
    expect(await operator.testPage()).toEqual({ sent: true, detail: '1 subscribed, 1 not confirmed yet' });
    expect(states(asked)).toEqual(['ALARM', 'OK']);
  });

  it('says that nobody gets it', async () => {
    const { operator } = cloud({
      SetAlarmState: () => ({}),
      DescribeAlarmHistory: () => history('Successfully executed action arn:pages'),
      ListSubscriptionsByTopic: () => subscriptions(),
    });
    expect(await operator.testPage()).toEqual({ sent: true, detail: 'NOBODY has confirmed a subscription' });
  });

  it('says when CloudWatch may not publish, and sets the alarm back all the same', async () => {
    const { operator, asked } = cloud({
      SetAlarmState: () => ({}),
      DescribeAlarmHistory: () => history('Failed to execute action arn:pages. KMS access denied'),
    });
    expect(await operator.testPage()).toEqual({ sent: false, detail: expect.stringContaining('KMS access denied') });
    expect(states(asked)).toEqual(['ALARM', 'OK']);
  });

  it('fails when nothing is reported within a minute', async () => {
    const { operator, asked } = cloud({ SetAlarmState: () => ({}), DescribeAlarmHistory: () => history() });
    await expect(operator.testPage()).rejects.toThrow('no notification to arn:pages within 60 s');
    expect(states(asked)).toEqual(['ALARM', 'OK']);
  });
});
