import {
  type Delivery,
  type DeliveryStep,
  type PendingDelivery,
  queueDelayMs,
  sweep,
  watchAtMs,
} from '../../domain/webhooks/delivery';
import { type DelayedMessage, queueMessageOf } from '../../domain/webhooks/queue-message';
import { type RelayBatchDeps, relayRecord } from './relay-events';

/** Dependencies of sweeping deliveries. */
export interface SweepDeliveriesDeps {
  readonly clock: { now(): number };
  readonly shards: readonly number[];
  readonly pageSize: number;
  readonly watch: {
    due(shard: number, nowMs: number, limit: number): Promise<{ readonly found: number; readonly due: Watched[] }>;
  };
  readonly deliveries: { step(before: PendingDelivery, step: DeliveryStep): Promise<boolean> };
  readonly queue: { send(queueMessages: readonly DelayedMessage[]): Promise<number> };
  readonly report: (problem: string, error: unknown) => void;
}

interface Watched {
  readonly delivery: Delivery;
  readonly requeues: number;
  readonly watchAt: string;
}

/** The result of a sweep, for metrics. */
export interface DeliverySweepReport {
  readonly queued: number;
  /** Messages that the queue did not accept; the next look is soon enough. */
  readonly unsent: number;
  /** Deliveries whose sender died during the last attempt. */
  readonly closed: number;
  readonly oldestDueMs: number;
  /** Time ran out before the backlog was empty, or something could not be written: the next sweep continues. */
  readonly isUnfinished: boolean;
}

/**
 * Sends queue messages for deliveries that need one: waits too long for a queue, and lost messages. For every delivery
 * the time of the next look is written first, on condition that nobody else has: concurrent sweeps share the work.
 */
export async function sweepDeliveries(deps: SweepDeliveriesDeps, deadlineMs: number): Promise<DeliverySweepReport> {
  let [queued, unsent, closed, oldestDueMs] = [0, 0, 0, 0];
  let isUnfinished = false;

  async function take({ delivery, requeues, watchAt }: Watched, nowMs: number): Promise<DelayedMessage | undefined> {
    const { state } = delivery;
    if (state.status !== 'pending') return undefined;
    const pending = { ...delivery, state };
    oldestDueMs = Math.max(oldestDueMs, nowMs - Date.parse(state.next_attempt_at));
    const verdict = sweep(state, nowMs);
    if (verdict === 'leave') return undefined;
    if (verdict !== 'queue') {
      if (await deps.deliveries.step(pending, { after: verdict, watchedAt: watchAt })) closed++;
      return undefined;
    }
    const lookAtMs = watchAtMs(state, nowMs, requeues);
    const isOurs = await deps.deliveries.step(pending, {
      after: state,
      lookAtMs,
      requeues: requeues + 1,
      watchedAt: watchAt,
    });
    return isOurs ? { queueMessage: queueMessageOf(pending), delayMs: queueDelayMs(state, nowMs) } : undefined;
  }

  /** One that cannot be written now must not cost the others their queue messages. */
  const taken = (each: Watched, nowMs: number): Promise<DelayedMessage | undefined> =>
    take(each, nowMs).catch((error) => {
      deps.report('a delivery could not be swept', error);
      isUnfinished = true;
      return undefined;
    });

  /** Does what a page of a shard requires; true if there may be more. */
  async function sweepPage(shard: number, nowMs: number): Promise<boolean> {
    const { found, due } = await deps.watch.due(shard, nowMs, deps.pageSize);
    const all = await Promise.all(due.map((each) => taken(each, nowMs)));
    const queueMessages = all.flatMap((queueMessage) => (queueMessage ? [queueMessage] : []));
    queued += queueMessages.length;
    unsent += await deps.queue.send(queueMessages);
    // The index lags behind the table: a page with nothing left to do is the end, not a loop.
    return found === deps.pageSize && queueMessages.length > 0;
  }

  const isThereMore = (shard: number, nowMs: number): Promise<boolean> =>
    sweepPage(shard, nowMs).catch((error) => {
      deps.report('a shard of due deliveries could not be swept', error);
      isUnfinished = true;
      return false;
    });

  // One page at a time, from each shard in turn: a backlog neither delays others nor crowds out fresh deliveries.
  for (let open = [...deps.shards]; open.length > 0; ) {
    const more: number[] = [];
    for (const shard of open) {
      const nowMs = deps.clock.now();
      if (nowMs >= deadlineMs) return { queued, unsent, closed, oldestDueMs, isUnfinished: true };
      if (await isThereMore(shard, nowMs)) more.push(shard);
    }
    open = more;
  }
  return { queued, unsent, closed, oldestDueMs, isUnfinished };
}

/** Dependencies of relaying again, beyond those of relaying. */
export interface HealRelayDeps<Raw> extends Omit<RelayBatchDeps<Raw>, 'setAside'> {
  readonly setAside: { take(): Promise<readonly { readonly raw: Raw; remove(): Promise<void> }[]> };
}

/** The result of relaying again, for metrics. */
export interface HealReport {
  readonly healed: number;
  readonly stillFailing: number;
}

/** Relays what was set aside, in one pass; what fails again stays where it is. */
export async function healRelay<Raw>(deps: HealRelayDeps<Raw>, deadlineMs: number): Promise<HealReport> {
  let [healed, stillFailing] = [0, 0];
  while (deps.clock.now() < deadlineMs) {
    const records = await deps.setAside.take();
    if (records.length === 0) break;
    for (const { raw, remove } of records) {
      try {
        await deps.queue.send(await relayRecord(deps, raw));
        await deps.warehouse?.put(raw);
        await remove();
        healed++;
      } catch (error) {
        deps.report('a record that was set aside fails again', error);
        stillFailing++;
      }
    }
  }
  return { healed, stillFailing };
}
