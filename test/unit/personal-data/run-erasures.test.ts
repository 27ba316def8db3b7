import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { PUBLIC_PSEUDONYMS } from '../../../shared/domain/entities/pseudonyms';
import type { ErasedPerson, ErasurePass, Trace } from '../../../shared/domain/personal-data/erasure';
import { runErasures } from '../../../shared/usecases/personal-data/run-erasures';

const NOW = Date.UTC(2026, 2, 20, 10);

interface Stored {
  readonly key: string;
  readonly user: string;
  readonly entities?: readonly string[];
}

/** A table of items that belong to users, two per page, and the erasures that are pending. */
function world(items: Stored[], users: readonly string[], shared: readonly string[] = []) {
  const clock = { ms: NOW };
  let table = items;
  let pass: ErasurePass | undefined;
  const erasures = new Map(
    users.map((name) => [
      `era_${name}`,
      {
        person: personOf(name),
        found: new Set<string>(),
        looked: 0,
        erased: {} as Record<string, number>,
        at: undefined as string | undefined,
      },
    ]),
  );
  const gone: string[] = [];
  const unlinked: string[] = [];
  let dieAfter = Number.POSITIVE_INFINITY;
  const of = ({ erasure_id }: ErasedPerson) => erasures.get(erasure_id) as NonNullable<ReturnType<typeof erasures.get>>;
  const deps = {
    clock: { now: () => clock.ms },
    pseudonyms: () => PUBLIC_PSEUDONYMS,
    erasures: {
      pending: async () => [...erasures.values()].filter(({ at }) => at === undefined).map(({ person }) => person),
      pass: async () => pass,
      savePass: async (next: ErasurePass) => {
        pass = next;
      },
      progress: async (
        person: ErasedPerson,
        lookedAt: number,
        erased: Readonly<Record<string, number>>,
        entities: readonly string[],
      ) => {
        const known = of(person);
        known.looked += lookedAt;
        for (const [kind, count] of Object.entries(erased)) known.erased[kind] = (known.erased[kind] ?? 0) + count;
        for (const entity of entities) known.found.add(entity);
      },
      found: async (person: ErasedPerson) => [...of(person).found],
      complete: async (person: ErasedPerson, at: string) => {
        of(person).at = at;
      },
    },
    traces: {
      page: async (people: readonly ErasedPerson[], _by: unknown, position: string | undefined) => {
        clock.ms += 1000;
        const start = Number(position ?? 0);
        const part = items.slice(start, start + 2);
        const traces = part
          .filter((item) => table.includes(item))
          .flatMap((item): Trace[] => {
            const person = people.find(({ user }) => user === personOf(item.user).user);
            if (!person) return [];
            const { erasure_id, account_id } = person;
            const key = { pk: item.key, sk: '' };
            return [{ erasure_id, account_id, kind: 'link', key, entities: item.entities ?? [] }];
          });
        return { traces, count: part.length, next: start + 2 < items.length ? String(start + 2) : undefined };
      },
      erase: async ({ key }: Trace) => {
        if (dieAfter-- <= 0) throw new Error('the function died');
        table = table.filter((item) => item.key !== key.pk);
      },
      eraseLink: async ({ erasure_id }: ErasedPerson, entity: string) => void unlinked.push(`${erasure_id} ${entity}`),
      eraseIfAlone: async (_account: string, entity: string) => {
        // Before: a link of their own would make them look like two.
        expect(unlinked.some((link) => link.endsWith(` ${entity}`))).toBe(true);
        if (shared.includes(entity)) return false;
        gone.push(entity);
        return true;
      },
    },
  };
  return {
    erasures,
    gone,
    unlinked,
    left: () => table.map(({ key }) => key),
    add: (name: string) =>
      erasures.set(`era_${name}`, { person: personOf(name), found: new Set(), looked: 0, erased: {}, at: undefined }),
    dieAfter: (count: number) => {
      dieAfter = count;
    },
    run: (deadlineMs = Number.POSITIVE_INFINITY) => runErasures(deps, deadlineMs),
    clock,
  };
}

const personOf = (name: string): ErasedPerson => ({
  erasure_id: `era_${name}`,
  account_id: 'acc',
  user: entityNames('acc').user(name).key,
  requested_at_ms: NOW,
});

const ITEMS: Stored[] = [
  { key: '1', user: 'ann', entities: ['device#own', 'ip#office'] },
  { key: '2', user: 'bob' },
  { key: '3', user: 'carl' },
  { key: '4', user: 'ann' },
  { key: '5', user: 'bob', entities: ['device#bob'] },
];

it('erases everything of everybody who is waiting in one walk, and what nobody else shares', async () => {
  const { run, left, erasures, gone, unlinked } = world([...ITEMS], ['ann', 'bob'], ['ip#office']);
  expect(await run()).toMatchObject({ completed: 2, looked_at: 5 });
  expect(left()).toEqual(['3']);
  expect(gone).toEqual(['device#own', 'device#bob']);
  // Also what others share: the stream may have linked them with it after the walk.
  expect(unlinked).toEqual(['era_ann device#own', 'era_ann ip#office', 'era_bob device#bob']);
  expect(erasures.get('era_ann')).toMatchObject({ looked: 5, erased: { link: 2, entity: 1 }, at: expect.any(String) });
  expect(await run()).toEqual({ completed: 0, pending: 0, looked_at: 0 });
});

it('continues where time ran out', async () => {
  const { run, left, clock } = world([...ITEMS], ['ann']);
  expect(await run(clock.ms + 1)).toMatchObject({ completed: 0, looked_at: 2 });
  expect(left()).toEqual(['2', '3', '4', '5']);
  expect(await run()).toMatchObject({ completed: 1, looked_at: 3 });
  expect(left()).toEqual(['2', '3', '5']);
});

it('who asks while a walk is on gets a whole walk of their own', async () => {
  const { run, left, clock, add } = world([...ITEMS], ['ann']);
  await run(clock.ms + 1);
  add('bob');
  expect(await run()).toMatchObject({ completed: 2 });
  expect(left()).toEqual(['3']);
});

it('a run that dies loses nothing: the next one meets what is left, and knows the entities', async () => {
  const { run, left, dieAfter, gone } = world([...ITEMS], ['ann']);
  dieAfter(0);
  await expect(run()).rejects.toThrow('died');
  dieAfter(Number.POSITIVE_INFINITY);
  expect(await run()).toMatchObject({ completed: 1 });
  expect(left()).toEqual(['2', '3', '5']);
  expect(gone).toContain('device#own');
});
