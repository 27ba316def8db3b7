import { outcomeChange } from '../../../shared/domain/cases/outcome';
import type { Attempt, EntityProfile } from '../../../shared/domain/entities/entity-history';
import { type EntityRef, entityNames, kindOfKey, pseudonymOf } from '../../../shared/domain/entities/entity-ref';
import type { ListDefinition } from '../../../shared/domain/lists/list-definition';
import { nameEntry } from '../../../shared/domain/lists/list-entry';
import type { ErasedPerson, Erasure } from '../../../shared/domain/personal-data/erasure';
import { newUlid } from '../../../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { readProfile } from '../../../shared/store/entities/entity-store';
import type { CasesPort } from '../memory/memory-cases';
import type { DeskPort } from '../memory/memory-desk';
import type { EntitiesPort } from '../memory/memory-entities';
import type { ErasuresPort } from '../memory/memory-erasures';
import type { LinksPort } from '../memory/memory-links';
import type { ListsPort } from '../memory/memory-lists';
import type { OutcomesPort } from '../memory/memory-outcomes';
import type { OutsidePort } from '../memory/memory-outside-outcomes';
import type { ScreeningsPort } from '../memory/memory-screenings';
import type { TracesPort } from '../memory/memory-traces';
import { openCase, screened } from '../webhooks/changes';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

/** Erasures, and everything that holds data of a person. */
export interface ErasuresWorld extends ListsPort {
  readonly erasures: ErasuresPort;
  readonly traces: TracesPort;
  readonly cases: CasesPort;
  readonly desk: DeskPort;
  readonly entities: EntitiesPort;
  readonly links: LinksPort;
  readonly outcomes: OutcomesPort;
  readonly outsideOutcomes: OutsidePort;
  readonly screenings: ScreeningsPort;
}

const MINUTE = 60_000;
const ASKED_MS = START_MS + 10 * MINUTE;

const withoutLabels = ({ labels: _, recent_labels: _r, last_label: _l, fraud_since_ms: _s, ...rest }: EntityProfile) =>
  rest;

/** Tests that every store of erasures must pass. `makePort` gives each test its own: a walk goes through all accounts. */
export function describeErasuresConformance(name: string, makePort: MakePort<ErasuresWorld>): void {
  describe(`erasures in ${name}`, () => {
    let world: ErasuresWorld;
    let account: string;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
    });
    const keyOf = (user: string): string => entityNames(account, PUBLIC_PSEUDONYMS).user(user).key;
    async function ask(user: string, atMs = ASKED_MS, evidence_until_ms?: number): Promise<ErasedPerson> {
      const erasure: Erasure = {
        erasure_id: `era_${newUlid(atMs)}`,
        account_id: account,
        status: 'pending',
        requested_at: new Date(atMs).toISOString(),
        requested_by: 'ana',
        completed_at: null,
        evidence_until: evidence_until_ms === undefined ? null : new Date(evidence_until_ms).toISOString(),
        looked_at: 0,
        erased: {},
      };
      await world.erasures.insert(erasure, keyOf(user));
      const { erasure_id, account_id } = erasure;
      return { erasure_id, account_id, user: keyOf(user), requested_at_ms: atMs, evidence_until_ms };
    }

    it('keeps who is waiting, oldest first, until it is completed, and then names nobody', async () => {
      const [second, first] = [await ask('bob', ASKED_MS + MINUTE, ASKED_MS + 2 * MINUTE), await ask('ann')];
      expect(await world.erasures.pending()).toEqual([first, second]);
      await world.erasures.complete(first, 0, new Date(ASKED_MS + MINUTE).toISOString());
      expect(await world.erasures.pending()).toEqual([second]);
      expect(await world.erasures.find(account, first.erasure_id)).toEqual({
        ...{ erasure_id: first.erasure_id, account_id: account, status: 'completed', requested_by: 'ana' },
        requested_at: new Date(ASKED_MS).toISOString(),
        completed_at: new Date(ASKED_MS + MINUTE).toISOString(),
        ...{ evidence_until: null, looked_at: 0, erased: {} },
      });
      expect(await world.erasures.find(freshAccount(), first.erasure_id)).toBeUndefined();
    });

    it('adds up progress', async () => {
      const person = await ask('ann');
      await world.erasures.progress(person, 7, { result: 2 });
      await world.erasures.progress(person, 3, { result: 1, link: 4 });
      await world.erasures.progress(person, 1, {});
      await world.erasures.complete(person, 100, new Date(ASKED_MS).toISOString());
      const progress = { looked_at: 111, erased: { result: 3, link: 4 } };
      expect(await world.erasures.find(account, person.erasure_id)).toMatchObject(progress);
    });

    it('keeps where a walk is, and who is in it', async () => {
      expect(await world.erasures.walk()).toBeUndefined();
      const walk = { begun_at: '2026-03-20', position: undefined, looked_at: 0, used_until_ms: ASKED_MS };
      await world.erasures.saveWalk(walk);
      expect(await world.erasures.walk()).toEqual(walk);
      await world.erasures.saveWalk({ ...walk, position: 'next' });
      expect(await world.erasures.walk()).toEqual({ ...walk, position: 'next' });
      const [ann, bob] = [await ask('ann'), await ask('bob', ASKED_MS + MINUTE)];
      await world.erasures.join(ann, walk.begun_at);
      expect(await world.erasures.pending()).toEqual([{ ...ann, walk: walk.begun_at }, bob]);
    });

    it('keeps an erasure that was done when it was asked for, and leaves it to nobody', async () => {
      const requested_at = new Date(ASKED_MS).toISOString();
      const done: Erasure = {
        ...{ erasure_id: `era_${newUlid(ASKED_MS)}`, account_id: account, requested_by: 'ana', requested_at },
        ...{ status: 'completed', completed_at: requested_at, evidence_until: requested_at, looked_at: 0, erased: {} },
      };
      await world.erasures.insert(done, keyOf('nobody'));
      expect(await world.erasures.find(account, done.erasure_id)).toEqual(done);
      expect(await world.erasures.pending()).toEqual([]);
    });

    it('counts what an account asks for, up to the limit of a day, also at once', async () => {
      const count = (of: string, atMs: number) => world.erasures.count(of, atMs, 10);
      const asked = await Promise.all(Array.from({ length: 13 }, () => count(account, ASKED_MS)));
      expect(asked.filter((isCounted) => !isCounted)).toHaveLength(3);
      expect(await count(account, ASKED_MS)).toBe(false);
      expect(await count(account, ASKED_MS + 1440 * MINUTE)).toBe(true);
      expect(await count(freshAccount(), ASKED_MS)).toBe(true);
    });

    /** A person of whom everything is held: a profile, a payment under review, a link, and an entry on a list. */
    async function live(user_id: string, device: string, atMs: number) {
      const names = entityNames(account, PUBLIC_PSEUDONYMS);
      const [user, phone] = [names.user(user_id), names.device(device)];
      if (!phone) throw new Error('a device has a name');
      const ulid = newUlid(atMs);
      const attempt: Attempt = {
        ...{ attempt_id: `txn_${ulid}`, at_ms: atMs, action: 'transaction', outcome: 'succeeded' },
        ...{ user_id, device, amount: 5, currency: 'EUR', amount_usd: 5 },
      };
      for (const ref of [user, phone]) await world.entities.recordAttempt(account, ref, attempt, PATIENT_MS);
      const record = screened(atMs, {
        ...{ ulid, user_id, entities: [user.key, phone.key], automated_decision: 'review' },
        ...{ references: [`order-of-${user_id}`], kept_until_ms: atMs + 180 * 1440 * MINUTE },
      });
      const reviewCase = openCase(atMs, { ulid, user_id });
      await world.screenings.insertWithCase(account, record, reviewCase, PATIENT_MS);
      await world.links.put({ account_id: account, entity: phone.key, user: pseudonymOf(user), since_ms: atMs });
      return { ulid, user: user.key, phone: phone.key };
    }
    async function list(
      value: string,
      { name = 'vips', type = 'user_id', effect = 'none' }: Partial<ListDefinition> = {},
    ): Promise<ListDefinition> {
      const at = new Date(START_MS).toISOString();
      const made = { name, type, effect, note: null, entries: 0 };
      const author = { ulid: newUlid(START_MS), by: 'ana', nowMs: START_MS };
      const created = await world.lists.create(account, { ...made, created_at: at, updated_at: at }, author);
      if (typeof created === 'string') throw new Error(created);
      const entry = nameEntry(entityNames(account, PUBLIC_PSEUDONYMS), type, { value, reason: 'why' }, START_MS);
      if ('fault' in entry) throw new Error(entry.fault);
      await world.listEntries.put(account, created, { entries: [entry], author, isLast: true });
      return created;
    }
    async function erase(person: ErasedPerson): Promise<string[]> {
      const kinds: string[] = [];
      for (let position: string | undefined, isFirst = true; isFirst || position !== undefined; isFirst = false) {
        const { traces, next } = await world.traces.page([person], PUBLIC_PSEUDONYMS, position, ASKED_MS);
        for (const trace of traces) {
          await world.traces.erase(trace, ASKED_MS);
          kinds.push(trace.kind);
        }
        position = next;
      }
      return kinds;
    }

    it('erases a link that came after the walk, but none that came after they asked', async () => {
      const { user, phone } = await live('ann', 'phone', START_MS);
      const bob = await live('bob', 'phone', START_MS);
      const person = await ask('ann');
      const left = async () => (await world.links.usersOf(account, phone, 10)).map((link) => link.user);
      const bobs = bob.user.slice('user#'.length);
      expect(await world.traces.eraseLink(person, phone)).toBe(true);
      expect(await left()).toEqual([bobs]);
      expect(await world.traces.eraseLink(person, phone)).toBe(false);
      const returned = { account_id: account, entity: phone, user: user.slice('user#'.length), since_ms: ASKED_MS + 1 };
      await world.links.put(returned);
      await world.traces.eraseLink(person, phone);
      expect((await left()).sort()).toEqual([returned.user, bobs].sort());
    });

    it('finds and erases everything of a person, and nothing of anybody else', async () => {
      const ann = await live('ann', 'phone', START_MS);
      const bob = await live('bob', 'phone', START_MS + MINUTE);
      await list('ann');
      const person = await ask('ann');
      expect(await erase(person)).toEqual(
        expect.arrayContaining(['profile', 'result', 'link', 'list_entry', 'reference']),
      );
      expect(await world.screenings.find(account, ann.ulid)).toBeUndefined();
      expect(await world.cases.find(account, ann.ulid)).toBeUndefined();
      expect((await world.desk.history(account, ann.ulid)).reviewCase).toBeUndefined();
      expect(await world.entities.profile(account, 'user', ann.user, ASKED_MS)).toBeUndefined();
      expect((await world.links.entitiesOf(account, ann.user.slice('user#'.length), 10)).since.size).toBe(0);
      expect((await world.lists.find(account, 'vips'))?.entries).toBe(0);
      const order = async (of: string) =>
        (await world.outsideOutcomes.reference(account, `order-of-${of}`, ASKED_MS))?.ulid;
      expect([await order('ann'), await order('bob')]).toEqual([undefined, bob.ulid]);
      const day = { fromMs: START_MS, toMs: START_MS + 60 * MINUTE, classes: ['unresolved'] } as const;
      expect((await world.cases.newest(account, day, 10)).map(({ ulid }) => ulid)).toEqual([bob.ulid]);
      const counted = [...(await world.cases.hours(account, START_MS, START_MS)).values()];
      expect(counted.reduce((sum, { unresolved }) => sum + unresolved, 0)).toBe(1);
      expect((await world.screenings.find(account, bob.ulid))?.user_id).toBe('bob');
      expect(await world.links.usersOf(account, bob.phone, 10)).toHaveLength(1);
      // A second walk finds nothing.
      expect(await erase(person)).toEqual([]);
    });

    it('finds by keys what the history, lists and references lead to, in pages', async () => {
      for (let payment = 0; payment < 26; payment++) await live('ann', 'phone', START_MS + payment);
      const bob = await live('bob', 'tablet', START_MS);
      await list('ann');
      const person = await ask('ann');
      const kinds: Record<string, number> = {};
      let position: string | undefined;
      do {
        const { traces, next } = await world.traces.ofPerson(person, PUBLIC_PSEUDONYMS, position, ASKED_MS);
        for (const trace of traces) {
          await world.traces.erase(trace, ASKED_MS);
          kinds[trace.kind] = (kinds[trace.kind] ?? 0) + 1;
        }
        position = next;
      } while (position !== undefined);
      // All of them have one reference, which leads to the last.
      expect(kinds).toMatchObject({ profile: 1, result: 26, list_entry: 1, reference: 1 });
      expect(await erase(person)).toEqual(['link']);
      expect((await world.screenings.find(account, bob.ulid))?.user_id).toBe('bob');
      expect((await world.traces.ofPerson(person, PUBLIC_PSEUDONYMS, undefined, ASKED_MS)).traces).toEqual([]);
    });

    describe('of somebody with confirmed fraud, who is on a block list with their device', () => {
      const UNTIL_MS = ASKED_MS + 30 * 1440 * MINUTE;
      const author = { ulid: newUlid(ASKED_MS), by: 'ana', nowMs: ASKED_MS };

      async function fraudster() {
        const own = await live('ann', 'phone', START_MS);
        const state = await world.outcomes.findSubject(account, own.ulid);
        if (!state) throw new Error('it was stored');
        const reviewed_at = new Date(START_MS + MINUTE).toISOString();
        const review = { decision: 'block', analyst_id: 'ana', notes: null, reviewed_at } as const;
        const fraud = outcomeChange(state, review, { source: 'decision_review', keyId: 'key_1' }, START_MS + MINUTE);
        expect(await world.outcomes.save(account, fraud, START_MS + MINUTE)).toBe(true);
        const users = await list('ann', { name: 'blocked', effect: 'block' });
        const devices = await list('phone', { name: 'devices', type: 'device_fingerprint', effect: 'block' });
        await list('ann');
        return { ...own, users, devices };
      }
      async function eraseAll(person: ErasedPerson, phone: string) {
        await world.traces.eraseProfile(account, person.user, ASKED_MS, person.evidence_until_ms);
        expect(await world.traces.eraseIfAlone(account, phone, ASKED_MS, person)).toBe(true);
        await erase(person);
        // Neither is found again.
        expect(await erase(person)).toEqual([]);
        expect(await world.traces.eraseIfAlone(account, phone, ASKED_MS, person)).toBe(false);
      }
      const profiles = (...keys: string[]) => world.links.profiles(account, keys, ASKED_MS);
      const refOf = (key: string): EntityRef => ({ kind: kindOfKey(key), name: kindOfKey(key), key });

      it('keeps the fraud and the blocks by pseudonym, for a time, and nothing else', async () => {
        const { user, phone, users, devices } = await fraudster();
        await eraseAll(await ask('ann', ASKED_MS, UNTIL_MS), phone);
        const left = await profiles(user, phone);
        for (const key of [user, phone]) {
          const kept = left.get(key) as EntityProfile;
          const none = readProfile(kindOfKey(key), {}, ASKED_MS);
          expect([kept.labels, kept.last_label]).toEqual([{ fraud: 1, legitimate: 0 }, 'fraud']);
          expect(withoutLabels(kept)).toEqual(withoutLabels(none));
        }
        const flags = await world.listEntries.flags(account, [user, phone].map(refOf), PATIENT_MS);
        expect(flags.get(user)).toEqual([{ number: users.number, until_ms: UNTIL_MS }]);
        expect(flags.get(phone)).toEqual([{ number: devices.number, until_ms: UNTIL_MS }]);
        const expires_at = new Date(UNTIL_MS).toISOString();
        for (const [blocked, key] of [
          [users, user],
          [devices, phone],
        ] as const) {
          const value = pseudonymOf({ key });
          expect(await world.listEntries.find(account, blocked, key)).toMatchObject({
            value,
            reason: null,
            expires_at,
          });
        }
        expect((await world.lists.find(account, 'vips'))?.entries).toBe(0);
        expect(await world.screenings.find(account, user)).toBeUndefined();
        // An entry that is taken off, or has expired, leaves the fraud.
        expect(await world.listEntries.remove(account, users, [user], { author })).toBe(1);
        expect((await profiles(user)).get(user)?.labels.fraud).toBe(1);
      });

      it('erases these too if everything is to go, at once or later', async () => {
        const { user, phone, users, devices } = await fraudster();
        const later = await ask('ann', ASKED_MS, UNTIL_MS);
        await world.traces.eraseProfile(account, user, ASKED_MS, UNTIL_MS);
        await erase(later);
        await eraseAll(await ask('ann'), phone);
        expect((await profiles(user, phone)).size).toBe(0);
        expect(await world.listEntries.find(account, users, user)).toBeUndefined();
        expect(await world.listEntries.find(account, devices, phone)).toBeUndefined();
      });

      it('keeps nothing once its time is over', async () => {
        const { user } = await fraudster();
        await world.traces.eraseProfile(account, user, ASKED_MS, ASKED_MS);
        expect((await profiles(user)).size).toBe(0);
      });
    });

    it('leaves what came after the request', async () => {
      const later = await live('ann', 'phone', ASKED_MS + 1);
      expect(await erase(await ask('ann'))).toEqual([]);
      expect((await world.screenings.find(account, later.ulid))?.user_id).toBe('ann');
    });

    it('erases a profile at once', async () => {
      const { user } = await live('ann', 'phone', START_MS);
      await world.traces.eraseProfile(account, user, ASKED_MS, undefined);
      expect(await world.entities.profile(account, 'user', user, ASKED_MS)).toBeUndefined();
    });

    it('erases an entity only if nobody else was seen with it', async () => {
      const own = await live('ann', 'tablet', START_MS);
      const shared = await live('ann', 'phone', START_MS + MINUTE);
      await live('bob', 'phone', START_MS + 2 * MINUTE);
      const alone = (entity: string) => world.traces.eraseIfAlone(account, entity, ASKED_MS);
      // As long as her link is there, somebody was seen with it, unless she is the one who leaves.
      expect(await alone(own.phone)).toBe(false);
      const person = await ask('ann');
      const returned = { ...person, requested_at_ms: START_MS - 1 };
      expect(await world.traces.eraseIfAlone(account, own.phone, ASKED_MS, returned)).toBe(false);
      expect(await world.traces.eraseIfAlone(account, shared.phone, ASKED_MS, person)).toBe(false);
      await erase(person);
      expect([await alone(own.phone), await alone(shared.phone)]).toEqual([true, false]);
      expect([await alone(own.phone), await alone('device#1.unknown')]).toEqual([false, false]);
      const left = await world.links.profiles(account, [own.phone, shared.phone], ASKED_MS);
      expect([...left.keys()]).toEqual([shared.phone]);
    });
  });
}
