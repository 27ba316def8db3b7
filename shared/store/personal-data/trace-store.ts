import { type AttributeValue, BatchGetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { kindOfKey, pseudonymOf } from '../../domain/entities/entity-ref';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import type { EntityLink } from '../../domain/entities/seen-with';
import { unavailable } from '../../domain/errors';
import {
  type ErasedPerson,
  type Leaving,
  mayReadAnyCopy,
  type Trace,
  type TracePage,
} from '../../domain/personal-data/erasure';
import { ulidTimeMs } from '../../domain/ulid';
import { removeCaseItems, toCase } from '../cases/case-items';
import { NAME } from '../entities/entity-attributes';
import { isEvidence } from '../entities/fraud-evidence';
import { spreadIn } from '../entities/spread-reading';
import {
  entityKey,
  entityShard,
  HISTORY_INDEX,
  historyPk,
  keptKey,
  LIST_SK,
  labelPk,
  linkKey,
  listEntryKey,
  listKey,
  listsPk,
  referenceKey,
  resultKey,
  subjectPk,
} from '../keys';
import { linkReader } from '../links/link-store';
import { evidenceUpdate } from '../lists/entry-items';
import { listReader } from '../lists/list-store';
import { toScreening } from '../screening/screening-reader';
import { batchGet } from '../sdk/batch-get';
import { falseIfRefused, reach, type Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { atOnce, type ReadPace } from '../sdk/read-pace';
import { deleteItem, getItem, isAccepted, queryPage, queryPrefix, updateItem } from '../sdk/table-calls';
import { transact } from '../sdk/transact';
import { entityEraser } from './erase-entity';
import { evidenceUntilMs } from './erasure-store';
import { countedOf, lookupOf, namesOf, type Pointer, pointerOf, traceFinder } from './find-traces';

type Item = Record<string, unknown>;

/** The client of Amazon Fraud Detector names its event before the screening is stored; no screening takes as long. */
const CLAIM_MS = 5 * 60_000;
/** A replay does not count by erasure. */
const REPLAYED = '';
const WIRE = { removeUndefinedValues: true };
/** Screenings of a person that are erased before another account has its turn. */
const HISTORY_PAGE = 25;
/** So many erased screenings are remembered; what leads to the others is found once it is older than a screening takes. */
const MOST_ERASED = 100_000;
/** DynamoDB takes at most this many keys per call. */
const MOST_KEYS = 100;

/** Evidence of fraud stays of devices and cards, which somebody holds; an address or an email is only typed or passed on. */
export const mayBeEvidence = (entity: string): boolean =>
  kindOfKey(entity) === 'device' || entity.startsWith('attribute.card_fingerprint#');

/** Finds and erases what belongs to people. Everything may be repeated: what is gone stays gone. */
export function traceStore(table: Table, pace: ReadPace = atOnce) {
  /** The erasure of each screening that was erased here: what leads to one of them goes with it, however new it is. */
  const erasedBy = new Map<string, string>();

  const all = (pk: string, prefix?: string): Promise<Item[]> => queryPrefix(table, pk, prefix);
  const remove = ({ pk, sk }: Key): Promise<void> => deleteItem(table, { pk, sk });

  /** A result with its case, the entries of the case in lists and tallies, comments, audit entries and labels. */
  async function eraseSubject(accountId: string, ulid: string): Promise<void> {
    const items = await all(subjectPk(accountId, ulid));
    const stored = items.find(({ sk }) => sk === 'CASE');
    // A case that was removed meanwhile has left the tallies too.
    if (stored) await transact(table, removeCaseItems(accountId, toCase(stored)));
    const result = items.find(({ sk }) => sk === 'RESULT');
    if (result !== undefined) {
      const month = new Date(toScreening(result).screened_at_ms).toISOString().slice(0, 7);
      for (const { pk, sk } of await all(labelPk(accountId, month), `${ulid}#`)) await remove({ pk, sk } as Key);
    }
    // The result goes last: it is how a repeat finds the rest.
    const rest = items.filter(({ sk }) => sk !== 'CASE').sort((a) => (a.sk === 'RESULT' ? 1 : -1));
    for (const { pk, sk } of rest) await remove({ pk, sk } as Key);
  }

  async function shardsOf(accountId: string, entity: string): Promise<string[]> {
    const asked = {
      Keys: [{ ...entityKey(accountId, entity) }],
      ProjectionExpression: '#spread',
      ExpressionAttributeNames: { '#spread': NAME.spread },
      ConsistentRead: true,
    };
    const { Responses } = await reach(() =>
      table.client.send(new BatchGetCommand({ RequestItems: { [table.name]: asked } })),
    );
    const spread: unknown = Responses?.[table.name]?.[0]?.[NAME.spread];
    const { most } = (typeof spread === 'string' && spreadIn({ S: spread })) || { most: 0 };
    return Array.from({ length: most }, (_, shard) => entityShard(entity, shard));
  }

  /** An entry of a list, which the list counts; one of a block list stays without its value, if evidence does. */
  async function eraseListEntry(accountId: string, { pk, sk }: Key, nowMs: number, untilMs?: number): Promise<void> {
    const item = await getItem(table, { pk, sk });
    if (typeof item?.list !== 'string') return;
    if (untilMs !== undefined && untilMs > nowMs) {
      const list = (await listReader(table).all(accountId)).find(({ name }) => name === item.list);
      if (list?.effect === 'block') {
        await isAccepted(updateItem(table, { pk, sk }, evidenceUpdate(sk, item.expires_at_ms, untilMs)));
        return;
      }
    }
    await transact(table, [
      { Delete: { Key: { pk, sk }, ConditionExpression: 'attribute_exists(pk)' } },
      {
        Update: {
          Key: { ...listKey(accountId, item.list) },
          UpdateExpression: 'ADD entries :less, version :one',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':less': -1, ':one': 1 },
        },
      },
    ]);
  }

  /** Items as DynamoDB sends them: counters of a profile have up to 38 digits. */
  async function read(keys: readonly Key[]): Promise<Record<string, AttributeValue>[]> {
    const items: Record<string, AttributeValue>[] = [];
    for (let at = 0; at < keys.length; at += MOST_KEYS) {
      const Keys = keys.slice(at, at + MOST_KEYS).map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
      const command = new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys, ConsistentRead: true } } });
      const { Responses, UnprocessedKeys: left = {} } = await reach(() => table.client.send(command));
      // The next run reads them.
      if (Object.keys(left).length > 0) throw unavailable(new Error('DynamoDB had no time for all items'));
      items.push(...(Responses?.[table.name] ?? []));
    }
    return items;
  }

  /** The screenings of a user, oldest first. The index is milliseconds behind the table. */
  async function history(accountId: string, user: string, position: string | undefined) {
    const { Items: items = [], LastEvaluatedKey: next } = await queryPage(table, {
      IndexName: HISTORY_INDEX,
      KeyConditionExpression: 'history_pk = :pk',
      ExpressionAttributeValues: { ':pk': historyPk(accountId, pseudonymOf({ key: user })) },
      ConsistentRead: false,
      Limit: HISTORY_PAGE,
      ...(position === undefined ? {} : { ExclusiveStartKey: JSON.parse(position) as Item }),
    });
    return {
      ulids: items.map(({ ulid }) => ulid as string),
      next: next === undefined ? undefined : JSON.stringify(next),
    };
  }

  async function scan(position: string | undefined, ConsistentRead = true) {
    const start =
      position === undefined ? {} : { ExclusiveStartKey: JSON.parse(position) as Record<string, AttributeValue> };
    const asked = { TableName: table.name, ConsistentRead, ReturnConsumedCapacity: 'TOTAL', ...start } as const;
    const page = await reach(() => table.client.send(new ScanCommand(asked)));
    const { Items: items = [], LastEvaluatedKey: next, ConsumedCapacity: consumed } = page;
    await pace(consumed?.CapacityUnits ?? 0);
    return { items, next: next === undefined ? undefined : JSON.stringify(next) };
  }

  /**
   * Items that belong to people, and those that lead to their screenings. A screening that such an item leads to in vain was
   * erased, or has expired: then the item goes too, under the erasure that `orphans` names for its account.
   */
  async function find(
    items: readonly Record<string, AttributeValue>[],
    finder: ReturnType<typeof traceFinder>,
    orphans: (accountId: string) => string | undefined,
    nowMs: number,
  ): Promise<Trace[]> {
    const wired = items as readonly Parameters<typeof finder>[0][];
    const traces = wired.flatMap((item) => finder(item) ?? []);
    const pointers = wired.flatMap((item) => pointerOf(item) ?? []);
    const subjectKeys = ({ account_id, ulid }: Pointer): Key[] => [
      resultKey(account_id, ulid),
      keptKey(account_id, ulid),
    ];
    const found = await batchGet(table, pointers.flatMap(subjectKeys));
    for (const { ulid, ...pointer } of pointers) {
      const subjects = subjectKeys({ ulid, ...pointer }).flatMap((key) => found(key) ?? []);
      const isOrphan =
        subjects.length === 0 && ulidTimeMs(ulid) < nowMs - (pointer.kind === 'client_event' ? CLAIM_MS : 0);
      const erasedWith = erasedBy.get(subjectPk(pointer.account_id, ulid));
      const owned = subjects.flatMap((item) => finder(marshall(item, WIRE) as Parameters<typeof finder>[0]) ?? []);
      const erasure_id = erasedWith ?? (isOrphan ? orphans(pointer.account_id) : owned[0]?.erasure_id);
      if (erasure_id !== undefined) traces.push({ erasure_id, ...pointer, entities: [] });
    }
    // A counter by a device or an attribute goes when that has gone, or nothing is left of it but evidence.
    const counted = wired.flatMap((item) => countedOf(item) ?? []);
    const asked = counted.filter(({ account_id }) => orphans(account_id) !== undefined);
    const homeOf = ({ account_id, owner }: (typeof asked)[number]): Key => entityKey(account_id, owner);
    const homes = await read([...new Map(asked.map((each) => [homeOf(each).pk, homeOf(each)])).values()]);
    const present = new Set(homes.filter((home) => !isEvidence(home)).map(({ pk }) => pk?.S));
    for (const each of asked) {
      if (present.has(homeOf(each).pk)) continue;
      const { account_id, key } = each;
      traces.push({ erasure_id: orphans(account_id) ?? '', kind: 'counter', account_id, key, entities: [] });
    }
    return traces;
  }

  return {
    /**
     * Everything that keys lead to: the profile, entries on lists, and the screenings of the history with what is kept of them and
     * their references. Links and cases follow from these.
     */
    async ofPerson(
      person: ErasedPerson,
      pseudonyms: Pseudonyms,
      position: string | undefined,
      nowMs: number,
    ): Promise<TracePage> {
      const { account_id: accountId } = person;
      const names = namesOf(person, pseudonyms);
      const { ulids, next } = await history(accountId, names.at(-1) ?? '', position);
      const own: Key[] = ulids.flatMap((ulid) => [resultKey(accountId, ulid), keptKey(accountId, ulid)]);
      if (position === undefined) {
        const lists = await all(listsPk(accountId), LIST_SK);
        for (const name of names) {
          own.push(entityKey(accountId, name));
          for (const { number } of lists) own.push(listEntryKey(accountId, number as number, name));
        }
      }
      const items = await read(own);
      const references = items.flatMap((item) => item.references?.L?.flatMap(({ S }) => S ?? []) ?? []);
      items.push(...(await read([...new Set(references)].map((name) => referenceKey(accountId, name)))));
      const finder = traceFinder(lookupOf([person], pseudonyms), pseudonyms, nowMs);
      const traces = await find(items, finder, () => undefined, nowMs);
      // Results go last: they are how a repeat finds the rest.
      const isResult = ({ kind }: Trace): number => Number(kind === 'result');
      return { traces: traces.sort((a, b) => isResult(a) - isResult(b)), count: items.length, next };
    },

    async page(
      people: readonly ErasedPerson[],
      pseudonyms: Pseudonyms,
      position: string | undefined,
      nowMs: number,
    ): Promise<TracePage> {
      const { items, next } = await scan(position, !mayReadAnyCopy(people, nowMs));
      const finder = traceFinder(lookupOf(people, pseudonyms), pseudonyms, nowMs);
      const anyOf = (accountId: string) => people.find(({ account_id }) => account_id === accountId)?.erasure_id;
      return { traces: await find(items, finder, anyOf, nowMs), count: items.length, next };
    },

    async *pages(lookup: Parameters<typeof traceFinder>[0], pseudonyms: Pseudonyms, nowMs: number) {
      const finder = traceFinder(lookup, pseudonyms, nowMs);
      for (let position: string | undefined, isFirst = true; isFirst || position !== undefined; isFirst = false) {
        const { items, next }: Awaited<ReturnType<typeof scan>> = await scan(position);
        yield await find(items, finder, () => REPLAYED, nowMs);
        position = next;
      }
    },

    async *remembered() {
      for (let position: string | undefined, isFirst = true; isFirst || position !== undefined; isFirst = false) {
        const { items, next }: Awaited<ReturnType<typeof scan>> = await scan(position);
        for (const { entity, status, mark, erasure_id, account_id, requested_at, evidence_until } of items) {
          if (entity?.S !== 'erasure' || status?.S !== 'completed') continue;
          yield {
            erasure_id: erasure_id?.S ?? '',
            account_id: account_id?.S ?? '',
            mark: mark?.S ?? '',
            requested_at_ms: Date.parse(requested_at?.S ?? ''),
            evidence_until_ms: evidenceUntilMs(evidence_until?.S),
          };
        }
        position = next;
      }
    },

    async erase({ kind, account_id, ulid, key, erasure_id, evidence_until_ms }: Trace, nowMs: number): Promise<void> {
      if (kind === 'result' && ulid !== undefined) {
        await eraseSubject(account_id, ulid);
        if (erasedBy.size >= MOST_ERASED) erasedBy.clear();
        erasedBy.set(subjectPk(account_id, ulid), erasure_id);
      } else if (kind === 'list_entry') await eraseListEntry(account_id, key, nowMs, evidence_until_ms);
      else if (kind === 'profile') await entityEraser(table).erase(key, nowMs, evidence_until_ms);
      else await remove(key);
    },

    /** Erases that somebody was seen with an entity, unless that came after they asked; whether it did. */
    async eraseLink({ account_id, user, requested_at_ms }: ErasedPerson, entity: string): Promise<boolean> {
      const command = new DeleteCommand({
        TableName: table.name,
        Key: { ...linkKey(account_id, entity, pseudonymOf({ key: user })) },
        ConditionExpression: 'attribute_not_exists(pk) OR since_ms <= :requested',
        ExpressionAttributeValues: { ':requested': requested_at_ms },
        ReturnValues: 'ALL_OLD',
      });
      const erased = reach(() => table.client.send(command)).then(({ Attributes }) => Attributes !== undefined);
      return await erased.catch(falseIfRefused);
    },

    /** Erases an entity if nobody but the person who leaves was seen with it; whether it did. Evidence of fraud may stay. */
    async eraseIfAlone(accountId: string, entity: string, nowMs: number, leaving?: Leaving): Promise<boolean> {
      const untilMs = mayBeEvidence(entity) ? leaving?.evidence_until_ms : undefined;
      const links = linkReader(table);
      const own = leaving?.user && pseudonymOf({ key: leaving.user });
      const isOthers = (link: EntityLink) => link.user !== own || link.since_ms > (leaving?.requested_at_ms ?? 0);
      if ((await links.usersOf(accountId, entity, 2)).some(isOthers)) return false;
      const profile = (await links.profiles(accountId, [entity], nowMs)).get(entity);
      if (profile === undefined || (profile.distinct.users ?? 0) > 1) return false;
      for (const { number } of await all(listsPk(accountId), LIST_SK)) {
        await eraseListEntry(accountId, listEntryKey(accountId, number as number, entity), nowMs, untilMs);
      }
      for (const shard of await shardsOf(accountId, entity)) await remove(entityKey(accountId, shard));
      // The entity goes last: it says how many shards there are.
      return await entityEraser(table).erase(entityKey(accountId, entity), nowMs, untilMs);
    },
  };
}
