import type { AwsCall } from '../aws/call';
import { ADMIN, type Intercept, type Proceed } from '../aws/front';
import type { AwsClient } from '../backends/aws-client';
import type { Stacks } from '../template/resolve-stack';
import type { AlarmStatus } from './alarm-states';
import type { MetricStore } from './metric-store';

/** The metrics that AWS itself would record for this run, under its names and dimensions. */
export interface AwsMetrics {
  invoked(functionName: string, durationMs: number, ok: boolean): void;
  concurrency(functionName: string, running: number): void;
  iteratorAge(functionName: string, ageMs: number): void;
  answered(status: number, latencyMs: number): void;
  table(call: AwsCall, status: number, answer: unknown): void;
  queueDepth(queueName: string, visible: number): void;
}

/** The alias that everything calls; AWS counts by it as well as by function. */
const ALIAS = 'live';
const READS: ReadonlySet<string> = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems']);

interface Consumed {
  readonly TableName?: string;
  readonly CapacityUnits?: number;
}

interface TableAnswer {
  readonly __type?: string;
  readonly ConsumedCapacity?: Consumed | readonly Consumed[];
}

/** DynamoDB Local under-reports transactions; AWS charges two units per started kilobyte of an item, and ours have one. */
const TRANSACTION_UNITS = 2;

function unitsOf({ operation, input }: AwsCall, { CapacityUnits: units = 0 }: Consumed): number {
  const items = input.TransactItems;
  return operation.startsWith('Transact') && Array.isArray(items) ? TRANSACTION_UNITS * items.length : units;
}

export function awsMetrics(store: MetricStore, api: { readonly apiName: string; readonly stage: string }): AwsMetrics {
  const lambda = (functionName: string, values: Readonly<Record<string, number>>): void => {
    const byAlias = { FunctionName: functionName, Resource: `${functionName}:${ALIAS}` };
    for (const dimensions of [{ FunctionName: functionName }, byAlias]) {
      for (const [name, value] of Object.entries(values)) {
        store.record({ namespace: 'AWS/Lambda', name, dimensions }, value);
      }
    }
  };
  const gateway = (values: Readonly<Record<string, number>>): void => {
    const dimensions = { ApiName: api.apiName, Stage: api.stage };
    for (const [name, value] of Object.entries(values)) {
      store.record({ namespace: 'AWS/ApiGateway', name, dimensions }, value);
    }
  };
  const table = (tableName: string, name: string, value: number): void =>
    store.record({ namespace: 'AWS/DynamoDB', name, dimensions: { TableName: tableName } }, value);

  return {
    invoked: (functionName, durationMs, ok) =>
      lambda(functionName, { Invocations: 1, Duration: durationMs, Errors: ok ? 0 : 1, Throttles: 0 }),
    concurrency: (functionName, running) => lambda(functionName, { ConcurrentExecutions: running }),
    iteratorAge: (functionName, ageMs) => lambda(functionName, { IteratorAge: ageMs }),
    answered: (status, latencyMs) =>
      gateway({
        Count: 1,
        Latency: latencyMs,
        '4XXError': status >= 400 && status < 500 ? 1 : 0,
        '5XXError': status >= 500 ? 1 : 0,
      }),
    table: (call, status, answer) => {
      const kind = READS.has(call.operation) ? 'Read' : 'Write';
      const { __type: type = '', ConsumedCapacity: consumed = [] } = (answer ?? {}) as TableAnswer;
      const throttled = status >= 400 && /Throttling|ProvisionedThroughputExceeded/.test(type);
      for (const each of [consumed].flat()) {
        if (each.TableName) table(each.TableName, `Consumed${kind}CapacityUnits`, unitsOf(call, each));
      }
      const name = [consumed].flat()[0]?.TableName ?? call.input.TableName;
      if (typeof name === 'string') table(name, `${kind}ThrottleEvents`, throttled ? 1 : 0);
    },
    queueDepth: (queueName, visible) =>
      store.record(
        { namespace: 'AWS/SQS', name: 'ApproximateNumberOfMessagesVisible', dimensions: { QueueName: queueName } },
        visible,
      ),
  };
}

/** CodeDeploy's decision about a new version of a function if it were deployed now. */
export interface Canary {
  readonly name: string;
  /** `stopped`: an alarm is already red because of the current version, and the new one is rolled back at once. */
  readonly verdict: 'shifts' | 'stopped';
  readonly red: readonly string[];
}

interface GroupProperties {
  readonly AlarmConfiguration?: { readonly Enabled?: boolean; readonly Alarms?: readonly { readonly Name: string }[] };
  readonly AutoRollbackConfiguration?: { readonly Enabled?: boolean; readonly Events?: readonly string[] };
}

/** There is only one version of a function here, but the alarms show whether the next one could be deployed. */
export function canaries(stacks: Stacks, states: () => readonly AlarmStatus[]): () => readonly Canary[] {
  const groups = stacks.ofType('AWS::CodeDeploy::DeploymentGroup');
  return () => {
    const red = new Set(states().flatMap(({ name, state }) => (state === 'ALARM' ? [name] : [])));
    return groups.map(({ name, properties }) => {
      const { AlarmConfiguration: watched } = properties as GroupProperties;
      const alarms = watched?.Enabled ? (watched.Alarms ?? []).map((alarm) => alarm.Name) : [];
      const found = alarms.filter((alarm) => red.has(alarm));
      return { name, verdict: found.length > 0 ? 'stopped' : 'shifts', red: found };
    });
  };
}

const EVERY_MS = 5_000;

/** Measures the depth of every queue periodically; returns a function that stops it. */
export function watchQueues(client: AwsClient, urls: ReadonlyMap<string, string>, metrics: AwsMetrics): () => void {
  const look = async (name: string, url: string): Promise<void> => {
    const { Attributes: attributes } = (await client.call('AmazonSQS.GetQueueAttributes', {
      QueueUrl: url,
      AttributeNames: ['ApproximateNumberOfMessages'],
    })) as { Attributes?: { ApproximateNumberOfMessages?: string } };
    metrics.queueDepth(name, Number(attributes?.ApproximateNumberOfMessages ?? 0));
  };
  const lookAtAll = (): void => {
    // A queue that does not answer has no depth, which shows as a gap in the graph.
    void Promise.allSettled([...urls].map(([name, url]) => look(name, url)));
  };
  lookAtAll();
  const timer = setInterval(lookAtAll, EVERY_MS);
  return () => clearInterval(timer);
}

/** Requests the consumed capacity of each call of a function from DynamoDB; `inner` (faults, other meters) still applies. */
export const meterTableCalls =
  (metrics: AwsMetrics, inner?: Intercept): Intercept =>
  async (call, proceed) => {
    if (call.service !== 'dynamodb' || call.caller === ADMIN.name) return inner?.(call, proceed);
    const asking: Proceed = (input) => proceed({ ReturnConsumedCapacity: 'TOTAL', ...(input ?? call.input) });
    const answer = (await inner?.(call, asking)) ?? (await asking());
    if (answer !== 'reset') metrics.table(call, answer.status, parsed(String(answer.body)));
    return answer;
  };

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
