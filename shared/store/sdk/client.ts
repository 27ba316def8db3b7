import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unavailable } from '../../domain/errors';
import { budgetMs } from './time-budget';

export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

/** For updates that must not be repeated while the fate of the first request is unknown. */
export const openOnceClient = (): DynamoDBClient => new DynamoDBClient({ ...requestPath(), maxAttempts: 1 });

/** Aborts a call that takes too long: once we give up on it, it must not land later. */
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
 * The same for a write that a request depends on: if it was refused because of load, and so not carried out, it is sent
 * once more. When a tenth of all calls is throttled, the SDK's own two attempts fail for one write in a hundred.
 */
export const insist = <Output>(
  limitMs: number,
  call: (options: { readonly abortSignal: AbortSignal }) => Promise<Output>,
): Promise<Output> =>
  abortAfter(limitMs, (options) =>
    call(options).catch((error) => (isThrottled(error) ? call(options) : Promise.reject(error))),
  );

/** Stops waiting for a call. It is not aborted, only left to its own timeout. Not for writes that must not land later. */
export function within<Output>(limitMs: number, call: Promise<Output>): Promise<Output> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(Object.assign(new Error(`no answer within ${limitMs} ms`), { name: 'TimeoutError' }));
    const timer = setTimeout(giveUp, budgetMs(limitMs));
    call.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

// With two attempts, a throttled call fails within 0.45 s; the SDK's default of three takes up to 1.2 s.
// Without throwOnRequestTimeout the SDK only warns and hangs.
const requestPath = () => ({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: budgetMs(500), requestTimeout: budgetMs(1000), throwOnRequestTimeout: true },
});

// Where nobody waits, a throttled call is retried for seconds before its work is put off.
const background = () => ({
  maxAttempts: 5,
  requestHandler: { connectionTimeout: budgetMs(1_000), requestTimeout: budgetMs(3_000), throwOnRequestTimeout: true },
});

const tableOf = (name: string, config: DynamoDBClientConfig): Table => ({
  client: DynamoDBDocumentClient.from(new DynamoDBClient(config), { marshallOptions: { removeUndefinedValues: true } }),
  name,
});

/** The table for functions on the request path: gives up quickly. */
export const openTable = (name: string): Table => tableOf(name, requestPath());

/** The table for queue, stream and schedule functions: gives up slowly. */
export const openPatientTable = (name: string): Table => tableOf(name, background());

const THROTTLED: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  // A plain update met a transaction on its item: refused, not carried out.
  'TransactionConflictException',
]);

/** Refused because of load or a conflict, and so certainly not carried out. */
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

/** Runs an SDK call; errors that a retry may cure become 503 `unavailable`, all others are bugs and are rethrown. */
export async function reach<Output>(call: () => Promise<Output>): Promise<Output> {
  try {
    return await call();
  } catch (error) {
    if (isTransient(error)) throw unavailable(error);
    throw error;
  }
}

/** For `.then(() => true, falseIfRefused)`: a failed condition is a result, anything else an error. */
export function falseIfRefused(error: unknown): false {
  if (error instanceof ConditionalCheckFailedException) return false;
  throw error;
}

/** Why each item of a refused transaction was refused, in item order; undefined if the error is not a refusal. */
export function cancellationCodes(error: unknown): readonly string[] | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  return (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None');
}
