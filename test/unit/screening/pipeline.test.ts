import { marshall } from '@aws-sdk/util-dynamodb';
import { type WireItem, wireBytes, writeUnits } from '../../../bench/support/wire-size';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { countsOnNetworks, countsOnPattern, requestMark } from '../../../shared/domain/entities/attempt-counts';
import type { Attempt, EntityHistory } from '../../../shared/domain/entities/entity-history';
import { type EntityRef, entityNames } from '../../../shared/domain/entities/entity-ref';
import { NO_RULES } from '../../../shared/domain/rules/rule-set';
import { emailPatternOf, networksOf } from '../../../shared/domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import {
  PUBLIC_PSEUDONYMS,
  SCREENING_STAND_INS,
  standInIntelligence,
} from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { entityKey } from '../../../shared/store/keys';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { plainItem } from '../../../shared/store/sdk/attribute-value';
import { addEntries } from '../../../shared/usecases/lists/manage-entries';
import { decideScreening, type Screened } from '../../../shared/usecases/screening/decide-screening';
import { EFFECTS, undoEffects, writeEffects } from '../../../shared/usecases/screening/effects';
import { networkEffect } from '../../../shared/usecases/screening/effects/networks';
import { listFollower } from '../../../shared/usecases/screening/followers';
import { type ScreenSubjectDeps, screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { missingOf, readSources, SOURCES, type SourcePorts } from '../../../shared/usecases/screening/sources';
import {
  type HistoryPorts,
  historySource,
  type RecordedEntity,
  type RemoveAttemptOptions,
} from '../../../shared/usecases/screening/sources/histories';
import { listSource } from '../../../shared/usecases/screening/sources/lists';
import {
  type NetworkPort,
  type NetworksReading,
  networkSource,
} from '../../../shared/usecases/screening/sources/networks';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { NEVER_SEEN } from '../../support/screening/build-history';
import { CALLER, listWorld, NOW_MS } from '../../support/stores/list-world';
import { payment, preparedOf } from '../../support/traffic/payment';

describe('sources', () => {
  const prepared = preparedOf(payment());
  const lost = () => Promise.reject(new Error('throttled'));
  const deps = { ...SCREENING_STAND_INS, entities: memoryTable().entities };

  it('are all asked before any has answered', () => {
    const asked = new Set<unknown>();
    /** The same ports, of which none ever answers. */
    const silent = Object.fromEntries(
      Object.entries(deps).map(([name, port]) => {
        const never = () => {
          asked.add(port);
          return new Promise<never>(() => undefined);
        };
        return [name, Object.fromEntries(Object.keys(port).map((method) => [method, never]))];
      }),
    ) as unknown as SourcePorts;
    const claim = { scope: 'POST /v1/transactions/screen key', body_hash: 'hash' };
    void readSources(silent, { ...prepared, request: { ...prepared.request, claim } });
    // Counters ask the rules what there is to count.
    expect(asked.size).toBe(SOURCES.length - 1);
  });

  it('are missing by name if they reject or throw, and all others are there', async () => {
    const throwing = () => {
      throw new Error('never read');
    };
    const { recordAttempt } = deps.entities;
    const readings = await readSources(
      {
        ...deps,
        entities: {
          ...deps.entities,
          recordAttempt: (account, ref, attempt) =>
            ref.kind === 'device' ? lost() : recordAttempt(account, ref, attempt),
        },
        networks: { read: lost },
        lists: { ...deps.lists, current: lost },
        rules: { ...deps.rules, current: throwing },
        models: { current: throwing },
      },
      prepared,
    );
    expect(missingOf(readings)).toEqual(['device', 'network', 'lists', 'rules', 'models']);
    expect(readings.histories.recorded.map(({ ref }) => ref.kind)).toEqual(['user', 'ip', 'attribute']);
    expect([readings.rules.rules, readings.lists.matches([])]).toEqual([NO_RULES, []]);
    expect(missingOf(await readSources(deps, prepared))).toEqual([]);
  });
});

describe('effects', () => {
  const lost = () => Promise.reject(new Error('throttled'));

  /** An allowed payment before its second trip, and what is taken back of it. */
  async function world() {
    const { entities } = memoryTable();
    const unearned: string[] = [];
    const deps = {
      ...SCREENING_STAND_INS,
      entities: {
        ...entities,
        unearn: async (_account: string, { kind }: { readonly kind: string }) => void unearned.push(kind),
      },
    };
    const prepared = preparedOf(payment());
    const screened = decideScreening(prepared, await readSources(deps, prepared));
    return { deps, screened, unearned };
  }

  it('fail the screening only if they must not be lost, which is the result alone', async () => {
    expect(EFFECTS.filter(({ mayBeLost }) => !mayBeLost).map(({ name }) => name)).toEqual(['result']);
    const { deps, screened } = await world();
    const without = await writeEffects({ ...deps, entities: { ...deps.entities, earn: lost } }, screened);
    expect([without.error, without.done.map(({ name }) => name).includes('familiarity')]).toEqual([undefined, false]);
    const { error } = await writeEffects({ ...deps, screenings: { ...deps.screenings, insert: lost } }, screened);
    expect(error).toMatchObject({ message: 'throttled' });
  });

  it('that throw count as failed, and the others are written', async () => {
    const { deps, screened } = await world();
    const insert = (): never => {
      throw new Error('cannot be stored');
    };
    const { error, done } = await writeEffects({ ...deps, screenings: { ...deps.screenings, insert } }, screened);
    expect(error).toMatchObject({ message: 'cannot be stored' });
    expect(done).toHaveLength(EFFECTS.length - 1);
  });

  it('are taken back if they were written, and only then', async () => {
    const { deps, screened, unearned } = await world();
    await undoEffects(deps, screened, await writeEffects(deps, screened));
    expect(unearned).toEqual(['user']);
    const failing = { ...deps, entities: { ...deps.entities, earn: lost } };
    await undoEffects(failing, screened, await writeEffects(failing, screened));
    expect(unearned).toHaveLength(1);
  });
});

describe('histories', () => {
  const NOW = Date.UTC(2026, 2, 1, 12);
  const attempt = {
    ...{ attempt_id: 'txn_1', at_ms: NOW, action: 'transaction', outcome: 'succeeded', user_id: 'ann' },
    ...{ amount: 10, currency: 'EUR', amount_usd: 11, device: 'phone' },
  } as Attempt;
  const user = entityNames('acc_1', PUBLIC_PSEUDONYMS).user('ann');
  const device = entityNames('acc_1', PUBLIC_PSEUDONYMS).exact('device', 'phone');
  const refs = [user, device];
  const prepared = preparedOf(payment(), { attempt, refs });
  const undo = (
    deps: HistoryPorts,
    recorded: readonly RecordedEntity[],
    stored?: Pick<ScreeningRecord, 'counted_by'>,
  ) => historySource.undo?.(deps, prepared, { recorded, missing: [] }, stored as ScreeningRecord | undefined);

  /** An attempt that user and device have counted, each after an earlier one, and what is removed of it. */
  async function world() {
    const { entities } = memoryTable();
    const recorded: RecordedEntity[] = [];
    for (const ref of refs) {
      await entities.recordAttempt('acc_1', ref, { ...attempt, attempt_id: 'txn_0', at_ms: NOW - 1_000 });
      recorded.push(await entities.recordAttempt('acc_1', ref, attempt));
    }
    const removed: [EntityRef['kind'], boolean][] = [];
    const watched = {
      ...entities,
      removeAttempt: (account: string, ref: EntityRef, each: Attempt, how: RemoveAttemptOptions) => {
        removed.push([ref.kind, how.isCertain]);
        return entities.removeAttempt(account, ref, each, how);
      },
    };
    /** Payments that user and device count. */
    const counted = async (): Promise<(number | undefined)[]> => {
      const profiles = await Promise.all(refs.map((ref) => entities.profile('acc_1', ref.kind, ref.key, NOW)));
      return profiles.map((profile) => profile?.transactions.total);
    };
    return { deps: { entities: watched }, entities, recorded, removed, counted };
  }

  it('takes an attempt back from every entity that counted it, and leaves the earlier one', async () => {
    const { deps, recorded, removed, counted } = await world();
    expect(await counted()).toEqual([2, 2]);
    await undo(deps, recorded);
    expect(removed).toEqual([
      ['user', true],
      ['device', true],
    ]);
    expect(await counted()).toEqual([1, 1]);
  });

  it('is not certain of an entity that never responded', async () => {
    const { deps, recorded, removed } = await world();
    await undo(deps, recorded.slice(0, 1));
    expect(removed).toEqual([
      ['user', true],
      ['device', false],
    ]);
  });

  it('leaves what another request with the same key counted', async () => {
    const { deps, recorded, removed, counted } = await world();
    const theirs = recorded.map((each) => (each.ref === user ? { ...each, counted_by: 'another' } : each));
    await undo(deps, theirs);
    expect(removed).toEqual([['device', true]]);
    expect(await counted()).toEqual([2, 1]);
  });

  it('takes back from the others what one entity fails to remove, and does not fail itself', async () => {
    const { entities, recorded, counted } = await world();
    const broken = interpose(
      entities,
      failing((_call, nth) => (nth === 0 ? 'before' : undefined)),
    );
    await undo({ entities: broken }, recorded);
    expect(await counted()).toEqual([2, 1]);
  });

  it('leaves the count of a repeat that the stored screening relies on, and takes back the rest', async () => {
    const { deps, recorded, counted } = await world();
    const stored = { counted_by: { [user.key]: requestMark(attempt), [device.key]: 'another' } };
    await undo(deps, recorded, stored);
    expect(await counted()).toEqual([2, 1]);
    const later = await world();
    await undo(later.deps, later.recorded, {});
    expect(await later.counted()).toEqual([1, 1]);
  });
});

describe('networks', () => {
  const ACCOUNT = 'acc_1';
  const START_MS = Date.UTC(2026, 2, 1, 12);
  const LIMIT_MS = 800;

  const attempt = (change: Partial<Attempt> = {}): Attempt => ({
    attempt_id: 'txn_1',
    at_ms: START_MS,
    action: 'transaction',
    outcome: 'succeeded',
    user_id: 'ann',
    ip: '91.0.0.1',
    network: 'other',
    ...change,
  });

  const user = (ips: boolean | undefined) => ({ ...NEVER_SEEN, seen: { ips } });
  const refs = networksOf(entityNames(ACCOUNT, PUBLIC_PSEUDONYMS), '91.0.0.1', { asn: 3320, network: 'other' });

  const readNetworks = async (
    networks: NetworkPort,
    over: { readonly attempt: Attempt; readonly refs: readonly EntityRef[] },
  ): Promise<NetworksReading> =>
    networkSource.read({ networks }, preparedOf(payment(), { attempt: over.attempt, networks: over.refs }), LIMIT_MS);

  const recordOnNetworks = (
    networks: NetworksReading,
    tried: Attempt,
    { user, isStopped }: { readonly user: EntityHistory; readonly isStopped: boolean },
  ) =>
    Promise.allSettled(
      networkEffect.write(
        {},
        {
          prepared: { attempt: tried },
          readings: { networks },
          facts: { user },
          familiarity: { isStopped },
        } as Screened,
        LIMIT_MS,
      ),
    );

  describe('the networks of an attempt', () => {
    it('are the /24 or /48 around the IP address, and its ASN if that is known', () => {
      expect(refs.map(({ kind, name }) => [kind, name])).toEqual([
        ['network', 'network'],
        ['network', 'asn'],
      ]);
      const keysOf = (ip: string) =>
        networksOf(entityNames(ACCOUNT, PUBLIC_PSEUDONYMS), ip, undefined).map(({ key }) => key);
      expect(keysOf('91.0.0.200')).toEqual([refs[0]?.key]);
      expect(keysOf('91.0.1.1')).not.toEqual([refs[0]?.key]);
      expect(keysOf('2001:db8:1:2::1')).toEqual(keysOf('2001:db8:1:ffff::9'));
      expect(networksOf(entityNames(ACCOUNT, PUBLIC_PSEUDONYMS), undefined, undefined)).toEqual([]);
      expect(networksOf(entityNames('acc_2', PUBLIC_PSEUDONYMS), '91.0.0.1', undefined)[0]?.key).not.toBe(refs[0]?.key);
    });

    it.each([
      ['a payment from an IP that the user knows', attempt(), { user: user(true) }, false],
      ['a payment from an IP that is new to the user', attempt(), { user: user(false) }, true],
      ['the same on a mobile network', attempt({ network: 'mobile' }), { user: user(false) }, false],
      ['a payment whose user could not be read', attempt(), { user: undefined }, false],
      ['a payment that was stopped', attempt({ network: 'mobile' }), { user: user(true), isStopped: true }, true],
      ['a signup', attempt({ action: 'signup', network: 'mobile' }), { user: user(true) }, true],
      ['a failed login at home', attempt({ action: 'login', outcome: 'failed' }), { user: user(true) }, false],
      [
        'a failed login from elsewhere, by phone',
        attempt({ action: 'login', outcome: 'failed', network: 'mobile' }),
        { user: user(false) },
        true,
      ],
    ] as const)('count %s, or not', (_title, tried, circumstances, counts) => {
      expect(countsOnNetworks(tried, { isStopped: false, ...circumstances })).toBe(counts);
    });

    it('are read first, and count only what counts there', async () => {
      const { networks } = memoryTable();
      const read = (at_ms: number) => readNetworks(networks, { attempt: attempt({ at_ms }), refs });
      const first = await read(START_MS);
      expect(first.facts.network_history?.transactions.total).toBe(0);
      await recordOnNetworks(first, attempt(), { user: user(true), isStopped: false });
      expect((await read(START_MS + 1)).facts.network_history?.transactions.total).toBe(0);
      await recordOnNetworks(first, attempt(), { user: user(false), isStopped: false });
      const { facts, missing } = await read(START_MS + 2);
      expect(facts.network_history?.transactions.total).toBe(1);
      expect(facts.asn_history?.transactions.windows['10m'].count).toBe(1);
      expect(missing).toEqual([]);
    });

    it.each([
      ['the first purchase within an hour of the signup', attempt(), { signedUp: 3_600_000, total: 0 }, true],
      ['one that comes later', attempt(), { signedUp: 3_600_001, total: 0 }, false],
      ['another of the same account', attempt(), { signedUp: 60_000, total: 1 }, false],
      ['one of an account that never signed up', attempt(), { signedUp: undefined, total: 0 }, false],
      ['the signup itself', attempt({ action: 'signup' }), { signedUp: 60_000, total: 0 }, false],
    ] as const)('beside them, the pattern of an email address counts %s, or not', (_title, tried, before, counts) => {
      const buyer = {
        ...NEVER_SEEN,
        last_event_ms: before.signedUp === undefined ? {} : { signup: START_MS - before.signedUp },
        transactions: { ...NEVER_SEEN.transactions, total: before.total },
      };
      expect(countsOnPattern(tried, buyer)).toBe(counts);
      expect(countsOnPattern(tried, undefined)).toBe(false);
    });

    it('are counted apart from the pattern of the email address', async () => {
      const { networks } = memoryTable();
      const custom_attributes = { email: 'john.smith381@mail.example' };
      const pattern = emailPatternOf(
        entityNames(ACCOUNT, PUBLIC_PSEUDONYMS),
        { action: 'transaction', custom_attributes },
        DEFAULT_SETTINGS,
      );
      const read = (at_ms: number) =>
        readNetworks(networks, { attempt: attempt({ at_ms }), refs: [...refs, ...pattern] });
      const totals = async (at_ms: number) => {
        const { facts } = await read(at_ms);
        return [facts.network_history, facts.email_pattern_history].map((history) => history?.transactions.total);
      };
      const newcomer = { ...user(true), last_event_ms: { signup: START_MS - 1_000 } };
      await recordOnNetworks(await read(START_MS), attempt(), { user: newcomer, isStopped: false });
      expect(await totals(START_MS + 1)).toEqual([0, 1]);
      const regular = { ...user(false), transactions: { ...NEVER_SEEN.transactions, total: 9 } };
      await recordOnNetworks(await read(START_MS), attempt(), { user: regular, isStopped: false });
      expect(await totals(START_MS + 2)).toEqual([1, 1]);
    });

    it('are missing by name when they cannot be read, and a count that fails is no failure', async () => {
      const broken = { read: () => Promise.reject(new Error('throttled')) };
      const prepared = preparedOf(payment({ action: 'signup' }), { networks: refs });
      const { networks: without, ...rest } = await readSources({ ...SCREENING_STAND_INS, networks: broken }, prepared);
      expect(without).toEqual({ facts: {}, missing: ['network', 'asn'], readings: [] });
      const [ref] = refs;
      const record = () => Promise.reject(new Error('throttled'));
      const readings = ref === undefined ? [] : [{ ref, history: NEVER_SEEN, record }];
      const screened = decideScreening(prepared, { ...rest, networks: { ...without, readings } });
      const { error, done } = await writeEffects(SCREENING_STAND_INS, screened);
      expect([error, done.map(({ name }) => name).includes('networks')]).toEqual([undefined, false]);
    });

    it('are not asked for without an IP address, and not missing where there is no store of them', async () => {
      const nothing = { facts: {}, missing: [], readings: [] };
      const { networks } = memoryTable();
      expect(await readNetworks(networks, { attempt: attempt(), refs: [] })).toEqual(nothing);
      const without = await readNetworks(networkSource.standIn.networks, { attempt: attempt(), refs });
      expect([without.facts.network_history, without.missing]).toEqual([undefined, []]);
    });
  });
});

describe('screening lists', () => {
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
      budgetMs: (ms) => ms,
      lists: deps.lists,
      held: deps.entries,
      onFailure: () => undefined,
    });
    const screening: ScreenSubjectDeps = {
      ...SCREENING_STAND_INS,
      clock: deps.clock,
      newUlid,
      intelligence: standInIntelligence({ lookup: () => ({ country: 'DE', network: 'other' }) }),
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
});
