import {
  type CloudFormationClient,
  ListStackResourcesCommand,
  type ListStackResourcesCommandOutput,
} from '@aws-sdk/client-cloudformation';
import {
  type CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  type Metric,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { ListSubscriptionsByTopicCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { Stage } from '../../shared/domain/stage';
import { METRIC_NAMESPACE, STAGE_DIMENSION } from '../../shared/runtime/embedded-metrics';
import { CheckFailure, type Operator, type SeenAlarm, type TestPage, type Until } from './check';

export interface AwsOperatorDeps {
  readonly stage: Stage;
  readonly outputs: Readonly<Record<string, string>>;
  readonly until: Until;
  readonly now: () => number;
  readonly cloudFormation: Pick<CloudFormationClient, 'send'>;
  readonly cloudWatch: Pick<CloudWatchClient, 'send'>;
  readonly lambda: Pick<LambdaClient, 'send'>;
  readonly sns: Pick<SNSClient, 'send'>;
}

/** CloudWatch shows a metric after one to three minutes, and evaluates alarms once per minute. */
const METRIC_DELAY_MS = 5 * 60_000;
const PAGE_WITHIN_MS = 60_000;
const MINUTE_MS = 60_000;

/** The aliases by which schedules call their functions; a test compares it with the rules in the template. */
export const SCHEDULED_ALIAS =
  /^(?:SweepsSweepCases|SweepsSweepLists|ErasuresEraseUsers|DeliverySweepDeliveries|ModelTrainingTrainModel)Live/;

/** As EventBridge would call; the functions use none of it. */
const SCHEDULED_EVENT = JSON.stringify({ source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} });

/** Set off as a test: it pages, and no deployment is rolled back because of it. */
const TESTED_ALARM = 'relay-behind';

type StackResource = NonNullable<ListStackResourcesCommandOutput['StackResourceSummaries']>[number];

async function resourcesOf(
  deps: Pick<AwsOperatorDeps, 'cloudFormation'>,
  StackName: string,
): Promise<readonly StackResource[]> {
  const found: StackResource[] = [];
  let NextToken: string | undefined;
  do {
    const command: ListStackResourcesCommand = new ListStackResourcesCommand({
      StackName,
      ...(NextToken ? { NextToken } : {}),
    });
    const page = await deps.cloudFormation.send(command);
    found.push(...(page.StackResourceSummaries ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  const nested = found.filter(({ ResourceType }) => ResourceType === 'AWS::CloudFormation::Stack');
  for (const { PhysicalResourceId } of nested) {
    if (PhysicalResourceId) found.push(...(await resourcesOf(deps, PhysicalResourceId)));
  }
  return found;
}

async function scheduledAliases(deps: AwsOperatorDeps): Promise<ReadonlyMap<string, string>> {
  const all = await resourcesOf(deps, `FraudScreening-${deps.stage}`);
  const found = all.flatMap(({ ResourceType, LogicalResourceId = '', PhysicalResourceId }) => {
    const [prefix] = SCHEDULED_ALIAS.exec(LogicalResourceId) ?? [];
    const isOne = ResourceType === 'AWS::Lambda::Alias' && prefix && PhysicalResourceId;
    return isOne ? [[prefix.replace(/Live$/, ''), PhysicalResourceId] as const] : [];
  });
  return new Map(found);
}

/** CDK's own functions run only during a deployment. */
const ofCdk = (logicalId = ''): boolean => /^Custom(?:CDKBucketDeployment|S3AutoDeleteObjects)/.test(logicalId);

async function functionNames(deps: AwsOperatorDeps): Promise<readonly string[]> {
  const all = await resourcesOf(deps, `FraudScreening-${deps.stage}`);
  return all.flatMap(({ ResourceType, LogicalResourceId, PhysicalResourceId }) =>
    ResourceType === 'AWS::Lambda::Function' && PhysicalResourceId && !ofCdk(LogicalResourceId)
      ? [PhysicalResourceId]
      : [],
  );
}

async function sampleCounts(
  { cloudWatch, now }: AwsOperatorDeps,
  metrics: readonly Metric[],
  sinceMs: number,
): Promise<readonly number[]> {
  const { MetricDataResults: results = [] } = await cloudWatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(Math.floor(sinceMs / MINUTE_MS) * MINUTE_MS),
      EndTime: new Date(now() + MINUTE_MS),
      MetricDataQueries: metrics.map((Metric, index) => ({
        Id: `m${index}`,
        MetricStat: { Metric, Period: 60, Stat: 'SampleCount' },
      })),
    }),
  );
  const counts = new Map(
    results.map(({ Id: id, Values: values = [] }) => [id, values.reduce((sum, value) => sum + value, 0)]),
  );
  return metrics.map((_, index) => counts.get(`m${index}`) ?? 0);
}

async function allAlarms({ cloudWatch, stage }: AwsOperatorDeps): Promise<SeenAlarm[]> {
  const seen: SeenAlarm[] = [];
  let NextToken: string | undefined;
  do {
    const command: DescribeAlarmsCommand = new DescribeAlarmsCommand({
      AlarmNamePrefix: `fraud-screening-${stage}-`,
      AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
      ...(NextToken ? { NextToken } : {}),
    });
    const page = await cloudWatch.send(command);
    for (const { AlarmName: name = '', StateValue: state = '', AlarmDescription: description = '' } of [
      ...(page.MetricAlarms ?? []),
      ...(page.CompositeAlarms ?? []),
    ]) {
      seen.push({ name, state, description });
    }
    NextToken = page.NextToken;
  } while (NextToken);
  return seen;
}

/** Sets the alarm off and waits until CloudWatch reports the fate of its notification. */
async function sendTestPage(deps: AwsOperatorDeps, topicArn: string): Promise<TestPage> {
  const { cloudWatch, sns, stage, now, until } = deps;
  const AlarmName = `fraud-screening-${stage}-${TESTED_ALARM}`;
  const since = new Date(now() - 1_000);
  const StateReason = 'A test page, sent by npm run verify. Nothing is wrong.';
  await cloudWatch.send(new SetAlarmStateCommand({ AlarmName, StateValue: 'ALARM', StateReason }));
  try {
    const summary = await until(
      PAGE_WITHIN_MS,
      async () => {
        const history = new DescribeAlarmHistoryCommand({ AlarmName, HistoryItemType: 'Action', StartDate: since });
        const { AlarmHistoryItems: items = [] } = await cloudWatch.send(history);
        return items.find(({ HistorySummary: text }) => text?.includes(topicArn))?.HistorySummary;
      },
      () => `${AlarmName} was set off, but CloudWatch reports no notification to ${topicArn} within 60 s.`,
    );
    if (!summary.startsWith('Successfully')) return { sent: false, detail: summary };
  } finally {
    await cloudWatch.send(new SetAlarmStateCommand({ AlarmName, StateValue: 'OK', StateReason }));
  }
  const { Subscriptions: all = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: topicArn }));
  const waiting = all.filter(({ SubscriptionArn: arn }) => arn === 'PendingConfirmation').length;
  const confirmed = all.length - waiting;
  const recipients = confirmed === 0 ? 'NOBODY has confirmed a subscription' : `${confirmed} subscribed`;
  return { sent: true, detail: `${recipients}${waiting > 0 ? `, ${waiting} not confirmed yet` : ''}` };
}

export function awsOperator(deps: AwsOperatorDeps): Operator {
  const { stage, outputs, lambda } = deps;
  return {
    where: 'AWS',
    metricDelayMs: METRIC_DELAY_MS,
    outputs: async () => outputs,
    async runSchedules() {
      const runs = [];
      for (const [name, FunctionName] of await scheduledAliases(deps)) {
        const { FunctionError: kind, Payload: payload } = await lambda.send(
          new InvokeCommand({ FunctionName, Payload: Buffer.from(SCHEDULED_EVENT) }),
        );
        const said = payload ? Buffer.from(payload).toString().slice(0, 300) : '';
        runs.push({ name, error: kind && `${kind}: ${said}` });
      }
      return runs;
    },
    async metricsSince(names, sinceMs) {
      const Dimensions = [{ Name: STAGE_DIMENSION, Value: stage }];
      const metrics = names.map((MetricName) => ({ Namespace: METRIC_NAMESPACE, MetricName, Dimensions }));
      const counts = await sampleCounts(deps, metrics, sinceMs);
      return new Set(names.filter((_, index) => (counts[index] ?? 0) > 0));
    },
    async invocationsSince(sinceMs) {
      const names = await functionNames(deps);
      const metrics = names.map((Value) => ({
        ...{ Namespace: 'AWS/Lambda', MetricName: 'Invocations' },
        Dimensions: [{ Name: 'FunctionName', Value }],
      }));
      const counts = await sampleCounts(deps, metrics, sinceMs);
      return new Map(names.map((name, index) => [name, counts[index] ?? 0]));
    },
    alarms: () => allAlarms(deps),
    testPage: async () => {
      const { PagesTopicArn: topicArn } = outputs;
      if (!topicArn) return undefined;
      return sendTestPage(deps, topicArn).catch((error: Error) => {
        if (error instanceof CheckFailure) throw error;
        return { sent: false, detail: error.message };
      });
    },
    // A refusal makes the function fail, which the run itself reports.
    denials: async () => [],
  };
}
