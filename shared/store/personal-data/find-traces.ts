import { type EntityNames, entityNames, kindOfKey } from '../../domain/entities/entity-ref';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import type { ErasedPerson, Trace, TraceKind } from '../../domain/personal-data/erasure';
import { ulidOf } from '../../domain/screening/subjects/subject-id';
import { ulidTimeMs } from '../../domain/ulid';
import { COUNTED } from '../entities/entity-attributes';
import { readProfile } from '../entities/entity-store';
import { isEvidence } from '../entities/fraud-evidence';
import { wiredEntities } from '../entities/packed-entities';
import { renewedKey } from '../entities/rekey-item';
import type { EntityItem } from '../sdk/attribute-value';
import { unpackBody } from '../webhooks/packed-message';

type Item = Readonly<Record<string, { readonly S?: string; readonly N?: string; readonly B?: string | Uint8Array }>>;

/** Whose an item is, and from when; the people are found by their entity's key. */
interface Owned {
  readonly kind: TraceKind;
  readonly account_id: string;
  readonly user: string;
  readonly at_ms: number;
  readonly ulid?: string;
  readonly entities?: readonly string[];
  readonly isEvidence?: boolean;
}

const textOf = (item: Item, name: string): string => item[name]?.S ?? '';
const numberOf = (item: Item, name: string): number => Number(item[name]?.N ?? 0);

/** Bundles read bytes in base64, as they arrive; the SDK decodes them. */
const bytesOf = (value: string | Uint8Array = ''): Buffer =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : Buffer.from(value);

/** The user of a JSON text that we stored: a message to a merchant, or a recorded response. */
function userIn(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as { user_id?: string; data?: { user_id?: string } };
    return value.data?.user_id ?? value.user_id;
  } catch {
    return undefined;
  }
}

const screenedAtMs = (item: Item, ulid: string): number =>
  item.screened_at_ms === undefined ? ulidTimeMs(ulid) : numberOf(item, 'screened_at_ms');

const isCounter = (entity: string): boolean => /^(?:\d+~)?counter\./.test(entity);

/** A counter by a device, an address or an attribute is erased with that, not with a person. */
export function countedOf(item: Item): (Pick<Trace, 'account_id' | 'key'> & { readonly owner: string }) | undefined {
  const key = { pk: textOf(item, 'pk'), sk: textOf(item, 'sk') };
  const [partition, account_id = '', ...rest] = key.pk.split('#');
  const owner = textOf(item, COUNTED.owner);
  const isIt = partition === 'ENTITY' && isCounter(rest.join('#')) && owner !== '' && kindOfKey(owner) !== 'user';
  return isIt ? { account_id, key, owner } : undefined;
}

/** Whose an item is; undefined for items that hold nobody's data. `names` gives the names of an account's entities. */
function ownerOf(item: Item, names: (accountId: string) => EntityNames, nowMs: number): Owned | undefined {
  const [partition = '', account_id = '', ...rest] = textOf(item, 'pk').split('#');
  const sk = textOf(item, 'sk');
  const named = (user_id: string | undefined) => (user_id ? names(account_id).user(user_id).key : '');
  switch (partition) {
    case 'ENTITY': {
      const user = rest.join('#');
      if (isCounter(user)) return { kind: 'counter', account_id, user: textOf(item, COUNTED.owner), at_ms: 0 };
      if (kindOfKey(user) !== 'user') return undefined;
      const { last_seen_ms: at_ms = 0 } = readProfile('user', item as unknown as EntityItem, nowMs);
      return { kind: 'profile', account_id, user, at_ms, isEvidence: isEvidence(item) };
    }
    case 'SUBJECT': {
      const ulid = rest[0] ?? '';
      if (sk === 'CASE') {
        const at_ms = numberOf(item, 'created_at_ms');
        return { kind: 'result', account_id, user: named(textOf(item, 'user_id')), at_ms, ulid };
      }
      if (sk !== 'RESULT') return undefined;
      const entities = wiredEntities(item.entities);
      const user = entities.find((key) => kindOfKey(key) === 'user') ?? named(textOf(item, 'user_id'));
      return { kind: 'result', account_id, user, at_ms: screenedAtMs(item, ulid), ulid, entities };
    }
    case 'KEPT': {
      // A record that outlives a result, for labels from outside, names its entities too.
      const entities = wiredEntities(item.entities);
      const user = entities.find((key) => kindOfKey(key) === 'user') ?? '';
      return { kind: 'kept', account_id, user, at_ms: ulidTimeMs(rest[0] ?? ''), entities };
    }
    case 'CASES': {
      const at_ms = numberOf(item, 'created_at_ms');
      return { kind: 'case_entry', account_id, user: named(textOf(item, 'user_id')), at_ms };
    }
    case 'LINKS': {
      const at_ms = numberOf(item, 'since_ms');
      return { kind: 'link', account_id, user: `user#${sk}`, at_ms, entities: [rest.join('#')] };
    }
    case 'LISTENTRY':
      return { kind: 'list_entry', account_id, user: sk, at_ms: 0, isEvidence: item.sealed === undefined };
    case 'MESSAGE': {
      const user = named(userIn(bytesOf(item.body?.B).toString()));
      return { kind: 'message', account_id, user, at_ms: Date.parse(textOf(item, 'created_at')) };
    }
    case 'DELIVERIES': {
      // A small message is stored with its deliveries. What the receiver answered goes too.
      if (!item.packed?.B) return undefined;
      const ulid = textOf(item, 'message_id').slice('msg_'.length);
      return {
        kind: 'message',
        account_id,
        user: named(userIn(unpackBody(bytesOf(item.packed.B)))),
        at_ms: ulidTimeMs(ulid),
      };
    }
    case 'IDEMPOTENCY':
      return { kind: 'response', account_id, user: named(userIn(textOf(item, 'answer'))), at_ms: 0 };
    default:
      return undefined;
  }
}

/** An item that leads to a screening, which alone says whose it is. */
export interface Pointer extends Pick<Trace, 'account_id' | 'key'> {
  readonly kind: 'reference' | 'outcome' | 'client_event';
  readonly ulid: string;
}

/** The screening that an item leads to; undefined if it is not such an item, or still waits for its screening. */
export function pointerOf(item: Item): Pointer | undefined {
  const key = { pk: textOf(item, 'pk'), sk: textOf(item, 'sk') };
  const [partition = '', account_id = ''] = key.pk.split('#');
  const to = (kind: Pointer['kind'], ulid: string | undefined) => (ulid ? { kind, account_id, key, ulid } : undefined);
  switch (partition) {
    case 'REFERENCE':
      return to('reference', textOf(item, 'ulid'));
    case 'SOURCE':
      return to('outcome', ulidOf(textOf(item, 'subject_id'), 'txn', 'evt', 'dec'));
    case 'AFD':
      return key.sk === 'EVENT' ? to('client_event', textOf(item, 'ulid')) : undefined;
    default:
      return undefined;
  }
}

type Lookup = (
  accountId: string,
  user: string,
) => Pick<ErasedPerson, 'erasure_id' | 'requested_at_ms' | 'evidence_until_ms'> | undefined;

export const namesOf = ({ user }: ErasedPerson, pseudonyms: Pseudonyms): string[] => [
  ...new Set([user, renewedKey(pseudonyms, user)]),
];

export function lookupOf(people: readonly ErasedPerson[], pseudonyms: Pseudonyms): Lookup {
  const wanted = new Map(
    people.flatMap((person) =>
      namesOf(person, pseudonyms).map((user) => [`${person.account_id}\n${user}`, person] as const),
    ),
  );
  return (accountId, user) => wanted.get(`${accountId}\n${user}`);
}

export function traceFinder(lookup: Lookup, pseudonyms: Pseudonyms, nowMs: number) {
  const accounts = new Map<string, EntityNames>();
  const names = (accountId: string): EntityNames => {
    const known = accounts.get(accountId) ?? entityNames(accountId, pseudonyms);
    accounts.set(accountId, known);
    return known;
  };
  return (item: Item): Trace | undefined => {
    const owned = ownerOf(item, names, nowMs);
    if (!owned?.user) return undefined;
    const { kind, account_id, user, at_ms, ulid, entities = [] } = owned;
    // An older identity key may have named it.
    const person = lookup(account_id, user) ?? lookup(account_id, renewedKey(pseudonyms, user));
    if (!person || at_ms > person.requested_at_ms) return undefined;
    const { evidence_until_ms } = person;
    if (owned.isEvidence && evidence_until_ms !== undefined) return undefined;
    return {
      erasure_id: person.erasure_id,
      kind,
      account_id,
      key: { pk: textOf(item, 'pk'), sk: textOf(item, 'sk') },
      ...(ulid === undefined ? {} : { ulid }),
      entities: entities.filter((key) => kindOfKey(key) !== 'user'),
      ...(evidence_until_ms === undefined ? {} : { evidence_until_ms }),
    };
  };
}
