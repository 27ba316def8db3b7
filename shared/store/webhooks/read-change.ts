import { queueMessageOf, type RelayOrder } from '../../domain/webhooks/queue-message';
import { toCase } from '../cases/case-items';
import { type ChangeRecord, itemsOf } from '../change-record';
import { COMPLETE, toListChange } from '../lists/list-store';
import { toVersion } from '../rules/rule-store';
import { toScreening } from '../screening/screening-reader';
import { toDelivery } from './delivery-store';

const RESOLVED: ReadonlySet<unknown> = new Set(['approved', 'rejected']);

/**
 * Reads a change record; undefined if nobody needs to know about it. The event source's filter
 * (lib/constructs/webhook-delivery.ts) keeps most of those away, but only the two images together show what has changed.
 */
export function readChange(change: ChangeRecord): RelayOrder | undefined {
  const items = itemsOf(change);
  if (!items) return undefined;
  const { now, before, account_id } = items;
  const isNew = before === undefined;
  switch (now.entity) {
    case 'screening': {
      const record = toScreening(now);
      if (isNew) return { kind: 'publish', change: { kind: 'screened', account_id, record } };
      const isReviewed = record.review !== null && now.review_count !== before.review_count;
      return isReviewed ? { kind: 'publish', change: { kind: 'reviewed', account_id, record } } : undefined;
    }
    case 'case': {
      const reviewCase = toCase(now);
      if (isNew) return { kind: 'publish', change: { kind: 'case_opened', account_id, reviewCase } };
      const isResolved = before.status === 'open' && RESOLVED.has(now.status);
      return isResolved ? { kind: 'publish', change: { kind: 'case_resolved', account_id, reviewCase } } : undefined;
    }
    case 'delivery': {
      const delivery = toDelivery(now);
      return isNew && delivery.origin !== 'event'
        ? { kind: 'queue', queueMessage: queueMessageOf(delivery) }
        : undefined;
    }
    case 'list-change': {
      const isComplete = now.state === COMPLETE && before?.state !== COMPLETE;
      return isComplete
        ? { kind: 'publish', change: { kind: 'list_changed', account_id, listChange: toListChange(now) } }
        : undefined;
    }
    case 'rule-version':
      return isNew
        ? { kind: 'publish', change: { kind: 'rule_changed', account_id, version: toVersion(now) } }
        : undefined;
    default:
      return undefined;
  }
}
