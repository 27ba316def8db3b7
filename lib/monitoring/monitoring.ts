import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { SlackChannelConfiguration } from 'aws-cdk-lib/aws-chatbot';
import { type AlarmBase, Dashboard, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ILogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { ROUTES } from '../../shared/routes';
import { functionOf } from '../../shared/routes/define-route';
import { SafeDeployments } from '../constructs/safe-deployments';
import { ServiceFunction } from '../constructs/service-function';
import type { Warehouse } from '../constructs/warehouse';
import type { DeliveryQueues } from '../constructs/webhook-delivery';
import { decisions } from './rows/decisions';
import { type DashboardParts, delivery, overview, requests, underneath } from './rows/requests';
import {
  addQueueAlarms,
  addStageAlarms,
  functionNamed,
  type RollbackAlarms,
  type StageAlarmsProps,
} from './stage-alarms';
import { addWarehouseAlarms } from './warehouse-alarms';
import { AlarmBook, heading, StageMetrics } from './widgets';

/** Who is notified of alarms. An address must be confirmed by the link in the first email. */
export interface Recipients {
  readonly pageEmail: string | undefined;
  readonly ticketEmail: string | undefined;
  /** A channel of a Slack workspace that the account has authorized in Amazon Q Developer in chat applications. */
  readonly slack: { readonly workspace: string; readonly channel: string } | undefined;
}

export interface AlarmTopicsProps {
  readonly stage: Stage;
  readonly recipients: Recipients;
  /** Whether notifications are encrypted at rest, with the stage's own key. */
  readonly encrypted: boolean;
}

/**
 * Where alarms go: pages, which wake someone up, and tickets, which wait until morning. AWS's own key for SNS does not
 * admit CloudWatch, so encrypted topics need their own key ($1 per month).
 */
export class AlarmTopics extends Construct {
  readonly pages: Topic;
  readonly tickets: Topic;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: AlarmTopicsProps,
  ) {
    super(scope, id);
    const { stage, recipients } = props;
    const key = props.encrypted ? this.key(stage) : undefined;
    this.pages = this.topic('Pages', key, recipients.pageEmail);
    this.tickets = this.topic('Tickets', key, recipients.ticketEmail);
    if (recipients.slack) {
      new SlackChannelConfiguration(this, 'Slack', {
        slackChannelConfigurationName: `fraud-screening-${stage}-${Stack.of(this).region}`,
        slackWorkspaceId: recipients.slack.workspace,
        slackChannelId: recipients.slack.channel,
        notificationTopics: [this.pages, this.tickets],
      });
    }
  }

  get reachSomebody(): boolean {
    const { pageEmail, slack } = this.props.recipients;
    return Boolean(pageEmail ?? slack);
  }

  outputs(): Readonly<Record<string, string>> {
    const { pageEmail, ticketEmail, slack } = this.props.recipients;
    const known = [
      ...(pageEmail ? [`pages: ${pageEmail}`] : []),
      ...(ticketEmail ? [`tickets: ${ticketEmail}`] : []),
      ...(slack ? [`both: Slack channel ${slack.channel}`] : []),
    ];
    return {
      AlarmRecipients: this.reachSomebody ? known.join(', ') : NOBODY,
      PagesTopicArn: this.pages.topicArn,
      TicketsTopicArn: this.tickets.topicArn,
    };
  }

  private key(stage: Stage): Key {
    const key = new Key(this, 'Key', {
      description: `Fraud screening, ${stage}: alarms`,
      enableKeyRotation: true,
      // Nothing encrypted outlives its notification, and a key left behind would cost $1 per month forever.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({ actions: ['kms:Decrypt', 'kms:GenerateDataKey*'], resources: ['*'], ...this.cloudWatch() }),
    );
    return key;
  }

  private cloudWatch() {
    return {
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    };
  }

  private topic(id: string, masterKey: Key | undefined, email: string | undefined): Topic {
    const topic = new Topic(this, id, {
      displayName: `Fraud screening ${this.props.stage}: ${id.toLowerCase()}`,
      ...(masterKey ? { masterKey } : {}),
      enforceSSL: true,
    });
    // Our topic policy replaces the default one, which lets the account's alarms publish.
    topic.addToResourcePolicy(
      new PolicyStatement({ actions: ['sns:Publish'], resources: [topic.topicArn], ...this.cloudWatch() }),
    );
    if (!masterKey) {
      Validations.of(topic).acknowledge({
        id: 'AwsSolutions-SNS2',
        reason:
          'An alarm names a metric and a limit, nothing personal; with -c monitoring=full it is encrypted as well.',
      });
    }
    if (email) topic.addSubscription(new EmailSubscription(email));
    Validations.of(topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason:
        'A mail that SNS cannot hand over has no better place: the alarm itself stays red, and is on the dashboard.',
    });
    return topic;
  }
}

/** Shown at the end of a deployment and on the dashboard. */
export const NOBODY =
  'NOBODY hears of alarms yet. Deploy with -c alarmEmail=… or -c alarmSlack=…, or subscribe to PagesTopicArn.';

/** More failed requests than this within five minutes are an outage, at any traffic. */
const FAILED_REQUESTS = 5;

/**
 * The alarms of a stage that must cost next to nothing: requests fail, events are not relayed, delivered or swept. Each
 * watches one metric that AWS provides, because every metric of our own costs as much as three alarms.
 */
export function addEssentialAlarms(book: AlarmBook, props: StageAlarmsProps): RollbackAlarms {
  const { metrics, functions } = props;
  const failing = book.watch('availability-fast-burn', {
    severity: 'page',
    says: `more than ${FAILED_REQUESTS} requests failed within five minutes.`,
    metric: metrics.gateway('5XXError', 'Sum', { period: Duration.minutes(5) }),
    above: FAILED_REQUESTS,
    datapoints: [1, 1],
  });
  book.watch('webhooks-late', {
    severity: 'page',
    says: 'the sweep that queues deliveries has stopped.',
    metric: functionNamed(functions, 'sweep-deliveries').live.metricInvocations({ period: Duration.minutes(5) }),
    below: 1,
    datapoints: [2, 2],
    silenceIsBad: true,
  });
  addQueueAlarms(book, props);
  return { shared: [failing], crashes: new Map() };
}

export interface SavedQueriesProps {
  readonly stage: Stage;
  readonly accessLog: ILogGroup;
  readonly functions: ReadonlyMap<string, ServiceFunction>;
}

/** Questions of on-call that no metric answers, under Logs Insights → Queries → Fraud screening. */
export function addSavedQueries(scope: Construct, { stage, accessLog, functions }: SavedQueriesProps): void {
  const save = (id: string, question: string, logGroups: readonly ILogGroup[], query: QueryString): void => {
    new QueryDefinition(scope, id, {
      queryDefinitionName: `Fraud screening/${stage}/${question}`,
      logGroups: [...logGroups],
      queryString: query,
    });
  };
  const logsOf = (...names: readonly string[]): ILogGroup[] =>
    names.flatMap((name) => functions.get(name)?.lambda.logGroup ?? []);

  save(
    'WhichAccount',
    'Which account gets errors?',
    [accessLog],
    new QueryString({
      filterStatements: ['status >= 400'],
      statsStatements: ['count(*) as answers by account_id, route, status, error'],
      sort: 'answers desc',
      limit: 50,
    }),
  );
  save(
    'WhichEndpoint',
    'Which endpoint fails?',
    logsOf('deliver-webhook'),
    new QueryString({
      filterStatements: ['message = "attempt"', 'outcome != "delivered"'],
      statsStatements: ['count(*) as attempts by webhook_id, account_id, outcome, status_code'],
      sort: 'attempts desc',
      limit: 50,
    }),
  );
  save(
    'WhatFailed',
    'What failed, and why?',
    // Logs Insights queries at most 50 log groups at once.
    logsOf(...functions.keys()).slice(0, 50),
    new QueryString({
      fields: ['@timestamp', 'service', 'message', 'error.name', 'error.message', 'errorMessage', 'request_id'],
      filterStatements: ['level = "ERROR" or errorMessage like /Task timed out/'],
      sort: '@timestamp desc',
      limit: 100,
    }),
  );
}

export interface DashboardAlarms {
  readonly telling: readonly AlarmBase[];
  /** One per function; a single alarm on all of them notifies. */
  readonly crashes: readonly AlarmBase[];
  /** Something to fix first. */
  readonly notice: string | undefined;
}

/** The dashboard of a stage: its first row answers the three questions of 3 a.m., the rows below explain why. */
export class StageDashboard extends Dashboard {
  constructor(scope: Construct, id: string, parts: DashboardParts, alarms: DashboardAlarms) {
    super(scope, id, {
      // CloudWatch keeps one list of dashboards for all regions of an account.
      dashboardName: `fraud-screening-${parts.metrics.stage}-${Stack.of(scope).region}`,
      start: '-PT3H',
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        ...(alarms.notice ? [[heading(`**${alarms.notice}**`)]] : []),
        ...overview(parts, alarms.telling),
        ...requests(parts, alarms.crashes),
        ...decisions(parts),
        ...delivery(parts),
        ...underneath(parts),
      ],
    });
  }
}

export interface MonitoringOptions {
  readonly recipients: Recipients;
  readonly runbook: string;
  /**
   * `essential`: the alarms that matter, on metrics that AWS provides, and no KMS key; scheduled functions send no metrics of
   * their own. For a stage that costs next to nothing while idle. `full`: everything.
   */
  readonly level: 'essential' | 'full';
  /** `false`: no alarms and no topics, for a platform that monitors the metrics with its own tools. */
  readonly alarms: boolean;
  /** `false`: a new version of a function goes live at once, regardless of alarms. */
  readonly canary: boolean;
}

export interface MonitoringProps extends MonitoringOptions {
  readonly stage: Stage;
  readonly apiName: string;
  readonly accessLog: ILogGroup;
  readonly table: TableV2;
  readonly queues: DeliveryQueues;
  readonly home: Construct;
  readonly warehouse?: Warehouse | undefined;
}

/** The on-call tools: a dashboard, alarms and their topics, and deployments that alarms roll back. Created last in a stack. */
export class Monitoring extends Construct {
  private readonly topics: AlarmTopics | undefined;
  private readonly level: MonitoringOptions['level'];

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { stage, table, queues, recipients, runbook } = props;
    this.level = props.level;
    const isFull = props.level === 'full';
    const metrics = new StageMetrics(stage, props.apiName);
    const functions = functionsOf(Stack.of(this));
    const parts = { metrics, table, queues, functions };
    const routes = [...new Set(ROUTES.flatMap((route) => ('public' in route ? [] : [functionOf(route)])))];
    this.topics = props.alarms ? new AlarmTopics(this, 'Alarms', { stage, recipients, encrypted: isFull }) : undefined;
    const book = this.topics && new AlarmBook(this, 'Book', { stage, topics: this.topics, runbook });
    const rollback = book && (isFull ? addStageAlarms(book, parts) : addEssentialAlarms(book, parts));
    if (book && props.warehouse) addWarehouseAlarms(book, props.warehouse);
    if (!isFull) for (const handler of functions.values()) handler.keepMetricsWhenScheduled();
    new StageDashboard(
      this,
      'Dashboard',
      { ...parts, routes },
      {
        telling: book?.telling ?? [],
        crashes: [...(rollback?.crashes.values() ?? [])],
        notice: this.topics && !this.topics.reachSomebody ? NOBODY : undefined,
      },
    );
    addSavedQueries(this, { stage, accessLog: props.accessLog, functions });

    new SafeDeployments(this, 'Deployments', {
      home: props.home,
      // Without alarms, a canary would prove nothing.
      canary: props.canary && props.alarms,
      functions: ['authorize', 'afd', ...routes].flatMap((name) => {
        const handler = functions.get(name);
        const crash = rollback?.crashes.get(name);
        const alarms = [...(crash ? [crash] : []), ...(rollback?.shared ?? [])];
        return handler ? [{ name, handler, alarms }] : [];
      }),
    });
  }

  outputs(): Readonly<Record<string, string>> {
    return { MonitoringLevel: this.level, ...this.topics?.outputs() };
  }
}

function functionsOf(stack: Stack): ReadonlyMap<string, ServiceFunction> {
  const found = stack.node.findAll().filter((construct) => construct instanceof ServiceFunction);
  return new Map(found.map((each) => [each.bundle, each] as const));
}
