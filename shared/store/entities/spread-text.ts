import type { Spread } from '../../domain/entities/entity-spread';
import { type AttributeValue, textOf } from '../sdk/attribute-value';

/** How an item says over how many shards its entity is spread: five numbers, the times in base 36. */
export const spreadText = ({ shards, most, folded_at_ms, since_ms, pace }: Spread): string =>
  `${shards}.${most}.${folded_at_ms.toString(36)}.${since_ms.toString(36)}.${pace}`;

/** Undefined if it is not spread. */
export function spreadIn(value: AttributeValue | undefined): Spread | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const [shards = '1', most = '1', foldedAt = '0', since = '0', pace = '0'] = text.split('.');
  return {
    shards: Number(shards),
    most: Number(most),
    folded_at_ms: Number.parseInt(foldedAt, 36),
    since_ms: Number.parseInt(since, 36),
    pace: Number(pace),
  };
}
