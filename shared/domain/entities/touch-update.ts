import { forEachAddend, isTransaction } from './attempt-delta';
import type { AttributeValue, UpdateParams } from './attribute-value';
import { memberOf, setName } from './distinct-sets';
import { ATTEMPT_SLOTS, CHANGE_NAMES, DEVICE_SLOTS, expirySeconds, KIND, NAME } from './entity-attributes';
import type { Attempt, EntityKind, EventAction } from './entity-history';
import { type NumberedUpdate, numberedParams } from './numbered-update';
import { negated } from './packed-number';
import { recentDeviceText } from './recent-device';
import { hash32, hashText } from './short-hash';
import { bucketIndex, namesAt, TRANSACTION_LEVELS } from './time-buckets';

const ATTEMPT_SALT = 0x61747465;
const NETWORK_CHARACTER = { other: 'o', hosting: 'h', mobile: 'm' } as const;
/** A compensated attempt is marked in its slot, so that a retry of the compensation is refused too. */
const UNDONE = '!';
/** Position of `first_seen` among the sets of a touch. */
const FIRST_SEEN_AT = 1;

/** `#0` is always the attempt's slot: refused when it already holds this mark, because then it has been applied. */
const NOT_YET_APPLIED = '(attribute_not_exists(#0) OR #0 <> :0)';

function start(attempt: Attempt, prefix: string, once: number): NumberedUpdate {
  const hash = hash32(attempt.attempt_id, ATTEMPT_SALT);
  const slot = ATTEMPT_SLOTS[hash & 3] ?? ATTEMPT_SLOTS[0];
  return { names: [slot], values: [{ S: prefix + hashText(hash) }], sets: 1, adds: 0, once };
}

function set(update: NumberedUpdate, name: string, value: AttributeValue): void {
  update.names.push(name);
  update.values.push(value);
  update.sets += 1;
}

function add(update: NumberedUpdate, name: string, value: AttributeValue): void {
  update.names.push(name);
  update.values.push(value);
  update.adds += 1;
}

function setPlace(update: NumberedUpdate, attempt: Attempt): void {
  if (attempt.country?.length !== 2) return;
  const network = NETWORK_CHARACTER[attempt.network ?? 'other'];
  set(update, NAME.place, { S: attempt.country + network + attempt.at_ms.toString(36) });
}

/**
 * Whether an attempt says where the user is and on what: a failed login does not, nor does a password reset or any
 * other change that a thief makes first. Otherwise an attacker's own attempts would make his device a known one.
 */
const showsTheUser = ({ action, outcome }: Attempt): boolean =>
  outcome === 'succeeded' && (action === 'transaction' || action === 'login' || action === 'signup');

function setPersonal(update: NumberedUpdate, attempt: Attempt, isOwn: boolean): void {
  if (attempt.device !== undefined && isOwn) {
    const text = recentDeviceText(attempt.device, attempt.at_ms);
    const slot = DEVICE_SLOTS[text.charCodeAt(0) % DEVICE_SLOTS.length] ?? DEVICE_SLOTS[0];
    set(update, slot, { S: text });
  }
  const change = attempt.outcome === 'succeeded' ? CHANGE_NAMES[attempt.action as EventAction] : undefined;
  if (change !== undefined) set(update, change, { N: `${Math.floor(attempt.at_ms / 1000)}` });
}

/** Names that left their window a bucket ago (one of grace, clocks differ): removing one that is not there is free. */
function removeJustStale(update: NumberedUpdate, attempt: Attempt): void {
  for (const level of TRANSACTION_LEVELS) {
    const names = namesAt(level, bucketIndex(level, attempt.at_ms));
    update.names.push(names[level.live + 1] ?? '');
  }
}

/**
 * Records an attempt on an entity of a kind. To be sent with `ALL_OLD` for both return values: the old item tells
 * what had been seen before, and what is after it is old plus own. An SDK retry fails the condition, and then the
 * returned item already holds the attempt. Four slots by hash remember recent attempts, so that a retry is still
 * recognised when others came in between (each other hides it with probability 1/4, where one slot would with 1).
 */
export function touchUpdate(kind: EntityKind, attempt: Attempt): UpdateParams {
  const spec = KIND[kind];
  const update = start(attempt, '', FIRST_SEEN_AT);
  const at = { N: `${attempt.at_ms}` };
  set(update, NAME.firstSeen, at);
  set(update, NAME.lastSeen, at);
  set(update, NAME.ttl, { N: `${expirySeconds(attempt.at_ms)}` });
  const isOwn = !spec.person || showsTheUser(attempt);
  if (spec.place && isOwn) setPlace(update, attempt);
  if (spec.person) setPersonal(update, attempt, isOwn);
  forEachAddend(kind, attempt, (name, digits) => add(update, name, { N: digits }));
  for (const [counterpart, form] of spec.counterparts) {
    const member = isOwn ? memberOf(attempt, counterpart, form) : undefined;
    if (member !== undefined) add(update, setName(counterpart, attempt.at_ms), { SS: [member] });
  }
  if (isTransaction(attempt)) removeJustStale(update, attempt);
  return numberedParams(update, NOT_YET_APPLIED);
}

/**
 * Takes an attempt back: the compensation of a duplicate found late. All counts and amounts are as before it; times,
 * places and sets stay, since nothing remembers what they were. Refused where the entity is gone. Where it is not
 * certain that the attempt was recorded (its answer never came), only an attempt that left its mark is taken back.
 */
export function untouchUpdate(kind: EntityKind, attempt: Attempt, isCertain = true): UpdateParams {
  const update = start(attempt, UNDONE, -1);
  forEachAddend(kind, attempt, (name, digits) => add(update, name, { N: negated(digits) }));
  if (!isCertain) {
    const { ExpressionAttributeValues, ...params } = numberedParams(update, '#0 = :mark');
    const mark = start(attempt, '', -1).values[0] as AttributeValue;
    return { ...params, ExpressionAttributeValues: { ...ExpressionAttributeValues, ':mark': mark } };
  }
  const { ExpressionAttributeNames, ...params } = numberedParams(update, `attribute_exists(#f) AND ${NOT_YET_APPLIED}`);
  return { ...params, ExpressionAttributeNames: { ...ExpressionAttributeNames, '#f': NAME.firstSeen } };
}
