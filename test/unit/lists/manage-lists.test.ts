import { addEntries, listEntries, removeEntry } from '../../../shared/usecases/lists/manage-entries';
import { deleteList, getList, getLists, putList } from '../../../shared/usecases/lists/manage-lists';
import { sweepLists } from '../../../shared/usecases/lists/sweep-lists';
import { listFollower } from '../../../shared/usecases/screening/followers';
import { CALLER, listWorld, NOW_MS } from '../../support/stores/list-world';

describe('manage lists', () => {
  const AT = new Date(NOW_MS).toISOString();

  it('creates a list, then changes it', async () => {
    const { put, time, deps } = listWorld();
    const created = await put('vips', { effect: 'allow', note: 'ours' });
    expect(created).toMatchObject({
      isNew: true,
      list: {
        name: 'vips',
        type: 'user_id',
        effect: 'allow',
        note: 'ours',
        entries: 0,
        created_at: AT,
        updated_at: AT,
      },
    });
    time.nowMs += 1_000;
    const changed = await put('vips', { effect: 'none' });
    const later = new Date(NOW_MS + 1_000).toISOString();
    expect(changed).toMatchObject({
      isNew: false,
      list: { effect: 'none', note: null, created_at: AT, updated_at: later },
    });
    expect(await getLists(deps, CALLER)).toEqual([changed.list]);
  });

  it('refuses another type, a bad name and a list too many', async () => {
    const { put } = listWorld();
    await put('vips');
    await expect(put('vips', { type: 'email' })).rejects.toMatchObject({ code: 'list_type_fixed' });
    await expect(put('Vips')).rejects.toMatchObject({ code: 'invalid_request', details: [{ field: 'name' }] });
    for (let i = 1; i < 50; i++) await put(`l${i}`);
    await expect(put('one-more')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(put('vips', { effect: 'none' })).resolves.toMatchObject({ isNew: false });
  });

  it('of two who create the same list, one changes what the other created', async () => {
    const { deps } = listWorld();
    const both = ['block', 'allow'] as const;
    const puts = await Promise.all(both.map((effect) => putList(deps, CALLER, 'vips', { type: 'user_id', effect })));
    expect(puts.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
  });

  it('deletes a list with its entries, for its account only', async () => {
    const { put, add, deps, table } = listWorld();
    const { list } = await put('vips');
    await add('vips', 'ann');
    await expect(deleteList(deps, { ...CALLER, account_id: 'acc_2' }, 'vips')).rejects.toMatchObject({
      code: 'not_found',
    });
    await deleteList(deps, CALLER, 'vips');
    await expect(getList(deps, CALLER, 'vips')).rejects.toMatchObject({ code: 'not_found' });
    expect((await table.listEntries.page('acc_1', list, { limit: 5 })).entries).toEqual([]);
    await expect(deleteList(deps, CALLER, 'vips')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is done once the list is gone, although entries could not be removed', async () => {
    const { put, deps } = listWorld();
    await put('vips');
    const purge = () => Promise.reject(new Error('throttled'));
    await deleteList({ ...deps, entries: { ...deps.entries, purge } }, CALLER, 'vips');
    expect(await getLists(deps, CALLER)).toEqual([]);
  });

  it('says who changed what: the person, if the key has one', async () => {
    const { deps, table } = listWorld();
    await putList(deps, { ...CALLER, person: 'ana.silva' }, 'vips', { type: 'user_id', effect: 'block' });
    expect(await table.lists.changes('acc_1', 5)).toMatchObject([
      { kind: 'created', name: 'vips', changed_by: 'ana.silva', changed_at: AT },
    ]);
  });
});

describe('manage entries', () => {
  const values = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `u${from + i}`);

  it('adds many entries, and updates those that are there', async () => {
    const { put, add, deps } = listWorld();
    await put('vips');
    expect(await add('vips', ...values(120))).toEqual({ added: 120, updated: 0, rejected: [] });
    expect(await add('vips', ...values(60, 100))).toEqual({ added: 40, updated: 20, rejected: [] });
    expect((await deps.lists.find('acc_1', 'vips'))?.entries).toBe(160);
  });

  it('rejects entries by themselves, and takes a repeated value once', async () => {
    const { put, deps } = listWorld();
    await put('emails', { type: 'email' });
    const entries = [
      { value: 'ann@shop.example' },
      { value: 'nobody' },
      { value: 'ANN+x@shop.example', reason: 'last' },
      { value: 'bob@shop.example', expires_at: new Date(NOW_MS).toISOString() },
    ];
    expect(await addEntries(deps, CALLER, 'emails', { entries })).toEqual({
      added: 1,
      updated: 1,
      rejected: [
        { index: 1, message: 'value: must be an email address' },
        { index: 3, message: 'expires_at: must be in the future' },
      ],
    });
    const { entries: shown } = await listEntries(deps, CALLER, 'emails', { limit: 5 });
    expect(shown).toEqual([
      {
        value: 'ANN+x@shop.example',
        reason: 'last',
        expires_at: null,
        added_at: new Date(NOW_MS).toISOString(),
        added_by: 'key_1',
      },
    ]);
  });

  it('fills a list to its limit, and still changes what is on it', async () => {
    const { put, add } = listWorld();
    await put('nets', { type: 'cidr' });
    const nets = (count: number, from = 0) =>
      Array.from({ length: count }, (_, at) => `10.${(from + at) >> 8}.${(from + at) & 255}.0/24`);
    await add('nets', ...nets(4_998));
    const { added, updated, rejected } = await add('nets', ...nets(5, 4_996));
    expect([added, updated]).toEqual([2, 2]);
    expect(rejected).toEqual([{ index: 4, message: 'the list already has 5,000 entries, which is the limit' }]);
  });

  it('records the answer that the last entries complete', async () => {
    const { put, deps, table } = listWorld();
    await put('vips');
    const record = (answer: object) => ({ scope: 's', body_hash: 'h', status: 200, body: JSON.stringify(answer) });
    const entries = values(100).map((value) => ({ value }));
    const answer = await addEntries(deps, CALLER, 'vips', { entries, record });
    expect((await table.answers.find('acc_1', 's', NOW_MS))?.body).toBe(JSON.stringify(answer));
    expect(answer.added).toBe(100);
  });

  it('records the answer even if nothing was good', async () => {
    const { put, deps, table } = listWorld();
    await put('vips');
    const record = (answer: object) => ({ scope: 's', body_hash: 'h', status: 200, body: JSON.stringify(answer) });
    await addEntries(deps, CALLER, 'vips', { entries: [{ value: '' }], record });
    expect(await table.answers.find('acc_1', 's', NOW_MS)).toBeDefined();
  });

  it('finds and removes an entry however its value is written', async () => {
    const { put, add, deps } = listWorld();
    await put('nets', { type: 'cidr' });
    await add('nets', '203.0.113.0/24');
    const part = { limit: 5, value: '203.0.113.99/24' };
    expect((await listEntries(deps, CALLER, 'nets', part)).entries).toMatchObject([{ value: '203.0.113.0/24' }]);
    expect((await listEntries(deps, CALLER, 'nets', { limit: 5, value: '198.51.100.0/24' })).entries).toEqual([]);
    await expect(listEntries(deps, CALLER, 'nets', { limit: 5, value: 'x' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await removeEntry(deps, CALLER, 'nets', '203.0.113.1/24');
    for (const value of ['203.0.113.0/24', 'nonsense']) {
      await expect(removeEntry(deps, CALLER, 'nets', value)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(removeEntry(deps, CALLER, 'none', 'x')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stops when the list is deleted under it', async () => {
    const { put, add, deps } = listWorld();
    await put('vips');
    const gone = { ...deps, entries: { ...deps.entries, put: async () => 'gone' as const } };
    await expect(addEntries(gone, CALLER, 'vips', { entries: [{ value: 'ann' }] })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await add('vips', 'ann')).added).toBe(1);
  });
});

describe('sweep lists', () => {
  it('removes entries that have expired, with their flags, and counts the rest', async () => {
    const { put, deps, time, table } = listWorld();
    await put('vips');
    const soon = new Date(NOW_MS + 1_000).toISOString();
    const entries = [...Array.from({ length: 90 }, (_, i) => ({ value: `u${i}`, expires_at: soon })), { value: 'ann' }];
    await addEntries(deps, CALLER, 'vips', { entries });
    expect(await sweepLists(deps, Number.POSITIVE_INFINITY)).toEqual({ removed: 0 });
    time.nowMs += 1_000;
    expect(await sweepLists(deps, Number.POSITIVE_INFINITY)).toEqual({ removed: 90 });
    expect((await deps.lists.find('acc_1', 'vips'))?.entries).toBe(1);
    expect((await table.lists.changes('acc_1', 1))[0]).toMatchObject({ changed_by: 'expiry', kind: 'entries' });
  });

  it('finishes what a deletion left', async () => {
    const { put, add, deps, table } = listWorld();
    const { list } = await put('vips');
    await add('vips', 'ann');
    await table.lists.remove('acc_1', list, { ulid: 'x', by: 'ana', nowMs: NOW_MS });
    await sweepLists(deps, Number.POSITIVE_INFINITY);
    expect((await table.listEntries.page('acc_1', list, { limit: 5 })).entries).toEqual([]);
  });

  it('stops when its time is over', async () => {
    const { deps } = listWorld();
    const due = () => Promise.reject(new Error('not asked'));
    const late = { ...deps, entries: { ...deps.entries, due } };
    expect(await sweepLists(late, NOW_MS)).toEqual({ removed: 0 });
  });
});

describe('follow lists', () => {
  function followed() {
    const world = listWorld();
    const asked = { lists: 0, held: 0 };
    const failures: unknown[] = [];
    let failure: Error | undefined;
    const follower = listFollower({
      clock: world.deps.clock,
      budgetMs: (ms) => ms,
      lists: {
        all: async (account) => {
          asked.lists++;
          if (failure) throw failure;
          return world.deps.lists.all(account);
        },
      },
      held: {
        entriesOf: (account, number) => {
          asked.held++;
          return world.deps.entries.entriesOf(account, number);
        },
      },
      onFailure: (error) => failures.push(error),
    });
    const namesOf = async () => (await follower.current('acc_1')).map(({ name }) => name);
    const fail = (error?: Error) => {
      failure = error;
    };
    return { ...world, asked, failures, follower, namesOf, fail };
  }

  it('reads an account at most every 30 seconds, and then knows what has changed', async () => {
    const { put, time, asked, namesOf } = followed();
    expect(await namesOf()).toEqual([]);
    await put('vips');
    time.nowMs += 29_999;
    expect([await namesOf(), asked.lists]).toEqual([[], 1]);
    time.nowMs += 1;
    expect([await namesOf(), asked.lists]).toEqual([['vips'], 2]);
  });

  it('loads the entries of networks only when they changed', async () => {
    const { put, add, time, asked, follower } = followed();
    await put('nets', { type: 'cidr' });
    await add('nets', '203.0.113.0/24');
    await follower.current('acc_1');
    time.nowMs += 30_000;
    await follower.current('acc_1');
    expect(asked).toEqual({ lists: 2, held: 1 });
    await add('nets', '198.51.100.0/24');
    time.nowMs += 30_000;
    const [nets] = await follower.current('acc_1');
    expect([asked.held, nets?.held?.untilMs.size]).toEqual([2, 2]);
  });

  it('keeps what it knows if a read fails, and tries again after five seconds', async () => {
    const { put, time, failures, asked, namesOf, fail } = followed();
    await put('vips');
    expect(await namesOf()).toEqual(['vips']);
    fail(new Error('throttled'));
    time.nowMs += 30_000;
    expect([await namesOf(), failures.length]).toEqual([['vips'], 1]);
    time.nowMs += 4_999;
    await namesOf();
    expect(asked.lists).toBe(2);
    fail();
    time.nowMs += 1;
    await put('more');
    expect(await namesOf()).toEqual(['more', 'vips']);
  });

  it('does not pretend to know an account that it could never read', async () => {
    const { namesOf, fail } = followed();
    fail(new Error('throttled'));
    await expect(namesOf()).rejects.toThrow('throttled');
  });

  it('does not fall back to what an earlier read, frozen on the way, saw', async () => {
    const { deps, put, time } = listWorld();
    let thaw = () => {};
    let gate: Promise<void> | undefined;
    const all = async (accountId: string) => {
      const read = await deps.lists.all(accountId);
      await gate;
      return read;
    };
    const follower = listFollower({
      clock: deps.clock,
      budgetMs: (ms) => ms,
      lists: { all },
      held: deps.entries,
      onFailure: () => undefined,
    });
    const namesNow = () => follower.latest('acc_1')?.map(({ name }) => name);
    await follower.current('acc_1');
    time.nowMs += 30_000;
    gate = new Promise((resolve) => {
      thaw = resolve;
    });
    const frozen = follower.current('acc_1');
    await put('vips');
    // The next read overtakes it.
    gate = undefined;
    time.nowMs += 5_000;
    await follower.current('acc_1');
    expect(namesNow()).toEqual(['vips']);
    thaw();
    await frozen;
    expect(namesNow()).toEqual(['vips']);
  });
});
