import { Duration, Validations } from 'aws-cdk-lib';
import type { ITable, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { ServiceFunction, schedule } from './service-function';
import { bindDueIndex, bindTable, type DataKey, type TableAccess } from './service-table';
import type { Warehouse } from './warehouse';

const KEPT = Duration.days(14);
// Six times the dispatcher's 30 s, as Lambda recommends: a batch never becomes visible while it is being processed.
const VISIBILITY = Duration.minutes(3);
const MAX_RECEIVES = 5;

/** The queues of webhook delivery: encrypted, over TLS only. */
export class DeliveryQueues extends Construct {
  readonly fresh: Queue;
  /** All later delivery attempts, kept separate so that a storm of retries never delays a new event. */
  readonly retries: Queue;
  /** Messages that could not be read or processed. */
  readonly dead: Queue;
  /** Change records that could not be relayed; the sweep retries them. */
  readonly relayFailures: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const secured = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: KEPT };
    this.dead = new Queue(this, 'Dead', secured);
    const deadLetterQueue = { queue: this.dead, maxReceiveCount: MAX_RECEIVES };
    this.fresh = new Queue(this, 'Fresh', { ...secured, visibilityTimeout: VISIBILITY, deadLetterQueue });
    this.retries = new Queue(this, 'Retries', { ...secured, visibilityTimeout: VISIBILITY, deadLetterQueue });
    // A message that fails again is left alone for this long.
    this.relayFailures = new Queue(this, 'RelayFailures', { ...secured, visibilityTimeout: Duration.minutes(5) });
    for (const queue of [this.dead, this.relayFailures]) {
      for (const ruleId of ['AwsSolutions-SQS3', 'Serverless-SQSRedrivePolicy']) {
        Validations.of(queue).acknowledge({
          id: ruleId,
          reason: 'It is where failures end: an alarm tells of the first, and they are kept for 14 days.',
        });
      }
    }
  }
}

export interface DeliveryProps {
  readonly stage: Stage;
  readonly table: TableV2;
  readonly dataKey: DataKey;
  /** The ARN of a bus that gets every event, too. @default none */
  readonly eventBus?: string | undefined;
  /** Where decisions, outcomes and cases are kept for analysis. @default nowhere */
  readonly warehouse?: Warehouse | undefined;
}

const RELAY_ACCESS: readonly TableAccess[] = [
  { actions: ['Query'], partitions: ['webhooks'] },
  { actions: ['PutItem'], partitions: ['message', 'deliveries'] },
];

const image = (entity: readonly string[], rest: object = {}) => ({
  NewImage: { entity: { S: FilterRule.or(...entity) }, ...rest },
});

/** Changes that can trigger a webhook; no other table change costs an invocation. */
const RELAYED = [
  { eventName: FilterRule.isEqual('INSERT'), dynamodb: image(['screening', 'case', 'rule-version']) },
  {
    eventName: FilterRule.isEqual('MODIFY'),
    dynamodb: image(['screening'], { review: { M: { decision: { S: FilterRule.or('allow', 'block') } } } }),
  },
  {
    eventName: FilterRule.isEqual('MODIFY'),
    dynamodb: image(['case'], { status: { S: FilterRule.or('approved', 'rejected') } }),
  },
  { dynamodb: image(['list-change'], { state: { S: FilterRule.or('complete') } }) },
  {
    eventName: FilterRule.isEqual('INSERT'),
    dynamodb: image(['delivery'], { origin: { S: FilterRule.or('redelivery', 'test') } }),
  },
];

/** For the warehouse: outcomes too, and every change of what it keeps. A mapping has at most five filters. */
const RELAYED_TO_WAREHOUSE = [
  { eventName: FilterRule.isEqual('INSERT'), dynamodb: image(['screening', 'case', 'rule-version', 'outcome']) },
  { eventName: FilterRule.isEqual('MODIFY'), dynamodb: image(['screening', 'case', 'outcome']) },
  ...RELAYED.slice(3),
];

/** From the table's stream to the merchant: relay, queues, dispatcher and the sweep that repairs them (ADR 0010). */
export class WebhookDelivery extends Construct {
  readonly queues: DeliveryQueues;

  constructor(scope: Construct, id: string, { stage, table, dataKey, eventBus, warehouse }: DeliveryProps) {
    super(scope, id);
    this.queues = new DeliveryQueues(this, 'Queues');
    const relay = this.relay(stage, table, warehouse ? RELAYED_TO_WAREHOUSE : RELAYED);
    const dispatcher = this.dispatcher(stage, table, dataKey);
    const sweep = this.sweep(stage, table);
    // An older dispatcher may not be able to read a new version's messages: it is deployed first.
    for (const writer of [relay, sweep]) writer.alias.node.addDependency(dispatcher.alias);
    // Both relay: the sweep retries what was set aside.
    if (eventBus) for (const relaying of [relay, sweep]) bindBus(relaying, eventBus);
    for (const relaying of warehouse ? [relay, sweep] : []) {
      warehouse?.bind(relaying);
      // Whose a case or an outcome is, the screening says.
      bindTable(relaying, table, [{ actions: ['GetItem'], partitions: ['subject'] }]);
    }
  }

  private relay(stage: Stage, table: TableV2, relayed: ReadonlyArray<{ [key: string]: unknown }>): ServiceFunction {
    const relay = new ServiceFunction(this, 'RelayEvents', {
      bundle: 'relay-events',
      stage,
      timeout: Duration.seconds(30),
    });
    bindTable(relay, table, RELAY_ACCESS);
    bindSending(relay, this.queues.fresh, 'FRESH_QUEUE_URL');
    bindSending(relay, this.queues.relayFailures, 'RELAY_FAILURES_URL');
    relay.live.addEventSource(
      // The library's table type is not compatible with exactOptionalPropertyTypes.
      new DynamoEventSource(table as ITable, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 100,
        parallelizationFactor: 4,
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        retryAttempts: 100,
        // Only when a record crashes the function itself: the relay sets aside what it cannot relay.
        onFailure: new SqsDlq(this.queues.relayFailures),
        filters: relayed.map((pattern) => FilterCriteria.filter(pattern)),
      }),
    );
    Validations.of(relay).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'The stream hands a failed batch over again; what cannot be relayed goes to the queue of failures.',
    });
    return relay;
  }

  private dispatcher(stage: Stage, table: TableV2, dataKey: DataKey): ServiceFunction {
    const dispatcher = new ServiceFunction(this, 'DeliverWebhook', {
      bundle: 'deliver-webhook',
      stage,
      timeout: Duration.seconds(30),
      // It waits for receivers, which takes no CPU and is charged by memory.
      memorySize: 512,
      // A retry due soon goes back to the queue it came from: up to ten delivery attempts, and ten more per redelivery.
      loops: true,
      // DNS lookups run on libuv's threads and get half of them: a batch of ten never waits for one lookup that hangs.
      environment: { UV_THREADPOOL_SIZE: '20' },
    });
    bindTable(dispatcher, table, [
      { actions: ['GetItem', 'UpdateItem'], partitions: ['webhooks', 'endpointState'] },
      { actions: ['UpdateItem'], partitions: ['deliveries'] },
      // One call reads all three, so one statement must allow all three.
      { actions: ['BatchGetItem'], partitions: ['deliveries', 'message', 'webhooks'] },
    ]);
    dataKey.bind(dispatcher);
    bindSending(dispatcher, this.queues.retries, 'RETRY_QUEUE_URL');
    const options = { batchSize: 10, reportBatchItemFailures: true };
    // Not reserved concurrency, which would push good messages into the dead-letter queue.
    dispatcher.live.addEventSource(new SqsEventSource(this.queues.fresh, { ...options, maxConcurrency: 100 }));
    dispatcher.live.addEventSource(new SqsEventSource(this.queues.retries, { ...options, maxConcurrency: 50 }));
    Validations.of(dispatcher).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: 'A queue has no failure destination but its redrive policy, which it has.',
    });
    return dispatcher;
  }

  private sweep(stage: Stage, table: TableV2): ServiceFunction {
    const sweep = new ServiceFunction(this, 'SweepDeliveries', {
      bundle: 'sweep-deliveries',
      stage,
      timeout: Duration.seconds(55),
      scheduled: true,
    });
    bindTable(sweep, table, [...RELAY_ACCESS, { actions: ['BatchGetItem', 'UpdateItem'], partitions: ['deliveries'] }]);
    bindDueIndex(sweep, table, 'delivery');
    bindSending(sweep, this.queues.fresh, 'FRESH_QUEUE_URL');
    bindSending(sweep, this.queues.retries, 'RETRY_QUEUE_URL');
    // A record that fails again stays where it is: the sweep takes from this queue and puts nothing back.
    bindQueue(sweep, this.queues.relayFailures, 'RELAY_FAILURES_URL', ['sqs:ReceiveMessage', 'sqs:DeleteMessage']);
    schedule(this, 'DeliveriesDue', sweep, {
      every: Duration.minutes(1),
      does: `Fraud screening, ${stage}: queue deliveries whose time has come`,
    });
    return sweep;
  }
}

/** The bus's ARN and the one permission on it. */
function bindBus({ lambda }: ServiceFunction, busArn: string): void {
  lambda.addEnvironment('EVENT_BUS_ARN', busArn);
  lambda.addToRolePolicy(new PolicyStatement({ actions: ['events:PutEvents'], resources: [busArn] }));
}

/** The queue's URL and these grants on it, in one call, so that they cannot drift apart. */
function bindQueue({ lambda }: ServiceFunction, queue: Queue, variable: string, actions: string[]): void {
  lambda.addEnvironment(variable, queue.queueUrl);
  lambda.addToRolePolicy(new PolicyStatement({ actions, resources: [queue.queueArn] }));
}

const bindSending = (target: ServiceFunction, queue: Queue, variable: string): void =>
  bindQueue(target, queue, variable, ['sqs:SendMessage']);
