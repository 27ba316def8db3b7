import type { InvocationOutcome } from '../lambda/environment';
import { batchResult } from './batch-result';
import type { Mapping } from './mapping';

/** A change record in the form in which Lambda passes it. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: string;
  readonly awsRegion?: string;
  readonly eventSourceARN?: string;
  readonly userIdentity?: Readonly<Record<string, string | undefined>>;
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime?: number };
}

export interface Discarded {
  readonly records: readonly StreamRecord[];
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  readonly invokeCount: number;
}

export interface StreamDeps {
  invoke(records: readonly StreamRecord[]): Promise<InvocationOutcome>;
  discard(discarded: Discarded): Promise<void>;
  /** Waits before attempt number `attempt`; false when the run is stopping. */
  backOff(attempt: number): Promise<boolean>;
  now(): number;
  /** True once the run is stopping: a failure is then ours, and the batch is repeated at the next start. */
  stopping(): boolean;
}

const numberOf = ({ dynamodb }: StreamRecord): string => dynamodb.SequenceNumber;

type Policy = Pick<Mapping, 'reportsFailures' | 'bisects' | 'maxRetries' | 'maxAgeSeconds'>;

const tooOld = ({ maxAgeSeconds }: Policy, record: StreamRecord, nowMs: number): boolean =>
  maxAgeSeconds >= 0 &&
  nowMs / 1_000 - (record.dynamodb.ApproximateCreationDateTime ?? Number.POSITIVE_INFINITY) > maxAgeSeconds;

/**
 * Processes one batch in order, as Lambda does for streams: what a partial response reports as done is not repeated, a batch
 * that keeps failing at its first record is halved (when the mapping bisects) until the culprit stands alone, and a batch
 * out of retries or age goes to the failure destination. Returns false when the run stopped before the end.
 */
export async function processBatch(deps: StreamDeps, policy: Policy, batch: readonly StreamRecord[]): Promise<boolean> {
  let records = batch;
  let invokeCount = 0;
  for (let retries = 0; records.length > 0; ) {
    const young = records.findIndex((record) => !tooOld(policy, record, deps.now()));
    const expired = young === -1 ? records.length : young;
    if (expired > 0) {
      await deps.discard({ records: records.slice(0, expired), condition: 'RecordAgeExceeded', invokeCount });
      records = records.slice(expired);
      continue;
    }
    const outcome = await deps.invoke(records);
    invokeCount += 1;
    const result = batchResult(outcome, records.map(numberOf), policy.reportsFailures);
    if (result === 'succeeded') return true;
    if (deps.stopping()) return false;
    // The lowest reported number is the new start: everything after it is repeated, reported or not.
    const start = result === 'failed' ? 0 : records.findIndex((record) => result.failed.has(numberOf(record)));
    if (start > 0) {
      records = records.slice(start);
      retries = 0;
    } else if (policy.bisects && records.length > 1) {
      const middle = Math.ceil(records.length / 2);
      return (
        (await processBatch(deps, policy, records.slice(0, middle))) &&
        processBatch(deps, policy, records.slice(middle))
      );
    } else {
      retries += 1;
      if (policy.maxRetries >= 0 && retries > policy.maxRetries) {
        await deps.discard({ records, condition: 'RetryAttemptsExhausted', invokeCount });
        return true;
      }
    }
    if (!(await deps.backOff(Math.max(retries, 1)))) return false;
  }
  return true;
}
