import { DomainError } from '../../domain/errors';
import type { DelayedMessage } from '../../domain/webhooks/queue-message';
import { isRestored, type RelayOrder } from '../../domain/webhooks/relay-order';
import { eachAtMost } from './each-at-most';
import { endpointsOnce, type RelayDeps, relayChange } from './relay-events';

/** A change record and its position in the stream. */
export interface StreamedRecord<Raw> {
  readonly sequence: string;
  readonly committedAtMs: number;
  readonly raw: Raw;
}

/** Dependencies of relaying a batch, beyond those of relaying a change. */
export interface RelayBatchDeps<Raw> extends RelayDeps {
  readonly read: (raw: Raw) => RelayOrder | undefined;
  readonly setAside: (raw: Raw) => Promise<void>;
  readonly report: (problem: string, error: unknown) => void;
}

/** The result of a batch, for metrics and the stream. */
export interface RelayReport {
  readonly records: number;
  /** Queue messages for deliveries, including `unsent`. */
  readonly deliveries: number;
  readonly unsent: number;
  readonly setAside: number;
  readonly lagMs: number;
  /** Sequence numbers of records that the stream should hand over again. */
  readonly failed: readonly string[];
}

/** Whether a batch led to anything, good or bad: for most accounts, most changes lead to nothing. */
export const isNotable = ({ deliveries, unsent, setAside, failed }: RelayReport): boolean =>
  deliveries + unsent + setAside + failed.length > 0;

const AT_ONCE = 10;

/** An unreachable table holds up the stream for this long; after that, its records are set aside. */
export const PATIENCE_MS = 5 * 60_000;

/**
 * Relays a batch of the stream. A record that fails is handed over again while the fault may be temporary, and set
 * aside if the record itself is at fault: the rest of the stream never waits for it.
 */
export async function relayBatch<Raw>(
  deps: RelayBatchDeps<Raw>,
  records: readonly StreamedRecord<Raw>[],
): Promise<RelayReport> {
  const nowMs = deps.clock.now();
  const batchDeps = { ...deps, endpoints: endpointsOnce(deps) };
  const queueMessages: DelayedMessage[] = [];
  const failed: string[] = [];
  let setAside = 0;

  await eachAtMost(AT_ONCE, records, async ({ sequence, committedAtMs, raw }) => {
    try {
      queueMessages.push(...(await relayRecord(batchDeps, raw, committedAtMs)));
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
  const unsent = await deps.queue.send(queueMessages);
  const lagMs = Math.max(0, ...records.map(({ committedAtMs }) => nowMs - committedAtMs));
  return { records: records.length, deliveries: queueMessages.length, unsent, setAside, lagMs, failed };
}

/** The queue messages for one record, after writing what they need. A record that was set aside has no commit time. */
export async function relayRecord<Raw>(
  deps: Pick<RelayBatchDeps<Raw>, 'read'> & RelayDeps,
  raw: Raw,
  committedAtMs = Number.NEGATIVE_INFINITY,
): Promise<DelayedMessage[]> {
  const order = deps.read(raw);
  if (!order || isRestored(order, committedAtMs)) return [];
  return order.kind === 'queue' ? [{ queueMessage: order.queueMessage, delayMs: 0 }] : relayChange(deps, order.change);
}
