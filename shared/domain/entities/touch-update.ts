import { forEachAddend, isTransaction } from './attempt-delta';
import type { UpdateParams } from './attribute-value';
import { memberOf, setName } from './distinct-sets';
import { ATTEMPT_SLOTS, CHANGE_NAMES, DEVICE_SLOTS, expirySeconds, KIND, NAME } from './entity-attributes';
import type { Attempt, EntityKind, EventAction } from './entity-history';
import { negated } from './packed-number';
import { deviceHash, hash32, hashText } from './short-hash';
import { bucketIndex, namesAt, TRANSACTION_LEVELS } from './time-buckets';
import {
  addTo,
  finishUpdate,
  nameToken,
  removeName,
  setOnce,
  setValue,
  startUpdate,
  type UpdateBuilder,
  valueToken,
} from './update-builder';

const ATTEMPT_SALT = 0x61747465;
const NETWORK_CHARACTER = { other: 'o', hosting: 'h', mobile: 'm' } as const;
/** A compensated attempt is marked in its slot, so that a retry of the compensation is refused too. */
const UNDONE = '!';

function setPlace(builder: UpdateBuilder, attempt: Attempt): void {
  if (attempt.country?.length !== 2) return;
  const network = NETWORK_CHARACTER[attempt.network ?? 'other'];
  setValue(builder, NAME.place, { S: attempt.country + network + attempt.at_ms.toString(36) });
}

function setPersonal(builder: UpdateBuilder, attempt: Attempt): void {
  if (attempt.device !== undefined) {
    const hash = deviceHash(attempt.device);
    const slot = DEVICE_SLOTS[hash.charCodeAt(0) % DEVICE_SLOTS.length] ?? DEVICE_SLOTS[0];
    setValue(builder, slot, { S: hash + Math.floor(attempt.at_ms / 1000).toString(36) });
  }
  const change = attempt.outcome === 'succeeded' ? CHANGE_NAMES[attempt.action as EventAction] : undefined;
  if (change !== undefined) setValue(builder, change, { N: `${Math.floor(attempt.at_ms / 1000)}` });
}

/** Names that left their window a bucket ago (one of grace, clocks differ): removing one that is not there is free. */
function removeJustStale(builder: UpdateBuilder, attempt: Attempt): void {
  for (const level of TRANSACTION_LEVELS) {
    const names = namesAt(level, bucketIndex(level, attempt.at_ms));
    removeName(builder, names[level.live + 1] ?? '');
  }
}

/** Refuses the update when the slot of this attempt already holds `mark`: it has been applied before. */
function onlyOnce(builder: UpdateBuilder, attempt: Attempt, prefix: string): string {
  const hash = hash32(attempt.attempt_id, ATTEMPT_SALT);
  const slot = ATTEMPT_SLOTS[hash & 3] ?? ATTEMPT_SLOTS[0];
  const mark = { S: prefix + hashText(hash) };
  const token = setValue(builder, slot, mark);
  return `(attribute_not_exists(${token}) OR ${token} <> ${valueToken(builder, mark)})`;
}

/**
 * Records an attempt on an entity of a kind. To be sent with `ALL_OLD` for both return values: the old item tells
 * what had been seen before, and what is after it is old plus own. An SDK retry fails the condition, and then the
 * returned item already holds the attempt. Four slots by hash remember recent attempts, so that a retry is still
 * recognised when others came in between (each other hides it with probability 1/4, where one slot would with 1).
 */
export function touchUpdate(kind: EntityKind, attempt: Attempt): UpdateParams {
  const spec = KIND[kind];
  const builder = startUpdate();
  const condition = onlyOnce(builder, attempt, '');
  const at = { N: `${attempt.at_ms}` };
  setValue(builder, NAME.ttl, { N: `${expirySeconds(attempt.at_ms)}` });
  setOnce(builder, NAME.firstSeen, at);
  setValue(builder, NAME.lastSeen, at);
  if (spec.place) setPlace(builder, attempt);
  if (spec.person) setPersonal(builder, attempt);
  forEachAddend(kind, attempt, (name, digits) => addTo(builder, name, { N: digits }));
  for (const [counterpart, form] of spec.counterparts) {
    const member = memberOf(attempt, counterpart, form);
    if (member !== undefined) addTo(builder, setName(counterpart, attempt.at_ms), { SS: [member] });
  }
  if (isTransaction(attempt)) removeJustStale(builder, attempt);
  return finishUpdate(builder, condition);
}

/**
 * Takes an attempt back: the compensation of a duplicate found late. All counts and amounts are as before it; times,
 * places and sets stay, since nothing remembers what they were. Refused where the entity is gone.
 */
export function untouchUpdate(kind: EntityKind, attempt: Attempt): UpdateParams {
  const builder = startUpdate();
  const condition = onlyOnce(builder, attempt, UNDONE);
  forEachAddend(kind, attempt, (name, digits) => addTo(builder, name, { N: negated(digits) }));
  return finishUpdate(builder, `attribute_exists(${nameToken(builder, NAME.firstSeen)}) AND ${condition}`);
}
