import { kindOfKey, pseudonymOf } from '../../../shared/domain/entities/entity-ref';
import type { EntityLink } from '../../../shared/domain/entities/seen-with';
import type { ListDefinition } from '../../../shared/domain/lists/list-definition';
import type { ErasedPerson, Trace } from '../../../shared/domain/personal-data/erasure';
import { newUlid } from '../../../shared/runtime/ids';
import { evidenceChange, isEvidence } from '../../../shared/store/entities/fraud-evidence';
import { mayBeEvidence } from '../../../shared/store/personal-data/trace-store';
import { plainItem } from '../../../shared/store/sdk/attribute-value';
import type { RequestErasureDeps } from '../../../shared/usecases/personal-data/request-erasure';
import type { RunErasuresDeps } from '../../../shared/usecases/personal-data/run-erasures';
import type { MemoryCases } from './memory-cases';
import type { MemoryDesk } from './memory-desk';
import type { EntitiesByAccount } from './memory-entities';
import type { MemoryKept } from './memory-kept';
import type { MemoryLabels } from './memory-labels';
import type { MemoryLinks } from './memory-links';
import type { ListsPort } from './memory-lists';
import type { MemoryOutcomes } from './memory-outcomes';
import type { MemoryReferences } from './memory-references';
import type { MemoryScreenings } from './memory-screenings';

/** People's data, as an erasure finds and erases it. */
export type TracesPort = RunErasuresDeps['traces'] & RequestErasureDeps['traces'];

interface Parts {
  readonly cases: MemoryCases;
  readonly desk: MemoryDesk;
  readonly entities: EntitiesByAccount;
  readonly keptSubjects: MemoryKept;
  readonly labels: MemoryLabels;
  readonly links: MemoryLinks;
  readonly outcomes: MemoryOutcomes;
  readonly references: MemoryReferences;
  readonly screenings: MemoryScreenings;
}

const isUser = (key: string): boolean => kindOfKey(key) === 'user';

/** Finds and erases traces in memory, where everything is one page. */
export function memoryTraces(parts: Parts, { lists, listEntries }: ListsPort): TracesPort {
  const { cases, desk, entities, keptSubjects, labels, links, outcomes, references, screenings } = parts;

  async function tracesOf(person: ErasedPerson, nowMs: number): Promise<Trace[]> {
    const { account_id, erasure_id, user, requested_at_ms, evidence_until_ms } = person;
    const traces: Trace[] = [];
    const add = (atMs: number, trace: Pick<Trace, 'kind' | 'key'> & Partial<Trace>): void => {
      if (atMs <= requested_at_ms) traces.push({ erasure_id, account_id, entities: [], evidence_until_ms, ...trace });
    };
    for (const { ulid, entities: keys, screened_at_ms } of screenings.ofAccount(account_id)) {
      if (keys.find(isUser) !== user) continue;
      const others = keys.filter((key) => !isUser(key));
      add(screened_at_ms, { kind: 'result', key: { pk: ulid, sk: 'RESULT' }, ulid, entities: others });
      for (const name of references.leadingTo(account_id, ulid))
        add(screened_at_ms, { kind: 'reference', key: { pk: name, sk: 'REFERENCE' } });
    }
    for (const { entity, user: pseudonym, since_ms } of links.ofAccount(account_id)) {
      const key = { pk: entity, sk: pseudonym };
      if (`user#${pseudonym}` === user) add(since_ms, { kind: 'link', key, entities: [entity] });
    }
    const profile = (await links.profiles(account_id, [user], nowMs)).get(user);
    const isKept = async (list: ListDefinition) =>
      evidence_until_ms !== undefined &&
      (await listEntries.find(account_id, list, user))?.value === pseudonymOf({ key: user });
    const held = entities.of(account_id).item(user, nowMs);
    const isErased = evidence_until_ms !== undefined && held && isEvidence(plainItem(held));
    if (profile && !isErased) add(profile.last_seen_ms ?? 0, { kind: 'profile', key: { pk: user, sk: 'ENTITY' } });
    for (const list of await lists.all(account_id)) {
      const { number } = list;
      const { untilMs } = await listEntries.entriesOf(account_id, number);
      if (untilMs.has(user) && !(await isKept(list)))
        add(0, { kind: 'list_entry', key: { pk: String(number), sk: user } });
    }
    return traces;
  }

  async function unlist(accountId: string, entity: string, untilMs: number | undefined): Promise<void> {
    const author = { ulid: newUlid(0), by: 'erasure', nowMs: 0 };
    for (const list of await lists.all(accountId)) {
      const held = await listEntries.find(accountId, list, entity);
      if (held && untilMs !== undefined && list.effect === 'block') {
        const ref = { kind: kindOfKey(entity), name: kindOfKey(entity), key: entity };
        const end = Math.min(untilMs, held.expires_at === null ? untilMs : Date.parse(held.expires_at));
        const entry = { ref, value: pseudonymOf(ref), reason: null, expires_at_ms: end };
        await listEntries.put(accountId, list, { entries: [entry], author, isLast: true });
      } else await listEntries.remove(accountId, list, [entity], { author });
    }
  }

  async function eraseEntity(accountId: string, entity: string, nowMs: number, untilMs: number | undefined) {
    const held = entities.of(accountId);
    const item = untilMs === undefined ? undefined : held.item(entity, nowMs);
    if (untilMs !== undefined && item !== undefined) {
      if (isEvidence(plainItem(item))) return false;
      const blocking = new Set(
        (await lists.all(accountId)).filter(({ effect }) => effect === 'block').map(({ number }) => number),
      );
      const change = evidenceChange(plainItem(item), { untilMs, blocking }, nowMs);
      if (change) return held.flag(entity, change, nowMs);
    }
    held.erase(entity);
    return true;
  }

  return {
    async ofPerson(person, _pseudonyms, _position, nowMs) {
      const traces = (await tracesOf(person, nowMs)).filter(({ kind }) => kind !== 'link');
      return { traces, count: traces.length, next: undefined };
    },
    async page(people, _pseudonyms, _position, nowMs) {
      const traces = (await Promise.all(people.map((person) => tracesOf(person, nowMs)))).flat();
      return { traces, count: traces.length, next: undefined };
    },
    async erase({ kind, account_id: accountId, ulid, key, evidence_until_ms }: Trace, nowMs: number) {
      if (kind === 'result' && ulid !== undefined) {
        const record = screenings.get(accountId, ulid);
        if (record) labels.remove(accountId, record);
        for (const store of [screenings, cases, desk, keptSubjects, outcomes]) store.remove(accountId, ulid);
      } else if (kind === 'link') {
        links.remove({ account_id: accountId, entity: key.pk, user: key.sk });
      } else if (kind === 'reference') references.remove(accountId, key.pk);
      else if (kind === 'list_entry') await unlist(accountId, key.sk, evidence_until_ms);
      else await eraseEntity(accountId, key.pk, nowMs, evidence_until_ms);
    },
    async eraseLink({ account_id, user, requested_at_ms }, entity) {
      const isTheirs = (link: EntityLink) =>
        link.entity === entity && `user#${link.user}` === user && link.since_ms <= requested_at_ms;
      const found = links.ofAccount(account_id).filter((link) => isTheirs({ ...link, account_id }));
      for (const link of found) links.remove({ ...link, account_id });
      return found.length > 0;
    },
    async eraseProfile(accountId, user, nowMs, untilMs) {
      await eraseEntity(accountId, user, nowMs, untilMs);
    },
    async eraseIfAlone(accountId, entity, nowMs, leaving) {
      const untilMs = mayBeEvidence(entity) ? leaving?.evidence_until_ms : undefined;
      const isOthers = ({ user, since_ms }: EntityLink) =>
        `user#${user}` !== leaving?.user || since_ms > (leaving.requested_at_ms ?? 0);
      if ((await links.usersOf(accountId, entity, 2)).some(isOthers)) return false;
      const profile = (await links.profiles(accountId, [entity], nowMs)).get(entity);
      if (profile === undefined || (profile.distinct.users ?? 0) > 1) return false;
      await unlist(accountId, entity, untilMs);
      return eraseEntity(accountId, entity, nowMs, untilMs);
    },
  };
}
