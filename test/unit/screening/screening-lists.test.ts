import { marshall } from '@aws-sdk/util-dynamodb';
import { type WireItem, wireBytes, writeUnits } from '../../../bench/support/wire-size';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { newUlid } from '../../../shared/runtime/ids';
import { SCREENING_STAND_INS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { entityKey } from '../../../shared/store/keys';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { plainItem } from '../../../shared/store/sdk/attribute-value';
import { addEntries } from '../../../shared/usecases/lists/manage-entries';
import { listFollower } from '../../../shared/usecases/screening/followers';
import { type ScreenSubjectDeps, screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { listSource } from '../../../shared/usecases/screening/sources/lists';
import { CALLER, listWorld, NOW_MS } from '../../support/list-world';
import { payment } from '../../support/payment';

/** Screenings in memory, with the calls they make. */
function world() {
  const lists = listWorld();
  const { table, deps } = lists;
  const calls: string[] = [];
  const counted = <Port extends object>(name: string, port: Port): Port =>
    new Proxy(port, {
      get: (target, member, receiver) => {
        const value = Reflect.get(target, member, receiver);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          calls.push(`${name}.${String(member)}`);
          return value.apply(target, args);
        };
      },
    });
  const follower = listFollower({
    clock: deps.clock,
    lists: deps.lists,
    held: deps.entries,
    onFailure: () => undefined,
  });
  const screening: ScreenSubjectDeps = {
    ...SCREENING_STAND_INS,
    clock: deps.clock,
    newUlid,
    ips: { lookup: () => ({ country: 'DE', network: 'other' }) },
    entities: counted('entities', table.entities),
    claims: table.claims,
    screenings: counted('screenings', table.screenings),
    lists: { current: follower.current, flags: counted('flags', table.listEntries).flags },
  };
  const screen = async (over: Parameters<typeof payment>[0] = {}, account_id = 'acc_1') => {
    calls.length = 0;
    const { record } = await screenSubject(
      screening,
      { ...CALLER, account_id, settings: DEFAULT_SETTINGS },
      payment(over),
    );
    return { ...record, calls: [...calls].sort() };
  };
  return { ...lists, screening, screen };
}

it('a list decides, and the answer says so', async () => {
  const { put, add, screen } = world();
  await put('bad-users', { effect: 'block' });
  await add('bad-users', 'user-1');
  expect(await screen()).toMatchObject({
    automated_decision: 'block',
    decided_by: { kind: 'list', name: 'bad-users' },
    lists: ['bad-users'],
  });
  expect((await screen({}, 'acc_2')).automated_decision).toBe('allow');
  expect((await screen({ user_id: 'user-2' })).lists).toBeUndefined();
});

it('a list without effect only reports', async () => {
  const { put, add, screen } = world();
  await put('watched', { type: 'cidr', effect: 'none' });
  await add('watched', '91.0.0.0/24');
  expect(await screen()).toMatchObject({ automated_decision: 'allow', lists: ['watched'] });
});

it('finds attributes that are not tracked, and only then asks for them', async () => {
  const { put, add, screen } = world();
  await put('emails', { type: 'email' });
  await add('emails', 'Ann.Lee@gmail.com');
  const found = await screen({ custom_attributes: { contact_email: 'annlee+1@googlemail.com' } });
  expect([found.lists, found.calls.includes('flags.flags')]).toEqual([['emails'], true]);
  const tracked = await screen({ custom_attributes: { email: 'annlee@gmail.com' } });
  expect([tracked.lists, tracked.calls.includes('flags.flags')]).toEqual([['emails'], false]);
});

it('three hits cost no call and no write unit more than none', async () => {
  const { put, add, screen, time, table } = world();
  const unitsOf = ({ calls: _, ...record }: Awaited<ReturnType<typeof screen>>): number => {
    const updated = record.entities.map((entity) => ({
      ...marshall(entityKey('acc_1', entity)),
      ...plainItem(table.entities.of('acc_1').item(entity, time.nowMs) ?? new Map()),
    }));
    const written = [...updated, marshall(screeningItem('acc_1', record), { removeUndefinedValues: true })];
    return written.reduce((sum, item) => sum + writeUnits(wireBytes(item as WireItem)), 0);
  };
  await screen();
  time.nowMs += 1_000;
  const without = await screen();
  const unitsBefore = unitsOf(without);
  for (const [name, type, value] of [
    ['users', 'user_id', 'user-1'],
    ['devices', 'device_fingerprint', 'device-1'],
    ['cards', 'card_fingerprint', 'card-1'],
  ] as const) {
    await put(name, { type, effect: 'none' });
    await add(name, value);
  }
  time.nowMs += 30_000;
  const listed = await screen();
  expect([listed.lists, listed.calls]).toEqual([['cards', 'devices', 'users'], without.calls]);
  expect(unitsOf(listed)).toBe(unitsBefore);
});

it('an entry counts until the instant it expires', async () => {
  const { put, deps, screen, time } = world();
  await put('vips', { effect: 'block' });
  const entries = [{ value: 'user-1', expires_at: new Date(NOW_MS + 500).toISOString() }];
  await addEntries(deps, CALLER, 'vips', { entries });
  time.nowMs = NOW_MS + 499;
  expect((await screen()).automated_decision).toBe('block');
  time.nowMs = NOW_MS + 500;
  expect((await screen()).lists).toBeUndefined();
});

it('an entity that is on a list is not forgotten, and one that was is again', async () => {
  const { put, add, deps, screen, time, table } = world();
  await put('vips', { effect: 'block' });
  await screen();
  await add('vips', 'user-1');
  await screen();
  time.nowMs += 200 * 86_400_000;
  expect((await screen()).lists).toEqual(['vips']);
  const list = await deps.lists.find('acc_1', 'vips');
  const page = list && (await table.listEntries.page('acc_1', list, { limit: 1 }));
  expect(page?.entries).toHaveLength(1);
});

it('decides without lists that cannot be read, and says so', async () => {
  const { screening } = world();
  const lists = { ...screening.lists, current: () => Promise.reject(new Error('throttled')) };
  const caller = { ...CALLER, settings: DEFAULT_SETTINGS };
  const { record } = await screenSubject({ ...screening, lists }, caller, payment());
  expect([record.automated_decision, record.missing]).toEqual(['allow', ['lists']]);
  const { record: without } = await screenSubject({ ...screening, ...listSource.standIn }, caller, payment());
  expect(without.missing).toEqual([]);
});
