import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { ClaimTaken } from '../../../shared/domain/idempotency';
import {
  entryMark,
  type ListAuthor,
  type ListDefinition,
  type ListType,
  MAX_LISTS,
} from '../../../shared/domain/lists/list-definition';
import { type NamedEntry, nameEntry } from '../../../shared/domain/lists/list-entry';
import { newUlid } from '../../../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import type { AnswersPort } from '../memory/memory-answers';
import type { EntitiesPort } from '../memory/memory-entities';
import type { ListsPort } from '../memory/memory-lists';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

type World = ListsPort & { readonly entities: EntitiesPort; readonly answers: AnswersPort };

/** Lists, their entries, and what entities know of them. */
export function describeListsConformance(name: string, makePort: MakePort<World>): void {
  describe(`lists in ${name}`, () => {
    let world: World;
    let account: string;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
    });
    const by = (nowMs = START_MS): ListAuthor => ({ ulid: newUlid(nowMs), by: 'ana', nowMs });
    const create = async (listName: string, type: ListType = 'user_id', entries = 0): Promise<ListDefinition> => {
      const at = new Date(START_MS).toISOString();
      const made = {
        name: listName,
        type,
        effect: 'block',
        note: null,
        entries,
        created_at: at,
        updated_at: at,
      } as const;
      const list = await world.lists.create(account, made, by());
      if (typeof list === 'string') throw new Error(list);
      return list;
    };
    const entry = (list: ListDefinition, value: string, expires_at?: string): NamedEntry => {
      const named = nameEntry(
        entityNames(account, PUBLIC_PSEUDONYMS),
        list.type,
        { value, expires_at, reason: 'why' },
        START_MS,
      );
      if ('fault' in named) throw new Error(named.fault);
      return named;
    };
    const put = (list: ListDefinition, ...entries: NamedEntry[]) =>
      world.listEntries.put(account, list, { entries, author: by(), isLast: true });
    const count = async (list: ListDefinition) => (await world.lists.find(account, list.name))?.entries;
    const payment = (user: string, atMs: number): Attempt => ({
      attempt_id: `txn_${newUlid(atMs)}`,
      at_ms: atMs,
      action: 'transaction',
      outcome: 'succeeded',
      user_id: user,
    });
    const flagsOf = async (user: string, atMs = START_MS) => {
      const ref = entityNames(account, PUBLIC_PSEUDONYMS).user(user);
      return (await world.entities.recordAttempt(account, ref, payment(user, atMs), PATIENT_MS)).flags;
    };

    it('creates a list once, under a number of its own, and shows it to its account only', async () => {
      const list = await create('vips');
      expect(await world.lists.find(account, 'vips')).toEqual(list);
      expect(await world.lists.find(freshAccount(), 'vips')).toBeUndefined();
      expect(await world.lists.create(account, list, by())).toBe('exists');
      expect((await create('a-list')).number).not.toBe(list.number);
      expect((await world.lists.all(account)).map((each) => each.name)).toEqual(['a-list', 'vips']);
    });

    it('never has more lists than an account may have, however many are created at once', async () => {
      const at = new Date(START_MS).toISOString();
      const made = { type: 'user_id', effect: 'none', note: null, entries: 0, created_at: at, updated_at: at } as const;
      for (let i = 0; i < MAX_LISTS - 2; i++) await create(`l${i}`);
      const tries = Array.from({ length: 5 }, (_, i) => world.lists.create(account, { ...made, name: `x${i}` }, by()));
      expect((await Promise.all(tries)).filter((each) => each === 'full')).toHaveLength(3);
    });

    it('changes and deletes the list that was read, not one that took its name', async () => {
      const first = await create('vips');
      expect(await world.lists.change(account, { ...first, effect: 'allow', note: 'x' }, by())).toBe(true);
      expect(await world.lists.find(account, 'vips')).toMatchObject({ effect: 'allow', note: 'x', type: 'user_id' });
      expect(await world.lists.remove(account, first, by())).toBe(true);
      expect(await world.lists.remove(account, first, by())).toBe(false);
      await create('vips', 'email');
      expect(await world.lists.change(account, first, by())).toBe(false);
      expect(await put(first, entry(first, 'ann'))).toBe('gone');
      expect(await world.lists.find(account, 'vips')).toMatchObject({ type: 'email', entries: 0 });
    });

    it('counts entries exactly, also when the same ones are added at once', async () => {
      const list = await create('vips');
      const values = ['ann', 'bob', 'cleo'].map((value) => entry(list, value));
      const outcomes = await Promise.all([put(list, ...values), put(list, ...values), put(list, ...values.slice(1))]);
      const added = outcomes.map((each) => (typeof each === 'string' ? 0 : each.added));
      expect(added.reduce((sum, each) => sum + each, 0)).toBe(3);
      expect(await count(list)).toBe(3);
      const removed = await Promise.all(
        [1, 2].map(() => world.listEntries.remove(account, list, [values[0]?.ref.key ?? ''], { author: by() })),
      );
      expect(removed.sort()).toEqual([0, 1]);
      expect(await count(list)).toBe(2);
    });

    it('changes what is on a full list, and adds nothing to it', async () => {
      const list = await create('domains', 'email_domain', 4_998);
      const [one, two, three] = ['one.example', 'two.example', 'three.example'].map((value) => entry(list, value));
      if (!one || !two || !three) throw new Error('three entries');
      expect(await put(list, one, two)).toEqual({ added: 2, updated: 0 });
      expect(await put(list, two, one)).toEqual({ added: 0, updated: 2 });
      expect(await put(list, one, three)).toBe('full');
      expect(await world.listEntries.find(account, list, three.ref.key)).toBeUndefined();
      expect(await count(list)).toBe(5_000);
    });

    it('keeps when an entry was added, and shows what was sent last', async () => {
      const list = await create('emails', 'email');
      await put(list, entry(list, 'Ann.Lee+shop@gmail.com'));
      const later = { ...by(START_MS + 5), by: 'bob' };
      const again = entry(list, 'annlee@gmail.com', '2026-04-01T00:00:00Z');
      expect(await world.listEntries.put(account, list, { entries: [again], author: later, isLast: true })).toEqual({
        added: 0,
        updated: 1,
      });
      const shown = {
        value: 'annlee@gmail.com',
        expires_at: '2026-04-01T00:00:00.000Z',
        reason: 'why',
        added_at: new Date(START_MS).toISOString(),
        added_by: 'ana',
      };
      expect(await world.listEntries.find(account, list, again.ref.key)).toEqual(shown);
      expect(await world.listEntries.page(account, list, { limit: 5 })).toEqual({ entries: [shown], next: undefined });
    });

    it('pages through all entries, each once', async () => {
      const list = await create('vips');
      await put(list, ...['a', 'b', 'c', 'd', 'e'].map((value) => entry(list, value)));
      const values: string[] = [];
      let after: string | undefined;
      do {
        const page = await world.listEntries.page(account, list, { limit: 2, after });
        values.push(...page.entries.map(({ value }) => value));
        after = page.next;
      } while (after !== undefined);
      expect(values.sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    it('flags the entity of an entry, and leaves its history alone', async () => {
      const list = await create('vips');
      expect(await flagsOf('ann')).toEqual([]);
      await put(list, entry(list, 'ann'), entry(list, 'new', '2026-04-01T00:00:00Z'));
      expect(await flagsOf('ann', START_MS + 1)).toEqual([{ number: list.number }]);
      const ref = entityNames(account, PUBLIC_PSEUDONYMS).user('ann');
      const { history } = await world.entities.recordAttempt(account, ref, payment('ann', START_MS + 2), PATIENT_MS);
      expect([history.first_seen_ms, history.transactions.total]).toEqual([START_MS, 2]);
      // Only on a list: never seen.
      expect(
        await world.entities.profile(
          account,
          'user',
          entityNames(account, PUBLIC_PSEUDONYMS).user('new').key,
          START_MS,
        ),
      ).toBeUndefined();
      const other = await world.listEntries.flags(
        account,
        [entityNames(account, PUBLIC_PSEUDONYMS).user('new')],
        PATIENT_MS,
      );
      expect([...other.values()]).toEqual([[{ number: list.number, until_ms: Date.UTC(2026, 3, 1) }]]);
      expect(await flagsOf('new', START_MS + 3)).toHaveLength(1);
    });

    it('takes a flag off with its entry, and keeps those of other lists', async () => {
      const [one, two] = [await create('one'), await create('two')];
      const ann = entry(one, 'ann');
      await put(one, ann);
      await put(two, ann);
      await flagsOf('ann');
      await world.listEntries.remove(account, one, [ann.ref.key], { author: by() });
      expect(await flagsOf('ann', START_MS + 1)).toEqual([{ number: two.number }]);
      await world.listEntries.remove(account, two, [ann.ref.key], { author: by() });
      expect(await flagsOf('ann', START_MS + 2)).toEqual([]);
    });

    it('purges what a deleted list left behind', async () => {
      const list = await create('vips');
      await put(list, entry(list, 'ann'), entry(list, 'bob'));
      await flagsOf('ann');
      await world.lists.remove(account, list, by());
      while (await world.listEntries.purge(account, list.number));
      expect(await flagsOf('ann', START_MS + 1)).toEqual([]);
      expect((await world.listEntries.page(account, list, { limit: 5 })).entries).toEqual([]);
      expect(await world.listEntries.purge(account, list.number)).toBe(false);
    });

    it('finds entries that have expired, and removes those only', async () => {
      const list = await create('vips');
      const [early, late] = [entry(list, 'ann', '2026-03-02T00:00:00Z'), entry(list, 'bob', '2026-03-03T00:00:00Z')];
      await put(list, early, late);
      const nowMs = Date.UTC(2026, 2, 2);
      const due = (await Promise.all(world.listShards.map((shard) => world.listEntries.due(shard, nowMs, 100)))).flat();
      expect(due.filter(({ accountId }) => accountId === account)).toEqual([
        { kind: 'entry', accountId: account, number: list.number, entity: early.ref.key },
      ]);
      expect(await world.listEntries.listOf(account, list.number, early.ref.key)).toBe('vips');
      const keys = [early.ref.key, late.ref.key];
      expect(await world.listEntries.remove(account, list, keys, { author: by(), expiredAtMs: nowMs })).toBe(1);
      expect(await count(list)).toBe(1);
    });

    it('knows the networks of a list without their values', async () => {
      const list = await create('nets', 'cidr');
      const net = entry(list, '203.0.113.0/24', '2026-04-01T00:00:00Z');
      await put(list, net, entry(list, '2001:db8::/48'));
      const held = await world.listEntries.entriesOf(account, list.number);
      expect([...held.scopes].sort()).toEqual(['4/24', '6/48']);
      expect(held.untilMs.get(net.ref.key)).toBe(Date.UTC(2026, 3, 1));
      expect((await world.lists.find(account, 'nets'))?.version).toBeGreaterThan(list.version);
    });

    it('records an answer with the last entries, or neither', async () => {
      const list = await create('vips');
      const record = (added: number, updated: number) => ({
        scope: 'scope',
        body_hash: 'hash',
        status: 200,
        body: `${added} ${updated}`,
      });
      const one = { entries: [entry(list, 'ann')], author: by(), isLast: true, record };
      await put(list, entry(list, 'ann'));
      expect(await world.listEntries.put(account, list, one)).toEqual({ added: 0, updated: 1 });
      expect((await world.answers.find(account, 'scope', START_MS))?.body).toBe('0 1');
      const two = world.listEntries.put(account, list, { ...one, entries: [entry(list, 'bob')], author: by() });
      await expect(two).rejects.toBeInstanceOf(ClaimTaken);
      expect(await count(list)).toBe(1);
    });

    it('remembers who changed what, newest first', async () => {
      const list = await create('vips');
      const author = by(START_MS + 10);
      await world.listEntries.put(account, list, { entries: [entry(list, 'ann')], author, isLast: false });
      await world.listEntries.put(account, list, { entries: [entry(list, 'bob')], author, isLast: true });
      const [entries, created] = await world.lists.changes(account, 10);
      expect(entries).toMatchObject({ kind: 'entries', name: 'vips', changed_by: 'ana', added: 2, removed: 0 });
      const nameOf = (value: string) => entry(list, value).ref.key;
      const markOf = (value: string) => entryMark(account, nameOf(value));
      expect(entries?.marks).toEqual(['ann', 'bob'].map(markOf).sort());
      await world.listEntries.remove(account, list, [nameOf('ann')], { author: by(START_MS + 20) });
      expect((await world.lists.changes(account, 1))[0]).toMatchObject({ removed: 1, marks: [markOf('ann')] });
      const many = Array.from({ length: 21 }, (_, i) => entry(list, `user-${i}`));
      await world.listEntries.put(account, list, { entries: many, author: by(START_MS + 30), isLast: true });
      expect((await world.lists.changes(account, 1))[0]?.marks).toBeUndefined();
      expect(created).toMatchObject({ kind: 'created', name: 'vips', effect: 'block' });
      expect(await world.lists.changes(freshAccount(), 10)).toEqual([]);
    });
  });
}
