import type { CallRecord } from '../aws/call';
import type { Roles } from '../iam/roles';
import { type Functions, functionOf, type LambdaFunction } from '../lambda/lambda-function';
import { StartError } from '../start-error';
import type { StackResource } from '../template/resolve-stack';

/** The facts that AWS checks before creating an event source mapping. */
export interface MappingFacts {
  readonly isQueue: boolean;
  readonly isFifo: boolean;
  /** Of the queue; AWS's default is 30. */
  readonly visibilitySeconds: number;
  readonly timeoutSeconds: number;
  readonly batchSize: number;
  readonly windowSeconds: number;
  readonly filters: number;
  readonly maxConcurrency: number | undefined;
  readonly parallelization: number | undefined;
  readonly maxRetries: number | undefined;
  readonly maxAgeSeconds: number | undefined;
  readonly tumblingSeconds: number | undefined;
}

const within = (value: number | undefined, low: number, high: number): boolean =>
  value === undefined || (Number.isInteger(value) && value >= low && value <= high);

/** Limits of "CreateEventSourceMapping" and of the guides for queues and streams, as conditions that must not hold. */
const REFUSALS: ReadonlyArray<readonly [(facts: MappingFacts) => boolean, (facts: MappingFacts) => string]> = [
  [
    (of) => of.isQueue && of.visibilitySeconds < of.timeoutSeconds,
    (of) =>
      `the queue's visibility timeout of ${of.visibilitySeconds} s is shorter than the function's timeout of ${of.timeoutSeconds} s`,
  ],
  [(of) => !within(of.batchSize, 1, 10_000), (of) => `a batch of ${of.batchSize} is not between 1 and 10,000`],
  [
    (of) => of.isQueue && of.isFifo && of.batchSize > 10,
    (of) => `a batch of ${of.batchSize} is more than the 10 of a FIFO queue`,
  ],
  [
    (of) => of.isQueue && of.batchSize > 10 && of.windowSeconds < 1,
    (of) => `a batch of ${of.batchSize} needs a batching window of at least 1 s`,
  ],
  [(of) => of.isFifo && of.windowSeconds > 0, () => 'a FIFO queue takes no batching window'],
  [
    (of) => !within(of.windowSeconds, 0, 300),
    (of) => `a batching window of ${of.windowSeconds} s is not between 0 and 300`,
  ],
  [(of) => of.filters > 5, (of) => `${of.filters} filters are more than the 5 that AWS takes without asking`],
  [
    (of) => of.isQueue && !within(of.maxConcurrency, 2, 1_000),
    (of) => `a maximum concurrency of ${of.maxConcurrency} is not between 2 and 1,000`,
  ],
  [(of) => !of.isQueue && of.maxConcurrency !== undefined, () => 'a stream takes no maximum concurrency'],
  [
    (of) => !within(of.parallelization, 1, 10),
    (of) => `a parallelization factor of ${of.parallelization} is not between 1 and 10`,
  ],
  [(of) => !within(of.maxRetries, -1, 10_000), (of) => `${of.maxRetries} retries are not between -1 and 10,000`],
  [
    (of) => of.maxAgeSeconds !== -1 && !within(of.maxAgeSeconds, 60, 604_800),
    (of) => `a record age of ${of.maxAgeSeconds} s is not between 60 and 604,800`,
  ],
  [
    (of) => !within(of.tumblingSeconds, 0, 900),
    (of) => `a tumbling window of ${of.tumblingSeconds} s is not between 0 and 900`,
  ],
];

export const mappingRefusal = (facts: MappingFacts): string | undefined =>
  REFUSALS.find(([holds]) => holds(facts))?.[1](facts);

export type Filter = (event: unknown) => boolean;

type Test = (value: unknown) => boolean;
type Pattern = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Pattern =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '=': (left, right) => left === right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

function numeric(terms: unknown): Test {
  if (!Array.isArray(terms) || terms.length === 0 || terms.length % 2 !== 0)
    throw new Error('numeric needs pairs of operator and number');
  const tests = Array.from({ length: terms.length / 2 }, (_none, index) => {
    const compare = COMPARISONS[String(terms[2 * index])];
    const limit: unknown = terms[2 * index + 1];
    if (!compare || typeof limit !== 'number') throw new Error(`numeric does not know ${JSON.stringify(terms)}`);
    return (value: number) => compare(value, limit);
  });
  // DynamoDB writes its numbers as strings, and Lambda compares them as numbers all the same.
  return (value) => {
    const number = isText(value) && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && tests.every((test) => test(number));
  };
}

function anythingBut(argument: unknown): Test {
  if (isObject(argument)) {
    const test = matcher(argument);
    return (value) => value !== undefined && !test(value);
  }
  const excluded: readonly unknown[] = Array.isArray(argument) ? argument : [argument];
  return (value) => value !== undefined && !excluded.includes(value);
}

const text = (argument: unknown, name: string): string => {
  if (!isText(argument)) throw new Error(`${name} needs a string`);
  return argument;
};

function matcher(pattern: unknown): Test {
  if (!isObject(pattern)) return (value) => value === pattern;
  const [name, argument] = Object.entries(pattern)[0] ?? [];
  switch (Object.keys(pattern).length === 1 ? name : undefined) {
    case 'prefix': {
      const prefix = text(argument, 'prefix');
      return (value) => isText(value) && value.startsWith(prefix);
    }
    case 'suffix': {
      const suffix = text(argument, 'suffix');
      return (value) => isText(value) && value.endsWith(suffix);
    }
    case 'equals-ignore-case': {
      const wanted = text(argument, 'equals-ignore-case').toLowerCase();
      return (value) => isText(value) && value.toLowerCase() === wanted;
    }
    case 'anything-but':
      return anythingBut(argument);
    case 'exists':
      return (value) => (value !== undefined) === (argument === true);
    case 'numeric':
      return numeric(argument);
    default:
      throw new Error(`the filter ${JSON.stringify(pattern)} is not known`);
  }
}

function anyOf(patterns: readonly unknown[]): Test {
  const tests = patterns.map(matcher);
  return (value) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.some((member) => tests.some((test) => test(member)));
  };
}

function compileObject(pattern: Pattern): Test {
  const tests = Object.entries(pattern).map(([key, part]): Test => {
    if (key === '$or' && Array.isArray(part)) {
      const choices = part.map((choice) => compileObject(choice as Pattern));
      return (value) => choices.some((choice) => choice(value));
    }
    const test = Array.isArray(part) ? anyOf(part) : isObject(part) ? compileObject(part) : undefined;
    if (!test) throw new Error(`the filter at ${key} must be a list or an object`);
    return (value) => test(isObject(value) ? value[key] : undefined);
  });
  return (value) => tests.every((test) => test(value));
}

interface FilterCriteria {
  readonly Filters?: readonly { readonly Pattern?: string }[];
}

/** The filters of an event source mapping (one of them must match); throws on a matcher it does not know. */
export function compileFilters(criteria: FilterCriteria | undefined): Filter {
  const filters = (criteria?.Filters ?? []).map(({ Pattern: source = '{}' }) =>
    compileObject(JSON.parse(source) as Pattern),
  );
  return filters.length === 0 ? () => true : (event) => filters.some((filter) => filter(event));
}

/** SQS bodies are text: a pattern on their members needs them parsed, and a body that is not JSON is compared as text. */
export function filterableMessage<T extends { readonly body: string }>(record: T): unknown {
  try {
    return { ...record, body: JSON.parse(record.body) as unknown };
  } catch {
    return record;
  }
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
  readonly ParallelizationFactor?: number;
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

function requireSound(
  resource: StackResource,
  properties: Properties,
  { config }: LambdaFunction,
  queues: readonly StackResource[],
): void {
  const queue = queues.find(({ attribute }) => attribute('Arn') === properties.EventSourceArn)?.properties;
  const refusal = mappingRefusal({
    isQueue: queue !== undefined,
    isFifo: queue?.FifoQueue === true,
    visibilitySeconds: Number(queue?.VisibilityTimeout ?? 30),
    timeoutSeconds: config.timeoutSeconds,
    batchSize: properties.BatchSize ?? (queue ? 10 : 100),
    windowSeconds: properties.MaximumBatchingWindowInSeconds ?? 0,
    filters: properties.FilterCriteria?.Filters?.length ?? 0,
    maxConcurrency: properties.ScalingConfig?.MaximumConcurrency,
    parallelization: properties.ParallelizationFactor,
    maxRetries: properties.MaximumRetryAttempts,
    maxAgeSeconds: properties.MaximumRecordAgeInSeconds ?? -1,
    tumblingSeconds: properties.TumblingWindowInSeconds,
  });
  if (refusal) throw new StartError(`${resource.logicalId} (${resource.type}) would be refused by AWS: ${refusal}.`);
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
  requireSound(resource, properties, target, queues);
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
