import type { UpdateParams } from './attribute-value';
import { expirySeconds, NAME } from './entity-attributes';
import { addTo, finishUpdate, setValue, startUpdate } from './update-builder';

/** Counter updates may come first or last in an entity's life: the expiry they set keeps them from living for ever. */
function counterUpdate(
  atMs: number,
  deltas: ReadonlyArray<readonly [string, number]>,
): Omit<UpdateParams, 'ConditionExpression'> {
  const builder = startUpdate();
  setValue(builder, NAME.ttl, { N: `${expirySeconds(atMs)}` });
  for (const [name, delta] of deltas) if (delta !== 0) addTo(builder, name, { N: `${delta}` });
  const { ConditionExpression: _, ...params } = finishUpdate(builder, '');
  return params;
}

/**
 * Counts outcomes that people confirmed; a label that changes sides is `{ fraud: 1, legitimate: -1 }`. It has no
 * condition: send it in a transaction (with a client token) together with what makes the label true.
 */
export const labelUpdate = (delta: { readonly fraud?: number; readonly legitimate?: number }, atMs: number) =>
  counterUpdate(atMs, [
    [NAME.fraud, delta.fraud ?? 0],
    [NAME.legitimate, delta.legitimate ?? 0],
  ]);

/** Counts a decision against a user; `allow` is what remains of all transactions, so it is not counted. */
export const decisionUpdate = (decision: 'review' | 'block', atMs: number, step: 1 | -1 = 1) =>
  counterUpdate(atMs, [[NAME[decision], step]]);
