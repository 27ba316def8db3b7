import { Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { ROUTES } from '../../shared/routes';
import { functionOf } from '../../shared/routes/define-route';
import type { DeliveryQueues } from '../constructs/delivery-queues';
import { SafeDeployments } from '../constructs/safe-deployments';
import { ServiceFunction } from '../constructs/service-function';
import { AlarmBook } from './alarm-book';
import { AlarmTopics, NOBODY, type Recipients } from './alarm-topics';
import { addEssentialAlarms } from './essential-alarms';
import { addSavedQueries } from './saved-queries';
import { addStageAlarms } from './stage-alarms';
import { StageDashboard } from './stage-dashboard';
import { StageMetrics } from './stage-metrics';

/** Monitoring options, the same for both stages. */
export interface MonitoringOptions {
  readonly recipients: Recipients;
  /** Where on-call reads the runbook. */
  readonly runbook: string;
  /**
   * `essential`: the alarms that matter, on metrics that AWS provides, and no KMS key; scheduled functions send no metrics of
   * their own. For a stage that costs next to nothing while idle. `full`: everything.
   */
  readonly level: 'essential' | 'full';
  /** `false`: no alarms and no topics, for a platform that monitors the metrics with its own tools. */
  readonly alarms: boolean;
  /** `false`: a new version of a function goes live at once, whatever the alarms say. */
  readonly canary: boolean;
}

export interface MonitoringProps extends MonitoringOptions {
  readonly stage: Stage;
  readonly apiName: string;
  readonly accessLog: ILogGroup;
  readonly table: TableV2;
  readonly queues: DeliveryQueues;
  /** The stack of the functions that serve requests. */
  readonly home: Construct;
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

  /** Its outputs at the end of a deployment. */
  outputs(): Readonly<Record<string, string>> {
    return { MonitoringLevel: this.level, ...this.topics?.outputs() };
  }
}

/** Every function created in the stack so far, by bundle name. */
function functionsOf(stack: Stack): ReadonlyMap<string, ServiceFunction> {
  const found = stack.node.findAll().filter((construct) => construct instanceof ServiceFunction);
  return new Map(found.map((each) => [each.bundle, each] as const));
}
