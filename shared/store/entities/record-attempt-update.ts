import { requestMark, requestTimeMs } from '../../domain/entities/attempt-counts';
import { memberOf } from '../../domain/entities/counterpart-hashes';
import { showsTheUser } from '../../domain/entities/earning';
import type { Attempt, EntityKind } from '../../domain/entities/entity-history';
import { KIND } from '../../domain/entities/kind-spec';
import { type AttributeValue, type EntityItem, textOf, type UpdateParams } from '../sdk/attribute-value';
import { type NumberedUpdate, numberedParams } from '../sdk/numbered-update';
import { addendsOf, attemptWrites, undoneMark } from './attempt-writes';
import { type SetKind, setName } from './distinct-sets';
import { CHANGE_NAMES, NAME } from './entity-attributes';
import { negated } from './log-amounts';

const FIRST_SEEN_AT = 1;
/** Position of the expiry, which is that of its lists if the entity is on any: those must not be forgotten with it. */
const EXPIRY = { at: 3, name: NAME.listed };

/** `#0` is always the attempt's slot: refused if it already holds this mark, because the update was already applied. */
const NOT_YET_APPLIED = '(attribute_not_exists(#0) OR #0 <> :0)';
/** Refused when any request with the same `Idempotency-Key` and body has left its mark. */
const NO_REPEAT = '(attribute_not_exists(#0) OR NOT begins_with(#0, :identity))';

const withValue = (params: UpdateParams, token: string, value: AttributeValue): UpdateParams => ({
  ...params,
  ExpressionAttributeValues: { ...params.ExpressionAttributeValues, [token]: value },
});

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

function setChange(update: NumberedUpdate, attempt: Attempt): void {
  const change =
    attempt.outcome === 'succeeded' ? CHANGE_NAMES[attempt.action as keyof typeof CHANGE_NAMES] : undefined;
  if (change !== undefined) set(update, change, { N: `${Math.floor(attempt.at_ms / 1000)}` });
}

/** Sets of things that a user tried; familiar ones are earned. */
const TRIED = { devices: 'tried_devices', cards: 'tried_cards' } as const;

function addCounterparts(update: NumberedUpdate, kind: EntityKind, attempt: Attempt): void {
  const { person, counterparts } = KIND[kind];
  // A stranger's failed logins do not give a user more devices.
  if (person && !showsTheUser(attempt)) return;
  const { hashes } = attemptWrites(attempt);
  for (const [counterpart, form] of counterparts) {
    const set: SetKind | undefined = person ? TRIED[counterpart as keyof typeof TRIED] : counterpart;
    const member = set && memberOf(hashes, counterpart, form);
    if (set !== undefined && member !== undefined) add(update, setName(set, attempt.at_ms), { SS: [member] });
  }
}

/**
 * Records an attempt on an entity of a kind: everything that counts whatever becomes of the attempt. Send it with `ALL_OLD` for both return values: the old item shows
 * what was seen before, and the new state is the old one plus the attempt. A retry by the SDK, or another request with
 * the same `Idempotency-Key`, fails the condition; the returned item then already includes the attempt. Four slots by
 * hash remember recent attempts, so a repeat is still recognised when others came in between (each of those hides it
 * with probability 1/4; with a single slot it would be 1).
 */
export function recordAttemptUpdate(kind: EntityKind, attempt: Attempt): UpdateParams {
  const update = attemptUpdate(kind, attempt);
  return numberedParams(update, update.condition);
}

/** The same by numbers. */
export function attemptUpdate(kind: EntityKind, attempt: Attempt): NumberedUpdate & { readonly condition: string } {
  const spec = KIND[kind];
  const writes = attemptWrites(attempt);
  const identity = writes.isRepeatable ? { S: writes.identity } : undefined;
  const update = {
    names: [writes.recentName, NAME.firstSeen, NAME.lastSeen, NAME.ttl],
    values: [{ S: writes.mark }, writes.at, writes.at, writes.ttl],
    sets: 4,
    adds: 0,
    once: FIRST_SEEN_AT,
    from: EXPIRY,
    identity,
    condition: writes.isRepeatable ? NO_REPEAT : NOT_YET_APPLIED,
  };
  if (spec.location && !spec.person && writes.location !== undefined) set(update, NAME.location, writes.location);
  if (spec.person) setChange(update, attempt);
  for (const addends of addendsOf(kind, writes)) for (const { name, value } of addends) add(update, name, value);
  addCounterparts(update, kind, attempt);
  const failing = spec.failingUsers ? writes.failingUser : undefined;
  if (failing !== undefined) {
    add(update, failing.name, failing.value);
    update.names.push(...failing.unread);
  }
  for (const name of writes.stale) update.names.push(name);
  return update;
}

interface Counted {
  /** @default the request that asks */
  readonly counted_by?: string;
  readonly at_ms: number;
}

export function countedBy(item: EntityItem, attempt: Attempt): Counted {
  const { recentName, identity, isRepeatable } = attemptWrites(attempt);
  const own = requestMark(attempt);
  const request = isRepeatable ? (textOf(item[recentName])?.slice(identity.length) ?? own) : own;
  return request === own ? { at_ms: attempt.at_ms } : { counted_by: request, at_ms: requestTimeMs(request) };
}

/**
 * Takes an attempt back: the compensation of a duplicate found late. All counts and amounts are as before it; times,
 * locations and sets stay, since nothing remembers what they were. Refused if the entity is gone. If it is not
 * certain that the attempt was recorded (no response arrived), only an attempt that left its mark is taken back.
 */
export function removeAttemptUpdate(kind: EntityKind, attempt: Attempt, isCertain = true): UpdateParams {
  const writes = attemptWrites(attempt);
  const undone = { S: undoneMark(attempt) };
  const update: NumberedUpdate = { names: [writes.recentName], values: [undone], sets: 1, adds: 0, once: -1 };
  for (const addends of addendsOf(kind, writes)) {
    for (const { name, value } of addends) add(update, name, { N: negated(value.N) });
  }
  if (!isCertain) {
    return withValue(numberedParams(update, '#0 = :mark'), ':mark', { S: writes.mark });
  }
  const { ExpressionAttributeNames, ...params } = numberedParams(update, `attribute_exists(#l) AND ${NOT_YET_APPLIED}`);
  return { ...params, ExpressionAttributeNames: { ...ExpressionAttributeNames, '#l': NAME.lastSeen } };
}
