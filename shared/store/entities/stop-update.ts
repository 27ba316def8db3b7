import { isTransaction } from '../../domain/entities/attempt-delta';
import type { Attempt, EntityKind } from '../../domain/entities/entity-history';
import { KIND } from '../../domain/entities/kind-spec';
import { addTo, finishUpdate, setFrom, startUpdate } from '../sdk/update-builder';
import { attemptWrites, currentName } from './attempt-writes';
import type { Unconditional } from './earn-update';
import { expirySeconds, NAME } from './entity-attributes';
import { negated } from './packed-number';
import { STOPPED_LEVEL } from './time-buckets';

/** An attempt that was stopped, as the screening tells it. */
export interface StoppedAttempt {
  readonly decision: 'review' | 'block';
  readonly isTransaction: boolean;
  readonly atMs: number;
  /** The domain's `stopped-mark.ts`. */
  readonly mark: string;
}

/**
 * Remembers on the user's item that an attempt was stopped; send it in the transaction that stores the result. `allow`
 * is the rest of all transactions, so it is not counted. The update may be the first or the last of an entity's life: the
 * expiry it sets keeps the item from living for ever.
 */
export function stopUpdate({ decision, isTransaction: isPayment, atMs, mark }: StoppedAttempt): Unconditional {
  const builder = startUpdate();
  setFrom(builder, NAME.ttl, NAME.listed, { N: `${expirySeconds(atMs)}` });
  addTo(builder, NAME.undecidedMarks, { SS: [mark] });
  if (isPayment) {
    addTo(builder, NAME[decision], { N: '1' });
    addTo(builder, currentName(STOPPED_LEVEL, atMs), { N: '1' });
  }
  const { ConditionExpression: _, ...params } = finishUpdate(builder, '');
  return params;
}

/**
 * The same for the other entities, best effort: an attempt that was stopped makes none of them more established or
 * trusted, and its amount does not become usual. Events are not counted, but leave the mark that something was stopped.
 */
export function stoppedElsewhereUpdate(kind: EntityKind, attempt: Attempt): Unconditional {
  const builder = startUpdate();
  setFrom(builder, NAME.ttl, NAME.listed, { N: `${expirySeconds(attempt.at_ms)}` });
  addTo(builder, NAME.stopped, { N: isTransaction(attempt) ? '1' : '0' });
  if (KIND[kind].dollarLogs) {
    for (const { name, value } of attemptWrites(attempt).dollarLogs) addTo(builder, name, { N: negated(value.N) });
  }
  const { ConditionExpression: _, ...params } = finishUpdate(builder, '');
  return params;
}
