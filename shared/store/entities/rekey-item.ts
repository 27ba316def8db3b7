import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { PARTITION } from '../keys';
import type { WireItem } from '../sdk/wire-item';
import { COUNTED, DEVICE_SLOTS } from './entity-attributes';
import { wiredEntities } from './packed-entities';

/** Sets of users, devices, IPs and cards by their hashes, as `distinct-sets.ts` names them; countries are codes. */
const HASHED_SET = /^[uvim][0-9a-z]$/;
/** One of the different values of a counter, as `counter-item.ts` names it. */
const COUNTED_VALUE = new RegExp(`^${COUNTED.member}[A-Za-z0-9_-]{5}$`);
const RECENT_DEVICES: ReadonlySet<string> = new Set(DEVICE_SLOTS);
const ENTITY_PREFIX = `${PARTITION.entity}#`;
/** Named by a pseudonym as well; of what a key has made they hold a reference's user, and what waits: that is gone in a week. */
const NAMED_PREFIXES = [`${PARTITION.reference}#`, `${PARTITION.source}#`];

/** The network that counts the declines of a payment: in a list, as the entities are. */
export const NETWORK = 'nw';
const WITH_ENTITIES: ReadonlySet<unknown> = new Set(['screening', 'kept']);

export function renewedKey(pseudonyms: Pseudonyms, key: string): string {
  const at = key.lastIndexOf('#') + 1;
  return key.slice(0, at) + pseudonyms.renewed(key.slice(at));
}

/**
 * An entity's, reference's or source's item under the newest identity key; undefined if it is none of these or has that
 * key already. What was hashed with the older key is left out: it would never be recognised, and count everything twice.
 */
export function rekeyItem(pseudonyms: Pseudonyms, item: WireItem): WireItem | undefined {
  const pk = item.pk?.S;
  if (typeof pk !== 'string') return undefined;
  const isEntity = pk.startsWith(ENTITY_PREFIX);
  if (!isEntity && !NAMED_PREFIXES.some((prefix) => pk.startsWith(prefix))) return undefined;
  const renewed = renewedKey(pseudonyms, pk);
  if (renewed === pk) return undefined;
  const user = item.of_user?.S;
  const asker = typeof user === 'string' ? { of_user: { S: pseudonyms.renewed(user) } } : {};
  if (!isEntity) return { ...item, ...asker, pk: { S: renewed } };
  const kept = Object.entries(item).filter(
    ([name]) => !HASHED_SET.test(name) && !RECENT_DEVICES.has(name) && !COUNTED_VALUE.test(name),
  );
  const owner = item[COUNTED.owner]?.S;
  const owned = typeof owner === 'string' ? { [COUNTED.owner]: { S: renewedKey(pseudonyms, owner) } } : {};
  return { ...Object.fromEntries(kept), ...owned, pk: { S: renewed } };
}

const LINKS_PREFIX = `${PARTITION.links}#`;

/** A link under the newest identity key, from both ends; undefined if it is not a link or has that key already. */
export function rekeyLink(pseudonyms: Pseudonyms, item: WireItem): WireItem | undefined {
  const [pk, sk] = [item.pk?.S, item.sk?.S];
  if (typeof pk !== 'string' || typeof sk !== 'string' || !pk.startsWith(LINKS_PREFIX)) return undefined;
  const renewed = renewedKey(pseudonyms, pk);
  return renewed === pk ? undefined : { ...item, pk: { S: renewed }, sk: { S: pseudonyms.renewed(sk) } };
}

/** Where a stored result is in its user's history, under the newest key; undefined if it is nowhere, or there already. */
export function rekeyedHistory(pseudonyms: Pseudonyms, item: WireItem): string | undefined {
  const pk = item.history_pk?.S;
  if (typeof pk !== 'string') return undefined;
  const renewed = renewedKey(pseudonyms, pk);
  return renewed === pk ? undefined : renewed;
}

/** The entities of a stored result, or of what outlives it, under the newest identity key; undefined if it is none or has those already. */
export function rekeyedEntities(pseudonyms: Pseudonyms, item: WireItem): readonly string[] | undefined {
  if (!WITH_ENTITIES.has(item.entity?.S)) return undefined;
  const keys = wiredEntities(item.entities);
  const renewed = keys.map((key) => renewedKey(pseudonyms, key));
  return renewed.every((key, at) => key === keys[at]) ? undefined : renewed;
}

/** The network of a stored result, or of what outlives it, under the newest identity key; undefined likewise. */
export function rekeyedNetwork(pseudonyms: Pseudonyms, item: WireItem): string | undefined {
  const [network] = wiredEntities(item[NETWORK]);
  const renewed = network === undefined ? undefined : renewedKey(pseudonyms, network);
  return renewed === network ? undefined : renewed;
}
