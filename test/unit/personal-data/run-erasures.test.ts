import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { PUBLIC_PSEUDONYMS } from '../../../shared/domain/entities/pseudonyms';
import type { ErasedPerson, Trace } from '../../../shared/domain/personal-data/erasure';
import { type RunErasuresDeps, runErasures } from '../../../shared/usecases/personal-data/run-erasures';
import { memoryErasures } from '../../support/memory/memory-erasures';

const NOW = Date.UTC(2026, 2, 20, 10);
const HOUR = 3_600_000;

interface Stored {
  readonly key: string;
  readonly user: string;
  readonly entities?: readonly string[];
  /** Whether a key leads to it, or only a walk. */
  readonly byKey?: true;
}

const userOf = (name: string): string => entityNames('acc').user(name).key;

/** A table of items that belong to users, two per page; every call takes a second. */
function world(items: readonly Stored[], shared: readonly string[] = []) {
  const clock = { ms: NOW };
  const erasures = memoryErasures();
  let table = [...items];
  let [walks, callsLeft] = [0, Number.POSITIVE_INFINITY];
  const gone: string[] = [];
  const keyedFor: string[] = [];
  const traceOf = (item: Stored, person: ErasedPerson): Trace => ({
    erasure_id: person.erasure_id,
    account_id: person.account_id,
    kind: item.byKey ? 'result' : 'message',
    key: { pk: item.key, sk: '' },
    entities: item.entities ?? [],
  });
  const traces: RunErasuresDeps['traces'] = {
    async ofPerson(person) {
      clock.ms += 1000;
      keyedFor.push(person.account_id);
      const found = table.filter(({ user, byKey }) => byKey && userOf(user) === person.user);
      const part = found.slice(0, 2).map((item) => traceOf(item, person));
      return { traces: part, count: part.length, next: found.length > 2 ? 'more' : undefined };
    },
    async page(people, _pseudonyms, position) {
      clock.ms += 1000;
      const start = Number(position ?? 0);
      if (start === 0) walks += 1;
      const part = items.slice(start, start + 2);
      const found = part
        .filter((item) => table.includes(item))
        .flatMap((item) =>
          people.filter(({ user }) => user === userOf(item.user)).map((person) => traceOf(item, person)),
        );
      return { traces: found, count: part.length, next: start + 2 < items.length ? String(start + 2) : undefined };
    },
    async erase({ key }) {
      table = table.filter((item) => item.key !== key.pk);
    },
    eraseLink: async () => false,
    async eraseIfAlone(_account, entity) {
      if (shared.includes(entity) || gone.includes(entity)) return false;
      gone.push(entity);
      return true;
    },
  };
  /** A function that dies at any call dies before or after it did its work. */
  const mortal = <Port extends object>(port: Port): Port =>
    Object.fromEntries(
      Object.entries(port).map(([name, call]) => [
        name,
        async (...given: unknown[]) => {
          callsLeft -= 0.5;
          if (callsLeft < 0) throw new Error('the function died');
          const answer = await (call as (...args: unknown[]) => unknown)(...given);
          callsLeft -= 0.5;
          if (callsLeft < 0) throw new Error('the function died');
          return answer;
        },
      ]),
    ) as Port;
  const deps: RunErasuresDeps = {
    clock: { now: () => clock.ms },
    pseudonyms: () => PUBLIC_PSEUDONYMS,
    erasures: mortal(erasures),
    traces: mortal(traces),
  };
  return {
    ...{ clock, gone, keyedFor },
    left: () => table.map(({ key }) => key),
    walks: () => walks,
    ask: (name: string, account_id = 'acc') =>
      erasures.insert(
        {
          ...{ erasure_id: `era_${name}`, account_id, status: 'pending', requested_by: 'ana', completed_at: null },
          ...{ requested_at: new Date(clock.ms).toISOString(), looked_at: 0, erased: {} },
        },
        userOf(name),
      ),
    of: (name: string, account = 'acc') => erasures.find(account, `era_${name}`),
    dieAfter: (calls: number) => {
      callsLeft = calls;
    },
    run: (deadlineMs = Number.POSITIVE_INFINITY) => runErasures(deps, deadlineMs),
  };
}

const ITEMS: readonly Stored[] = [
  { key: '1', user: 'ann', byKey: true, entities: ['device#own', 'ip#office'] },
  { key: '2', user: 'bob' },
  { key: '3', user: 'carl', byKey: true },
  { key: '4', user: 'ann' },
  { key: '5', user: 'bob', entities: ['device#bob'] },
];

it('erases what keys lead to, the rest of everybody in one walk, and what nobody else shares', async () => {
  const { ask, run, left, of, gone, walks } = world(ITEMS, ['ip#office']);
  await ask('ann');
  await ask('bob');
  expect(await run()).toEqual({ completed: 2, pending: 2, looked_at: 6 });
  expect([left(), gone, walks()]).toEqual([['3'], ['device#own', 'device#bob'], 1]);
  const erased = { result: 1, message: 1, entity: 1 };
  expect(await of('ann')).toMatchObject({ status: 'completed', looked_at: 6, erased });
  expect(await run()).toEqual({ completed: 0, pending: 0, looked_at: 0 });
});

it('continues where time ran out', async () => {
  const { ask, run, left, clock, walks } = world(ITEMS);
  await ask('bob');
  expect(await run(clock.ms + 2_001)).toMatchObject({ completed: 0 });
  expect(left()).toEqual(['1', '3', '4', '5']);
  expect(await run()).toMatchObject({ completed: 1 });
  expect([left(), walks()]).toEqual([['1', '3', '4'], 1]);
});

it('who asks while a walk is on gets a whole walk of their own', async () => {
  const { ask, run, left, clock } = world(ITEMS);
  await ask('ann');
  await run(clock.ms + 2_001);
  await ask('bob');
  expect(await run()).toMatchObject({ completed: 1, pending: 2 });
  expect(await run()).toMatchObject({ completed: 1, pending: 1 });
  expect(left()).toEqual(['3']);
});

it('loses nothing, wherever a run dies', async () => {
  for (let calls = 0; ; calls += 0.5) {
    const { ask, run, left, gone, dieAfter, of } = world(ITEMS);
    await ask('ann');
    await ask('bob');
    dieAfter(calls);
    const isWhole = await run().then(
      () => true,
      () => false,
    );
    dieAfter(Number.POSITIVE_INFINITY);
    await run();
    expect({ calls, left: left(), gone: gone.toSorted() }).toEqual({
      ...{ calls, left: ['3'], gone: ['device#bob', 'device#own', 'ip#office'] },
    });
    expect([(await of('ann'))?.status, (await of('bob'))?.status]).toEqual(['completed', 'completed']);
    if (isWhole) return expect(calls).toBeGreaterThan(15);
  }
});

it('1,000 erasures of one account do not delay the one of another: it is done in the same walk', async () => {
  const people = Array.from({ length: 1_000 }, (_, at): Stored => ({ key: `${at}`, user: `u${at}`, byKey: true }));
  const late: Stored[] = Array.from({ length: 5 }, (_, at) => ({ key: `late-${at}`, user: 'late', byKey: true }));
  const { ask, run, left, of, keyedFor, walks } = world([...people, ...late, { key: 'message', user: 'late' }]);
  for (const { user } of people) await ask(user);
  await ask('late', 'other');
  expect(await run()).toMatchObject({ completed: 1_001, pending: 1_001 });
  expect([left(), walks(), (await of('late', 'other'))?.status]).toEqual([[], 1, 'completed']);
  // By turns of the accounts, although the others asked first.
  expect(keyedFor.lastIndexOf('other')).toBe(5);
});

it('somebody with very many payments does not keep others from the walk', async () => {
  const many: Stored[] = Array.from({ length: 60 }, (_, at) => ({ key: `${at}`, user: 'bot', byKey: true }));
  const { ask, run, of, clock, left } = world([...many, { key: 'message', user: 'ann' }]);
  await ask('bot', 'large');
  await ask('ann', 'small');
  await run(clock.ms + 40_000);
  await run(clock.ms + 70_000);
  expect((await of('ann', 'small'))?.status).toBe('completed');
  clock.ms += 6 * HOUR;
  await run();
  expect([(await of('bot', 'large'))?.status, left()]).toEqual(['completed', []]);
});

it('walks at most three times at once, and then every six hours, however many ask', async () => {
  const { ask, run, clock, walks } = world(ITEMS);
  const walked: number[] = [];
  for (let quarter = 0; quarter < 96; quarter++) {
    await ask(`nobody-${quarter}`);
    const before = walks();
    await run();
    if (walks() > before) walked.push(quarter / 4);
    clock.ms = NOW + (quarter + 1) * 0.25 * HOUR;
  }
  expect(walked).toEqual([0, 0.25, 0.5, 6, 12, 18]);
});
