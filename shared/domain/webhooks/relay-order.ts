import type { QueueMessage } from './queue-message';
import type { Change } from './webhook-event';

/** The task that a change record gives the relay. */
export type RelayOrder =
  | { readonly kind: 'publish'; readonly change: Change }
  /** A delivery that a request created: only its queue message is missing. */
  | { readonly kind: 'queue'; readonly queueMessage: QueueMessage };

// A screening keeps its original time if a retry finishes it, up to 24 hours later (the life of an Idempotency-Key).
const NEWS_MS = 25 * 3_600_000;

function happenedAtMs(change: Change): number {
  if (change.kind === 'screened') return change.record.screened_at_ms;
  if (change.kind === 'case_opened') return change.reviewCase.created_at_ms;
  if (change.kind === 'reviewed') return Date.parse(change.record.review?.reviewed_at ?? '');
  if (change.kind === 'list_changed') return Date.parse(change.listChange.changed_at);
  if (change.kind === 'rule_changed') return Date.parse(change.version.updated_at);
  return Date.parse(change.reviewCase.resolved_at ?? '');
}

/** Whether a change was written long after it happened: a backup was restored, and nobody wants to hear it again. */
export const isRestored = (order: RelayOrder, committedAtMs: number): boolean =>
  order.kind === 'publish' && committedAtMs - happenedAtMs(order.change) > NEWS_MS;
