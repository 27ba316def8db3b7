import type { UpdateParams } from './attribute-value';
import { expirySeconds, NAME } from './entity-attributes';
import { addTo, finishUpdate, setValue, startUpdate } from './update-builder';

/**
 * Counts a decision against a user; `allow` is what remains of all transactions, so it is not counted. It may come first
 * or last in an entity's life: the expiry it sets keeps it from living for ever.
 */
export function decisionUpdate(
  decision: 'review' | 'block',
  atMs: number,
  step: 1 | -1 = 1,
): Omit<UpdateParams, 'ConditionExpression'> {
  const builder = startUpdate();
  setValue(builder, NAME.ttl, { N: `${expirySeconds(atMs)}` });
  addTo(builder, NAME[decision], { N: `${step}` });
  const { ConditionExpression: _, ...params } = finishUpdate(builder, '');
  return params;
}
