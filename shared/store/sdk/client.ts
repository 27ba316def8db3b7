import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unavailable } from '../../domain/errors';
import { makeCompact } from './make-compact';
import { speakPlainly } from './plain-protocol';
import { budgetMs } from './time-budget';

/** A table and the client that reaches it: what every store is built from. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

// Steps that a call to DynamoDB has no use for: the SDK's own statistics in the user agent, its log (which filters
// every input whether or not anything logs), a guard against functions that invoke themselves. Measured: a tenth of the CPU of a screening.
export const NEEDLESS = ['getUserAgentMiddleware', 'loggerMiddleware', 'recursionDetectionMiddleware'];

function leanClient(config: DynamoDBClientConfig): DynamoDBClient {
  const client = new DynamoDBClient(config);
  for (const name of NEEDLESS) client.middlewareStack.remove(name);
  // Copied four times a call.
  makeCompact(client.config);
  return client;
}

/** For updates that must not be repeated while the fate of the first try is unknown. */
export const openOnceClient = (): DynamoDBClient =>
  speakPlainly(leanClient({ ...requestPath(), maxAttempts: 1, cacheMiddleware: true }));

/** Aborts a call that takes too long: once given up it must not land later. */
export async function abortAfter<Output>(
  limitMs: number,
  call: (options: { readonly abortSignal: AbortSignal }) => Promise<Output>,
): Promise<Output> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), budgetMs(limitMs));
  try {
    return await call({ abortSignal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The same for a write that a request stands or falls with: what was refused for load, and so not carried out, is sent
 * once more. Where a tenth of all calls is throttled, the SDK's own two attempts fail for one write in a hundred.
 */
export const insist = <Output>(
  limitMs: number,
  call: (options: { readonly abortSignal: AbortSignal }) => Promise<Output>,
): Promise<Output> =>
  abortAfter(limitMs, (options) =>
    call(options).catch((error) => (isThrottled(error) ? call(options) : Promise.reject(error))),
  );

/**
 * Gives up waiting for a call. It is not aborted, only left to its own time-out: an abort signal costs the SDK's cached
 * middleware, a twelfth of the CPU of a screening. Not for writes that must not land later.
 */
export function within<Output>(limitMs: number, call: Promise<Output>): Promise<Output> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(Object.assign(new Error(`no answer within ${limitMs} ms`), { name: 'TimeoutError' }));
    const timer = setTimeout(giveUp, budgetMs(limitMs));
    call.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

// Two attempts give up on a throttled call within 0.45 s; the SDK's default of three takes up to 1.2 s.
// Without throwOnRequestTimeout the SDK only warns and hangs.
const requestPath = () => ({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: budgetMs(500), requestTimeout: budgetMs(1000), throwOnRequestTimeout: true },
});

// Where nobody waits, a call that is throttled is tried for seconds before its work is put off.
const background = () => ({
  maxAttempts: 5,
  requestHandler: { connectionTimeout: budgetMs(1_000), requestTimeout: budgetMs(3_000), throwOnRequestTimeout: true },
});

const tableOf = (name: string, config: DynamoDBClientConfig): Table => ({
  client: DynamoDBDocumentClient.from(leanClient(config), { marshallOptions: { removeUndefinedValues: true } }),
  name,
});

/** The table as a function on the request path reaches it: quick to give up. */
export const openTable = (name: string): Table => tableOf(name, requestPath());

/** The table as queue, stream and schedule functions reach it: slow to give up. */
export const openPatientTable = (name: string): Table => tableOf(name, background());

const THROTTLED: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  // A plain update meets a transaction on its item: refused, not carried out.
  'TransactionConflictException',
]);

/** Refused for load or a conflict, and so surely not carried out. */
export const isThrottled = (error: unknown): boolean => THROTTLED.has((error as { name?: string }).name ?? '');

const TRANSIENT: ReadonlySet<string> = new Set([
  ...THROTTLED,
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
  'AbortError',
  'TransactionInProgressException',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);

const isTransient = (error: unknown): boolean => {
  const { name, code, $metadata } = error as {
    name?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  return TRANSIENT.has(name ?? '') || TRANSIENT.has(code ?? '') || ($metadata?.httpStatusCode ?? 0) >= 500;
};

/** Runs an SDK call; what may pass on a second try becomes 503 `unavailable`, the rest stays the bug it is. */
export async function reach<Output>(call: () => Promise<Output>): Promise<Output> {
  try {
    return await call();
  } catch (error) {
    if (isTransient(error)) throw unavailable(error);
    throw error;
  }
}

/** For `.then(() => true, falseIfRefused)`: a failed condition is an answer, anything else an error. */
export function falseIfRefused(error: unknown): false {
  if (error instanceof ConditionalCheckFailedException) return false;
  throw error;
}

/** Why each item of a refused transaction was refused, in the order of its items; undefined when it is no refusal. */
export function cancellationCodes(error: unknown): readonly string[] | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  return (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
}
