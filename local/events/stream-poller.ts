import { randomUUID } from 'node:crypto';
import type { InvocationOutcome } from '../lambda/lambda-function';
import type { Mapping } from './mapping';
import type { Waker } from './stream-reader';
import {
  type Checkpoints,
  type Discarded,
  DONE,
  type Page,
  processBatch,
  type Shard,
  type StreamReader,
  type StreamRecord,
} from './stream-reader';

/**
 * Determines when the changes in a shard were made. DynamoDB records the second, DynamoDB Local only the minute; but a
 * change that was not there when the shard was last read to its end was made after that.
 */
export function changeTimes(now: () => number = Date.now): (read: Promise<Page>, limit: number) => Promise<Page> {
  let readToEndAtMs = 0;
  return async (read, limit) => {
    const begunAtMs = now();
    const { records, next } = await read;
    const notBefore = Math.floor(readToEndAtMs / 1_000);
    if (records.length < limit) readToEndAtMs = begunAtMs;
    return { records: records.map((record) => laterThan(notBefore, record)), next };
  };
}

function laterThan(seconds: number, record: StreamRecord): StreamRecord {
  const { ApproximateCreationDateTime: told } = record.dynamodb;
  if (told === undefined || told >= seconds) return record;
  return { ...record, dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: seconds } };
}

interface Window {
  readonly startMs: number;
  readonly state: unknown;
}

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

/** The state that a function returned; undefined if it returned none, which Lambda treats as a failure. */
function stateIn(payload: string): unknown {
  const answer = JSON.parse(payload) as { state?: unknown } | null;
  return answer?.state ?? undefined;
}

/**
 * Calls the function of a stream with a batch of a shard. With a tumbling window it receives the shard and the window,
 * and the state that it returns is passed to the next call of the same window.
 */
export function streamCall(
  { target, sourceArn, tumblingWindowMs }: Pick<Mapping, 'target' | 'sourceArn' | 'tumblingWindowMs'>,
  shardId: string,
): (records: readonly StreamRecord[]) => Promise<InvocationOutcome> {
  if (tumblingWindowMs === 0) return (records) => target.invoke({ Records: records });
  let window: Window | undefined;
  return async (records) => {
    const atMs = (records[0]?.dynamodb.ApproximateCreationDateTime ?? 0) * 1_000;
    const startMs = Math.floor(atMs / tumblingWindowMs) * tumblingWindowMs;
    const state = window?.startMs === startMs ? window.state : {};
    const outcome = await target.invoke({
      Records: records,
      window: { start: iso(startMs), end: iso(startMs + tumblingWindowMs) },
      state,
      shardId,
      eventSourceARN: sourceArn,
      isFinalInvokeForWindow: false,
      isWindowTerminatedEarly: false,
    });
    if (!outcome.ok) return outcome;
    const next = stateIn(outcome.payload);
    if (next === undefined) {
      return {
        ok: false,
        error: { errorType: 'NoState', errorMessage: 'A function with a tumbling window must answer a state.' },
      };
    }
    window = { startMs, state: next };
    return outcome;
  };
}

export interface Poller {
  stop(): Promise<void>;
}

export interface StreamPollerDeps {
  readonly mapping: Mapping;
  readonly reader: StreamReader;
  readonly checkpoints: Checkpoints;
  /** Woken when the front sees a write to the table: records then arrive within milliseconds. */
  readonly waker: Waker;
  /** True when the table already held data before this mapping first ran. */
  readonly tableIsOld: boolean;
  sendToQueue(queueArn: string, body: string): Promise<void>;
  onBatch(ageMs: number): void;
  report(problem: string): void;
}

/**
 * After a write through the front the record is there at once, or a moment later. Writes from elsewhere wake nobody, so an
 * idle poller still looks now and then: rarely, since a read costs DynamoDB Local 5 ms of CPU.
 */
const IDLE_MS = [10, 20, 50, 100, 200, 500, 1_000] as const;
/** Writes come in bursts, and each wakes the poller: writes within this time of the last read are read together. */
const GAP_MS = 40;
/** While a batch is being filled there is no hurry. */
const WINDOW_LOOK_MS = 500;
/** A poller reads more than a batch at a time: the function's filters may drop most of it. */
const READ_AHEAD = 1_000;
const RESHARD_MS = 5_000;
const MAX_BACK_OFF_MS = 5_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const time = (record: StreamRecord | undefined): string =>
  new Date((record?.dynamodb.ApproximateCreationDateTime ?? 0) * 1_000).toISOString();

/** Lambda's message to the failure destination of a stream: where the records were, not the records. */
export function failureMessage(
  mapping: Mapping,
  shardId: string,
  { records, condition, invokeCount }: Discarded,
): string {
  const first = records[0];
  const last = records.at(-1);
  return JSON.stringify({
    requestContext: {
      requestId: randomUUID(),
      functionArn: mapping.target.config.arn,
      condition,
      approximateInvokeCount: invokeCount,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first?.dynamodb.SequenceNumber,
      endSequenceNumber: last?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: time(first),
      approximateArrivalOfLastRecord: time(last),
      batchSize: records.length,
      streamArn: mapping.sourceArn,
    },
  });
}

/** Reads a stream shard by shard, children after their parents, and hands batches to the function in order. */
export function startStreamPoller(deps: StreamPollerDeps): Poller {
  const { mapping, reader, checkpoints, waker } = deps;
  let stopped = false;
  let halt: () => void = () => undefined;
  const halted = new Promise<void>((resolve) => {
    halt = resolve;
  });
  const reading = new Map<string, Promise<void>>();

  type BatchDeps = ReturnType<typeof batchDeps>;

  const backOff = async (attempt: number): Promise<boolean> => {
    const until = Date.now() + Math.min(50 * 2 ** attempt, MAX_BACK_OFF_MS);
    while (!stopped && Date.now() < until) await waker.wait(waker.count(), until - Date.now());
    return !stopped;
  };

  const batchDeps = (shardId: string, call = streamCall(mapping, shardId)) => ({
    invoke: (records: readonly StreamRecord[]): Promise<InvocationOutcome> => {
      const committedAt = records.at(-1)?.dynamodb.ApproximateCreationDateTime;
      if (committedAt !== undefined) deps.onBatch(Math.max(0, Date.now() - committedAt * 1_000));
      return call(records);
    },
    discard: async (discarded: Discarded): Promise<void> => {
      if (mapping.onFailureArn)
        await deps.sendToQueue(mapping.onFailureArn, failureMessage(mapping, shardId, discarded));
      const where = mapping.onFailureArn ? 'sent to the failure destination' : 'discarded';
      deps.report(`${mapping.target.config.name} gave up on ${discarded.records.length} stream record(s): ${where}`);
    },
    backOff,
    now: () => Date.now(),
    stopping: () => stopped,
  });

  /** Fills a batch: immediately with the available records, or until the batching window ends. */
  const gather = async (
    iterator: string,
    timed: ReturnType<typeof changeTimes>,
  ): Promise<{ records: StreamRecord[]; next: string | undefined; seen: number }> => {
    let seen = waker.count();
    const read = (from: string, limit: number) => timed(reader.read(from, limit), limit);
    const { records, next } = await read(iterator, mapping.windowMs > 0 ? mapping.batchSize : READ_AHEAD);
    const batch = [...records];
    let at = next;
    const until = Date.now() + mapping.windowMs;
    while (!stopped && batch.length > 0 && batch.length < mapping.batchSize && at && Date.now() < until) {
      await Promise.race([halted, pause(Math.min(until - Date.now(), WINDOW_LOOK_MS))]);
      seen = waker.count();
      const more = await read(at, mapping.batchSize - batch.length);
      batch.push(...more.records);
      at = more.next;
    }
    return { records: batch, next: at, seen };
  };

  /** Passes on the records that the function's filters select, batch by batch; false if it was stopped before the end. */
  const handOver = async (shardId: string, batch: BatchDeps, records: readonly StreamRecord[]): Promise<boolean> => {
    const wanted = records.filter(mapping.filter);
    for (let at = 0; at < wanted.length; at += mapping.batchSize) {
      const part = wanted.slice(at, at + mapping.batchSize);
      if (!(await processBatch(batch, mapping, part))) return false;
      checkpoints.set(shardId, part.at(-1)?.dynamodb.SequenceNumber ?? '');
    }
    return true;
  };

  const readShard = async (shardId: string): Promise<void> => {
    const batch = batchDeps(shardId);
    const timed = changeTimes();
    let iterator: string | undefined = await reader.iterator(shardId, checkpoints.get(shardId));
    let idle = 0;
    while (!stopped && iterator) {
      const gap = pause(GAP_MS);
      const { records, next, seen } = await gather(iterator, timed);
      const last = records.at(-1);
      if (last) {
        idle = 0;
        if (!(await handOver(shardId, batch, records))) return;
        checkpoints.set(shardId, last.dynamodb.SequenceNumber);
        await gap;
      } else if (next) {
        await waker.wait(seen, IDLE_MS[Math.min(idle, IDLE_MS.length - 1)] ?? 1_000);
        idle = waker.count() === seen ? idle + 1 : 0;
        await gap;
      }
      iterator = next;
    }
    if (!stopped) checkpoints.set(shardId, DONE);
  };

  /** LATEST on a table that has history: records already in the stream count as read. */
  const skipHistory = async (shards: readonly Shard[]): Promise<void> => {
    for (const { ShardId: id, SequenceNumberRange: range } of shards) {
      if (range?.EndingSequenceNumber) {
        checkpoints.set(id, DONE);
        continue;
      }
      let iterator: string | undefined = await reader.iterator(id, undefined);
      while (iterator) {
        const { records, next }: Awaited<ReturnType<StreamReader['read']>> = await reader.read(iterator, 1_000);
        const last = records.at(-1);
        if (!last) break;
        checkpoints.set(id, last.dynamodb.SequenceNumber);
        iterator = next;
      }
    }
  };

  const startShards = async (): Promise<void> => {
    const shards = await reader.shards();
    const ids = new Set(shards.map(({ ShardId }) => ShardId));
    for (const { ShardId: id, ParentShardId: parent } of shards) {
      const parentDone = !parent || !ids.has(parent) || checkpoints.get(parent) === DONE;
      if (reading.has(id) || checkpoints.get(id) === DONE || !parentDone) continue;
      const task = readShard(id)
        .catch((error: unknown) => {
          // An expired iterator, or the emulator going away: the next round starts from the checkpoint.
          if (!stopped) deps.report(`reading the stream for ${mapping.target.config.name} failed: ${String(error)}`);
        })
        .finally(() => reading.delete(id));
      reading.set(id, task);
    }
    checkpoints.keepOnly([...ids]);
  };

  const run = async (): Promise<void> => {
    if (mapping.startsAtLatest && !checkpoints.resumed && deps.tableIsOld) await skipHistory(await reader.shards());
    while (!stopped) {
      await startShards().catch((error: unknown) => {
        if (!stopped) deps.report(`the stream for ${mapping.target.config.name} cannot be read: ${String(error)}`);
      });
      await Promise.race([
        halted,
        ...reading.values(),
        new Promise((resolve) => setTimeout(resolve, RESHARD_MS).unref()),
      ]);
      if (reading.size === 0) await waker.wait(waker.count(), 200);
    }
  };

  const running = run();
  return {
    stop: async () => {
      stopped = true;
      halt();
      waker.wake();
      await Promise.allSettled([running, ...reading.values()]);
    },
  };
}
