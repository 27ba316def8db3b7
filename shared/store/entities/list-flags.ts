import type { ListFlag } from '../../domain/lists/match-lists';
import { type AttributeValue, digitsOf, type EntityItem } from '../sdk/attribute-value';
import { expirySeconds, NAME } from './entity-attributes';

/*
 * An entity that is on a list carries a flag: the screening reads it with the history, without another trip. The
 * item of an entity that was never seen holds nothing else, and reads as an empty history.
 */
export const NO_FLAGS: readonly ListFlag[] = [];

const RADIX = 36;
const LETTER_O = NAME.listed.charCodeAt(0);

export const flagName = (number: number): string => NAME.listed + number.toString(RADIX);

export function listFlag(name: string, value: AttributeValue): ListFlag | undefined {
  if (name.charCodeAt(0) !== LETTER_O || name.length === 1) return undefined;
  const untilMs = Number(digitsOf(value) ?? 0);
  const number = Number.parseInt(name.slice(1), RADIX);
  return untilMs === 0 ? { number } : { number, until_ms: untilMs };
}

/** Whether an item holds nothing but flags: its entity was never seen. */
export const isOnlyListed = (item: EntityItem): boolean =>
  item[NAME.listed] !== undefined && item[NAME.lastSeen] === undefined;

/**
 * An expiry so far away that TTL never deletes the item. Every change of an entity's flags makes another one, so that
 * a transaction that takes off the last flag can tell that none was added since.
 */
export const farExpiry = (number: number, nowMs: number): number => 9e9 + (nowMs % 1e7) * 100 + (number % 100);

export type FlagChange =
  | {
      readonly kind: 'update';
      readonly UpdateExpression: string;
      readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
      readonly ExpressionAttributeValues?: Readonly<Record<string, number>>;
      readonly ConditionExpression?: string;
    }
  | {
      readonly kind: 'delete';
      readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
      readonly ExpressionAttributeValues: Readonly<Record<string, number>>;
      readonly ConditionExpression: string;
    };

export const flagUpdate = (number: number, untilMs: number | undefined, nowMs: number): FlagChange => ({
  kind: 'update',
  UpdateExpression: 'SET #flag = :until, #listed = :far, #ttl = :far',
  ExpressionAttributeNames: { '#flag': flagName(number), '#listed': NAME.listed, '#ttl': NAME.ttl },
  ExpressionAttributeValues: { ':until': untilMs ?? 0, ':far': farExpiry(number, nowMs) },
});

const ttlOf = (lastSeenMs: string | undefined, evidenceMs: string | undefined): number =>
  lastSeenMs === undefined ? Math.ceil(Number(evidenceMs) / 1000) : expirySeconds(Number(lastSeenMs));

/**
 * Takes an entity off a list, from its item as it was read; undefined if it is not on it. With its last flag goes
 * the far expiry, and an item that holds nothing else. Refused if a flag has been added since the item was read.
 */
export function unflagChange(number: number, item: EntityItem | undefined): FlagChange | undefined {
  const flag = flagName(number);
  if (item?.[flag] === undefined) return undefined;
  const names = { '#flag': flag, '#listed': NAME.listed };
  const others = Object.entries(item).filter(([name, value]) => name !== flag && listFlag(name, value) !== undefined);
  const ConditionExpression = '#listed = :seen';
  const values = { ':seen': Number(digitsOf(item[NAME.listed]) ?? 0) };
  if (others.length > 0) {
    const update = { UpdateExpression: 'REMOVE #flag', ExpressionAttributeNames: names };
    return { kind: 'update', ...update, ConditionExpression, ExpressionAttributeValues: values };
  }
  const lastSeenMs = digitsOf(item[NAME.lastSeen]);
  const evidenceMs = digitsOf(item[NAME.evidence]);
  if (lastSeenMs === undefined && evidenceMs === undefined) {
    return {
      kind: 'delete',
      ConditionExpression: `${ConditionExpression} AND attribute_not_exists(#seen)`,
      ExpressionAttributeNames: { '#listed': NAME.listed, '#seen': NAME.lastSeen },
      ExpressionAttributeValues: values,
    };
  }
  return {
    kind: 'update',
    UpdateExpression: 'REMOVE #flag, #listed SET #ttl = :ttl',
    ConditionExpression,
    ExpressionAttributeNames: { ...names, '#ttl': NAME.ttl },
    ExpressionAttributeValues: { ...values, ':ttl': ttlOf(lastSeenMs, evidenceMs) },
  };
}
