import { DomainError } from '../../domain/errors';
import type { DelayedHint } from '../../domain/webhooks/delivery-hint';
import { isRestored, type RelayOrder } from '../../domain/webhooks/relay-order';
import { eachAtMost } from './each-at-most';
import { endpointsOnce, type RelayDeps, relayChange } from './relay-events';

/** A change record and where it stands in the stream. */
export interface StreamedRecord<Raw> {
  readonly sequence: string;
  readonly committedAtMs: number;
  readonly raw: Raw;
}

/** What relaying a batch needs beyond relaying a change. */
export interface RelayBatchDeps<Raw> extends RelayDeps {
  /** Understands a record; undefined when there is nothing to tell of it. */
  readonly read: (raw: Raw) => RelayOrder | undefined;
  /** Keeps a record that cannot be relayed now, for the sweep to try again. */
  readonly setAside: (raw: Raw) => Promise<void>;
  readonly report: (problem: string, error: unknown) => void;
}

/** What became of a batch, for metrics and the stream. */
export interface RelayReport {
  readonly records: number;
  /** Deliveries that were told to the queue. */
  readonly deliveries: number;
  /** Hints that the queue did not take; the sweep sends them. */
  readonly unsent: number;
  readonly setAside: number;
  /** How long ago the oldest record of the batch was committed. */
  readonly lagMs: number;
  /** Sequence numbers of records that the stream is to hand over again. */
  readonly failed: readonly string[];
}

const AT_ONCE = 10;

/** A table that is out of reach holds up the stream for this long; then its records no longer hold up the rest. */
export const PATIENCE_MS = 5 * 60_000;

/**
 * Relays a batch of the stream. A record that fails is handed over again while the fault may pass, and set aside when
 * it is the record itself that fails: the rest of the stream never waits for it.
 */
export async function relayBatch<Raw>(
  deps: RelayBatchDeps<Raw>,
  records: readonly StreamedRecord<Raw>[],
): Promise<RelayReport> {
  const nowMs = deps.clock.now();
  const batchDeps = { ...deps, endpoints: endpointsOnce(deps) };
  const hints: DelayedHint[] = [];
  const failed: string[] = [];
  let setAside = 0;

  await eachAtMost(AT_ONCE, records, async ({ sequence, committedAtMs, raw }) => {
    try {
      hints.push(...(await relayRecord(batchDeps, raw, committedAtMs)));
    } catch (error) {
      const mayPass = error instanceof DomainError && error.code === 'unavailable';
      if (mayPass && nowMs - committedAtMs < PATIENCE_MS) {
        deps.report('a record could not be relayed yet', error);
        failed.push(sequence);
        return;
      }
      deps.report('a record is set aside', error);
      await deps.setAside(raw).then(
        () => setAside++,
        (cause) => {
          deps.report('a record could not be set aside', cause);
          failed.push(sequence);
        },
      );
    }
  });
  const unsent = await deps.queue.send(hints);
  const lagMs = Math.max(0, ...records.map(({ committedAtMs }) => nowMs - committedAtMs));
  return { records: records.length, deliveries: hints.length, unsent, setAside, lagMs, failed };
}

/** The hints that one record leads to; what they need is written. Of a record that was set aside, the time is over. */
export async function relayRecord<Raw>(
  deps: Pick<RelayBatchDeps<Raw>, 'read'> & RelayDeps,
  raw: Raw,
  committedAtMs = Number.NEGATIVE_INFINITY,
): Promise<DelayedHint[]> {
  const order = deps.read(raw);
  if (!order || isRestored(order, committedAtMs)) return [];
  return order.kind === 'queue' ? [{ hint: order.hint, delayMs: 0 }] : relayChange(deps, order.change);
}
