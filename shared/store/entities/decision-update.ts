import type { UpdateParams } from '../sdk/attribute-value';
import { addTo, finishUpdate, setValue, startUpdate } from '../sdk/update-builder';
import { expirySeconds, NAME } from './entity-attributes';

/** A decision that counts against a user, or no longer does. */
export interface CountedDecision {
  readonly decision: 'review' | 'block';
  readonly atMs: number;
  readonly step: 1 | -1;
}

/**
 * Counts a decision against a user. `allow` is the rest of all transactions, so it is not counted. The update may be
 * the first or the last of an entity's life: the expiry it sets keeps the item from living for ever.
 */
export function decisionUpdate({ decision, atMs, step }: CountedDecision): Omit<UpdateParams, 'ConditionExpression'> {
  const builder = startUpdate();
  setValue(builder, NAME.ttl, { N: `${expirySeconds(atMs)}` });
  addTo(builder, NAME[decision], { N: `${step}` });
  const { ConditionExpression: _, ...params } = finishUpdate(builder, '');
  return params;
}
