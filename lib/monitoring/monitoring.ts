import { Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { ROUTES } from '../../shared/routes';
import type { DeliveryQueues } from '../constructs/delivery-queues';
import { SafeDeployments } from '../constructs/safe-deployments';
import { ServiceFunction } from '../constructs/service-function';
import { AlarmBook } from './alarm-book';
import { AlarmTopic } from './alarm-topic';
import { addStageAlarms } from './stage-alarms';
import { StageDashboard } from './stage-dashboard';
import { StageMetrics } from './stage-metrics';

/** Monitoring options, the same for both stages. */
export interface MonitoringOptions {
  /** @default nobody is notified until someone subscribes to the topic */
  readonly alarmEmail?: string;
  /** Where on-call reads the runbook. */
  readonly runbook: string;
}

export interface MonitoringProps extends MonitoringOptions {
  readonly stage: Stage;
  readonly apiName: string;
  readonly table: TableV2;
  readonly queues: DeliveryQueues;
}

/** The on-call tools: a dashboard, alarms and their topic, and deployments that alarms roll back. Created last in a stack. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { stage, table, queues, alarmEmail, runbook } = props;
    const metrics = new StageMetrics(stage, props.apiName);
    const functions = functionsOf(Stack.of(this));
    const { topic } = new AlarmTopic(this, 'Alarms', { stage, ...(alarmEmail ? { email: alarmEmail } : {}) });
    const book = new AlarmBook(this, 'Book', { stage, topic, runbook });
    const parts = { metrics, table, queues, functions };
    const rollback = addStageAlarms(book, parts);
    const routes = ROUTES.flatMap((route) => ('public' in route ? [] : [route.operation]));
    new StageDashboard(this, 'Dashboard', { ...parts, routes }, book);

    new SafeDeployments(
      this,
      'Deployments',
      ['authorize', ...routes].flatMap((name) => {
        const handler = functions.get(name);
        const crash = rollback.crashes.get(name);
        return handler && crash ? [{ name, handler, alarms: [crash, ...rollback.shared] }] : [];
      }),
    );
  }
}

/** Every function created in the stack so far, by bundle name. */
function functionsOf(stack: Stack): ReadonlyMap<string, ServiceFunction> {
  const found = stack.node.findAll().filter((construct) => construct instanceof ServiceFunction);
  return new Map(found.map((each) => [each.bundle, each] as const));
}
