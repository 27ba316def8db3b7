import { amountCurrency, hourBucket, isTransaction } from '../../domain/entities/attempt-counts';
import { deviceHash } from '../../domain/entities/counterpart-hashes';
import { EARNED_COUNTERPARTS, type EarnedAttempt } from '../../domain/entities/earning';
import type { Attempt, EntityProfile } from '../../domain/entities/entity-history';
import { type AttributeValue, textOf, type UpdateParams } from '../sdk/attribute-value';
import { type NumberedUpdate, unconditionalParams } from '../sdk/numbered-update';
import { type Addend, addend, attemptWrites, dollarAddends } from './attempt-writes';
import { setName } from './distinct-sets';
import { DEVICE_SLOTS, HOUR_GROUPS, logsName, NAME, totalName } from './entity-attributes';
import { hundredths, packLog, packQuarter } from './log-amounts';

const HASH_CHARACTERS = 6;

/** A device and when it was seen, as a slot of a user's item holds it: the hash, then seconds in base 36. */
export const recentDeviceText = (device: string, atMs: number): string =>
  deviceHash(device) + Math.floor(atMs / 1000).toString(36);

export function recentDevice(value: AttributeValue | undefined): EntityProfile['recent_devices'][number] | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  return {
    device: text.slice(0, HASH_CHARACTERS),
    last_seen_ms: Number.parseInt(text.slice(HASH_CHARACTERS), 36) * 1000,
  };
}

export type Unconditional = Omit<UpdateParams, 'ConditionExpression'>;

/** The raw material of habits: the hour, the amount in its currency and in US dollars. */
export type Habit = Pick<Attempt, 'action' | 'at_ms' | 'amount' | 'currency' | 'amount_usd'>;

export function habitAddends(habit: Habit): Addend[] {
  const bucket = hourBucket(habit.at_ms);
  const addends = [addend(HOUR_GROUPS[bucket >> 2] ?? '', packQuarter(bucket))];
  if (!isTransaction(habit as Attempt)) return addends;
  addends.push(...dollarAddends(habit));
  const currency = amountCurrency(habit as Attempt);
  if (currency === undefined || habit.amount === undefined) return addends;
  const own = hundredths(habit.amount);
  addends.push(addend(totalName(currency), `${own}`), addend(logsName(currency), packLog(own)));
  return addends;
}

const deviceSlot = (text: string): string => DEVICE_SLOTS[text.charCodeAt(0) % DEVICE_SLOTS.length] ?? DEVICE_SLOTS[0];

/**
 * Makes familiar to a user what an allowed attempt used: one plain update alongside the write of the result. If it is lost,
 * the user is a little less familiar, which is the safe side. Undefined if there is nothing to earn.
 */
export function earnUpdate(earned: EarnedAttempt): Unconditional | undefined {
  const update = earnings(earned);
  return update && unconditionalParams(update);
}

/** The same by numbers. */
export function earnings({ attempt, earning: { members, isFull } }: EarnedAttempt): NumberedUpdate | undefined {
  const { at, location } = attemptWrites(attempt);
  const update: NumberedUpdate = { names: [NAME.trustedSince], values: [at], sets: 1, adds: 0, once: 0 };
  const push = (name: string, value: AttributeValue): void => {
    update.names.push(name);
    update.values.push(value);
  };
  if (attempt.device !== undefined) {
    const text = recentDeviceText(attempt.device, attempt.at_ms);
    push(deviceSlot(text), { S: text });
    update.sets += 1;
  }
  if (isFull && location !== undefined) {
    push(NAME.location, location);
    update.sets += 1;
  }
  for (const counterpart of EARNED_COUNTERPARTS) {
    const held = members[counterpart];
    if (held === undefined || !(isFull || counterpart === 'devices')) continue;
    push(setName(counterpart, attempt.at_ms), { SS: [held.member + held.since] });
    update.adds += 1;
  }
  if (isFull) {
    for (const { name, value } of habitAddends(attempt)) {
      push(name, value);
      update.adds += 1;
    }
  }
  return update.adds === 0 ? undefined : update;
}

/** Starts the time for which an entity other than the user is trusted; refused if it is gone. */
export const trustUpdate = (atMs: number): UpdateParams => ({
  UpdateExpression: 'SET #0 = if_not_exists(#0, :0)',
  ExpressionAttributeNames: { '#0': NAME.trustedSince, '#1': NAME.lastSeen },
  ExpressionAttributeValues: { ':0': { N: `${atMs}` } },
  ConditionExpression: 'attribute_exists(#1)',
});
