import {
  farExpiry,
  flagName,
  flagUpdate,
  isOnlyListed,
  listFlag,
  unflagChange,
} from '../../../shared/store/entities/list-flags';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';

const NOW = Date.UTC(2026, 10, 16);
const number = (value: number) => ({ N: `${value}` });

it('reads the flag that it writes, until a time or for ever', () => {
  expect(listFlag(flagName(37), number(NOW))).toEqual({ number: 37, until_ms: NOW });
  expect(listFlag(flagName(37), number(0))).toEqual({ number: 37 });
  expect(listFlag('o', number(NOW))).toBeUndefined();
  expect(listFlag('b', number(NOW))).toBeUndefined();
});

it('an expiry is centuries away, and another one for every change', () => {
  const year = 365 * 86_400;
  expect(farExpiry(1, NOW)).toBeGreaterThan(NOW / 1_000 + 100 * year);
  expect(new Set([farExpiry(1, NOW), farExpiry(2, NOW), farExpiry(1, NOW + 1)]).size).toBe(3);
  expect(flagUpdate(1, undefined, NOW)).toMatchObject({ ExpressionAttributeValues: { ':until': 0 } });
});

const flagged = (more: EntityItem): EntityItem => ({ o: number(9e9), [flagName(1)]: number(0), ...more });

it('the last flag takes the far expiry with it: the entity is forgotten as any other', () => {
  expect(unflagChange(1, flagged({ l: number(NOW) }))).toMatchObject({
    kind: 'update',
    UpdateExpression: 'REMOVE #flag, #listed SET #ttl = :ttl',
    ConditionExpression: '#listed = :seen',
    ExpressionAttributeValues: { ':seen': 9e9, ':ttl': NOW / 1_000 + 180 * 86_400 },
  });
});

it('an item that holds nothing else goes with its last flag', () => {
  expect(isOnlyListed(flagged({}))).toBe(true);
  expect(unflagChange(1, flagged({}))).toMatchObject({ kind: 'delete' });
});

it('other flags stay, and with them the expiry', () => {
  const change = unflagChange(1, flagged({ [flagName(2)]: number(0) }));
  expect(change).toMatchObject({ kind: 'update', UpdateExpression: 'REMOVE #flag' });
});

it('there is nothing to take off an entity that is not on the list', () => {
  expect(unflagChange(2, flagged({}))).toBeUndefined();
  expect(unflagChange(1, undefined)).toBeUndefined();
});
