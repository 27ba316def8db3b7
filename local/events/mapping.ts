import type { CallRecord } from '../aws/call';
import type { Roles } from '../iam/roles';
import { type Functions, functionOf, type LambdaFunction } from '../lambda/lambda-function';
import { StartError } from '../start-error';
import type { StackResource } from '../template/resolve-stack';

export type Filter = (event: unknown) => boolean;

type Test = (value: unknown) => boolean;
type Pattern = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Pattern =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
function anyOf(wanted: readonly unknown[]): Test {
  const matcher = wanted.find((value) => typeof value === 'object' && value !== null);
  if (matcher) throw new Error(`the filter ${JSON.stringify(matcher)} is not known`);
  return (value) => wanted.includes(value);
}

function compileObject(pattern: Pattern): Test {
  const tests = Object.entries(pattern).map(([key, part]): Test => {
    const test = Array.isArray(part) ? anyOf(part) : isObject(part) ? compileObject(part) : undefined;
    if (!test) throw new Error(`the filter at ${key} must be a list or an object`);
    return (value) => test(isObject(value) ? value[key] : undefined);
  });
  return (value) => tests.every((test) => test(value));
}

interface FilterCriteria {
  readonly Filters?: readonly { readonly Pattern?: string }[];
}

/** The filters of an event source mapping: one of them must match. It knows values; anything else that AWS compares by throws. */
export function compileFilters(criteria: FilterCriteria | undefined): Filter {
  const filters = (criteria?.Filters ?? []).map(({ Pattern: source = '{}' }) =>
    compileObject(JSON.parse(source) as Pattern),
  );
  return filters.length === 0 ? () => true : (event) => filters.some((filter) => filter(event));
}

export interface Mapping {
  readonly id: string;
  readonly target: LambdaFunction;
  readonly sourceArn: string;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly filter: Filter;
  readonly reportsFailures: boolean;
  readonly startsAtLatest: boolean;
  readonly bisects: boolean;
  /** -1: unlimited, as in AWS. */
  readonly maxRetries: number;
  readonly maxAgeSeconds: number;
  readonly onFailureArn: string | undefined;
  readonly maxConcurrency: number;
  /** 0: the function gets no information about shards and windows. */
  readonly tumblingWindowMs: number;
}

interface Properties {
  readonly EventSourceArn: string;
  readonly FunctionName: string;
  readonly Enabled?: boolean;
  readonly BatchSize?: number;
  readonly MaximumBatchingWindowInSeconds?: number;
  readonly FilterCriteria?: Parameters<typeof compileFilters>[0];
  readonly FunctionResponseTypes?: readonly string[];
  readonly StartingPosition?: string;
  readonly BisectBatchOnFunctionError?: boolean;
  readonly MaximumRetryAttempts?: number;
  readonly MaximumRecordAgeInSeconds?: number;
  readonly DestinationConfig?: { readonly OnFailure?: { readonly Destination?: string } };
  readonly TumblingWindowInSeconds?: number;
  readonly ScalingConfig?: { readonly MaximumConcurrency?: number };
}

/** A window that saves writes in AWS would only make people and tests wait here. */
const MAX_WINDOW_MS = 2_000;

/** For a queue whose mapping sets none: Lambda starts with five readers. */
const QUEUE_READERS = 5;

const STREAM_ACTIONS = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
const QUEUE_ACTIONS = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** Lambda polls with the function's role; AWS refuses to create a mapping if the role lacks the grants. */
function requireGrants(
  resource: StackResource,
  { config }: LambdaFunction,
  needs: readonly [string, string][],
  { roles, calls }: Pick<MappingDeps, 'roles' | 'calls'>,
): void {
  for (const [action, arn] of needs) {
    if (roles.get(config.roleArn)?.({ action, resource: arn }) === 'allowed') {
      calls.note(config.name, { action, resource: arn });
      continue;
    }
    throw new StartError(
      `${resource.logicalId} (${resource.type}) cannot poll: ${config.name} is not authorized to perform ${action} on ${arn}.`,
    );
  }
}

export interface MappingDeps {
  readonly functions: Functions;
  readonly roles: Roles;
  readonly queues: readonly StackResource[];
  readonly calls: CallRecord;
}

/** As AWS does: a message must not be delivered a second time while the function still works on it. */
function requireVisibility(
  resource: StackResource,
  sourceArn: string,
  { config }: LambdaFunction,
  queues: readonly StackResource[],
): void {
  const queue = queues.find(({ attribute }) => attribute('Arn') === sourceArn)?.properties;
  const seconds = Number(queue?.VisibilityTimeout ?? 30);
  if (queue === undefined || seconds >= config.timeoutSeconds) return;
  throw new StartError(
    `${resource.logicalId} (${resource.type}) would be refused by AWS: the queue's visibility timeout of ${seconds} s is shorter than the function's timeout of ${config.timeoutSeconds} s.`,
  );
}

/** Reads a mapping; undefined if it is disabled. Parallelization factors are ignored: one batch per shard keeps the order. */
export function eventSourceMapping(
  resource: StackResource,
  { functions, roles, queues, calls }: MappingDeps,
): Mapping | undefined {
  const properties = resource.properties as unknown as Properties;
  if (properties.Enabled === false) return undefined;
  const target = functionOf(functions, properties.FunctionName);
  if (!target)
    throw new StartError(
      `${resource.logicalId} (${resource.type}) invokes ${properties.FunctionName}, which is not in this stack.`,
    );
  const sourceArn = properties.EventSourceArn;
  const isQueue = sourceArn.startsWith('arn:aws:sqs:');
  if (!isQueue && !/:dynamodb:.*\/stream\//.test(sourceArn)) {
    throw new StartError(
      `${resource.logicalId} (${resource.type}) reads from ${sourceArn}, which is neither a queue nor a table's stream.`,
    );
  }
  const onFailureArn = properties.DestinationConfig?.OnFailure?.Destination;
  requireVisibility(resource, sourceArn, target, queues);
  const needs = [
    ...(isQueue ? QUEUE_ACTIONS : STREAM_ACTIONS).map((action): [string, string] => [action, sourceArn]),
    ...(onFailureArn ? ([['sqs:SendMessage', onFailureArn]] as [string, string][]) : []),
  ];
  requireGrants(resource, target, needs, { roles, calls });
  try {
    return {
      id: resource.logicalId,
      target,
      sourceArn,
      batchSize: properties.BatchSize ?? (isQueue ? 10 : 100),
      windowMs: Math.min(MAX_WINDOW_MS, (properties.MaximumBatchingWindowInSeconds ?? 0) * 1_000),
      filter: compileFilters(properties.FilterCriteria),
      reportsFailures: properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
      startsAtLatest: properties.StartingPosition === 'LATEST',
      bisects: properties.BisectBatchOnFunctionError ?? false,
      maxRetries: properties.MaximumRetryAttempts ?? -1,
      maxAgeSeconds: properties.MaximumRecordAgeInSeconds ?? -1,
      onFailureArn,
      maxConcurrency: properties.ScalingConfig?.MaximumConcurrency ?? QUEUE_READERS,
      tumblingWindowMs: (properties.TumblingWindowInSeconds ?? 0) * 1_000,
    };
  } catch (error) {
    throw new StartError(`${resource.logicalId} (${resource.type}) cannot run here: ${(error as Error).message}.`);
  }
}

/**
 * In AWS each event source of a function gets environments up to its own maximum. Here all share those of the function,
 * in proportion to their maxima: events from one source never wait for all events from another.
 */
export function shareOut(mappings: readonly Mapping[]): Mapping[] {
  return mappings.map((mapping) => {
    const { target, maxConcurrency } = mapping;
    const all = mappings
      .filter((other) => other.target === target)
      .reduce((sum, other) => sum + other.maxConcurrency, 0);
    const share = Math.max(1, Math.floor((target.limit * maxConcurrency) / all));
    return { ...mapping, maxConcurrency: Math.min(maxConcurrency, share) };
  });
}
