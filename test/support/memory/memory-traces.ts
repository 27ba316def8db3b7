import { kindOfKey } from '../../../shared/domain/entities/entity-ref';
import type { EntityLink } from '../../../shared/domain/entities/seen-with';
import type { ErasedPerson, Trace } from '../../../shared/domain/personal-data/erasure';
import { newUlid } from '../../../shared/runtime/ids';
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

/** What belongs to people, as an erasure finds and erases it. */
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
    const { account_id, erasure_id, user, requested_at_ms } = person;
    const traces: Trace[] = [];
    const add = (atMs: number, trace: Pick<Trace, 'kind' | 'key'> & Partial<Trace>): void => {
      if (atMs <= requested_at_ms) traces.push({ erasure_id, account_id, entities: [], ...trace });
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
    if (profile) add(profile.last_seen_ms ?? 0, { kind: 'profile', key: { pk: user, sk: 'ENTITY' } });
    for (const { number } of await lists.all(account_id)) {
      const { untilMs } = await listEntries.entriesOf(account_id, number);
      if (untilMs.has(user)) add(0, { kind: 'list_entry', key: { pk: String(number), sk: user } });
    }
    return traces;
  }

  async function unlist(accountId: string, entity: string): Promise<void> {
    const author = { ulid: newUlid(0), by: 'erasure', nowMs: 0 };
    for (const list of await lists.all(accountId)) await listEntries.remove(accountId, list, [entity], { author });
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
    async erase({ kind, account_id: accountId, ulid, key }: Trace) {
      if (kind === 'result' && ulid !== undefined) {
        const record = screenings.get(accountId, ulid);
        if (record) labels.remove(accountId, record);
        for (const store of [screenings, cases, desk, keptSubjects, outcomes]) store.remove(accountId, ulid);
      } else if (kind === 'link') {
        links.remove({ account_id: accountId, entity: key.pk, user: key.sk });
      } else if (kind === 'reference') references.remove(accountId, key.pk);
      else if (kind === 'list_entry') await unlist(accountId, key.sk);
      else entities.of(accountId).erase(key.pk);
    },
    async eraseLink({ account_id, user, requested_at_ms }, entity) {
      const isTheirs = (link: EntityLink) =>
        link.entity === entity && `user#${link.user}` === user && link.since_ms <= requested_at_ms;
      const found = links.ofAccount(account_id).filter((link) => isTheirs({ ...link, account_id }));
      for (const link of found) links.remove({ ...link, account_id });
      return found.length > 0;
    },
    eraseProfile: async (accountId, user) => entities.of(accountId).erase(user),
    async eraseIfAlone(accountId, entity, nowMs, leaving) {
      const isOthers = ({ user, since_ms }: EntityLink) =>
        `user#${user}` !== leaving?.user || since_ms > leaving.requested_at_ms;
      if ((await links.usersOf(accountId, entity, 2)).some(isOthers)) return false;
      const profile = (await links.profiles(accountId, [entity], nowMs)).get(entity);
      if (profile === undefined || (profile.distinct.users ?? 0) > 1) return false;
      await unlist(accountId, entity);
      entities.of(accountId).erase(entity);
      return true;
    },
  };
}
