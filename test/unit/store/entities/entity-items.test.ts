import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Attempt } from '../../../../shared/domain/entities/entity-history';
import { entityNames } from '../../../../shared/domain/entities/entity-ref';
import { bucketIndex } from '../../../../shared/domain/entities/kind-spec';
import { pseudonymsBy } from '../../../../shared/domain/entities/pseudonyms';
import { PUBLIC_PSEUDONYMS } from '../../../../shared/runtime/stand-ins/screening-stand-ins';
import { setName } from '../../../../shared/store/entities/distinct-sets';
import { surplusMembers } from '../../../../shared/store/entities/failing-users';
import { readItem, SLOT } from '../../../../shared/store/entities/item-reading';
import { packEntities, unpackEntities, wiredEntities } from '../../../../shared/store/entities/packed-entities';
import { readHistory } from '../../../../shared/store/entities/read-history';
import {
  rekeyedEntities,
  rekeyedHistory,
  rekeyedNetwork,
  rekeyItem,
  rekeyLink,
} from '../../../../shared/store/entities/rekey-item';
import { bucketName, LEVELS, namesAt, staleAgeMs } from '../../../../shared/store/entities/time-buckets';
import { entityKey } from '../../../../shared/store/keys';
import { type EntityItem, itemSize, plainItem } from '../../../../shared/store/sdk/attribute-value';
import {
  DAY_MS,
  generator,
  hostileAttempt,
  KINDS,
  learn,
  live,
  newLife,
  ordinaryAttempt,
  START_MS,
} from '../../../support/screening/live-through';
import { sized } from '../../../support/sized';

describe('failing users', () => {
  const MINUTE_MS = 60_000;

  let attempts = 0;
  const login = (user_id: string, at_ms: number, outcome: Attempt['outcome'] = 'failed'): Attempt => ({
    attempt_id: `evt_${++attempts}`,
    at_ms,
    action: 'login',
    outcome,
    user_id,
    device: 'device',
    ip: 'ip',
  });

  /** An IP address after these failed logins: user and seconds since the start. */
  function lifeWith(logins: ReadonlyArray<readonly [string, number]>) {
    const life = newLife('ip');
    for (const [user, seconds] of logins) live(life, login(user, START_MS + seconds * 1000));
    return life;
  }

  const failingAt = (life: ReturnType<typeof newLife>, seconds: number) =>
    readHistory('ip', life.item, START_MS + seconds * 1000).failing_users;

  describe('the users whose logins failed', () => {
    it('are counted once each, however often they fail', () => {
      const life = lifeWith(Array.from({ length: 60 }, (_, n) => [`user-${n % 7}`, n] as const));
      expect(failingAt(life, 60)?.count).toBe(7);
    });

    it('are not those whose logins succeeded, nor of payments', () => {
      const life = newLife('ip');
      live(life, login('ann', START_MS, 'succeeded'));
      live(life, { ...login('ben', START_MS), action: 'transaction' });
      expect(failingAt(life, 1)).toEqual({ count: 0, includes_user: false, last_spray_ms: undefined });
    });

    it('tell whether the user of the attempt is among them', () => {
      const life = lifeWith([['ann', 0]]);
      const readBy = (user: string) => readHistory('ip', life.item, login(user, START_MS + 1000)).failing_users;
      expect([readBy('ann')?.includes_user, readBy('ben')?.includes_user]).toEqual([true, false]);
    });

    it('are those of the last five minutes, and of at most half a minute more', () => {
      const plan = fc.array(fc.tuple(fc.nat(30), fc.nat(1_200)), { maxLength: 60 });
      fc.assert(
        fc.property(plan, fc.integer({ min: 0, max: 1_300 }), (logins, now) => {
          const past = logins.filter(([, seconds]) => seconds <= now).sort((a, b) => a[1] - b[1]);
          const within = (seconds: number) =>
            new Set(past.filter(([, at]) => at > now - seconds).map(([user]) => user)).size;
          const found = failingAt(lifeWith(past.map(([user, at]) => [`user-${user}`, at])), now)?.count ?? -1;
          expect(found).toBeGreaterThanOrEqual(within(300));
          expect(found).toBeLessThanOrEqual(within(331));
        }),
        { numRuns: sized(200, 50) },
      );
    });

    it('make a spray from the 15th on, which is remembered', () => {
      const spray = (users: number) =>
        lifeWith(Array.from({ length: users }, (_, n) => [`user-${n}`, n * 10] as const));
      expect(failingAt(spray(14), 200)).toMatchObject({ count: 14, last_spray_ms: undefined });
      expect(failingAt(spray(15), 200)).toMatchObject({ count: 15, last_spray_ms: START_MS + 140_000 });
      expect(failingAt(spray(15), 3_000)).toMatchObject({ count: 0, last_spray_ms: START_MS + 140_000 });
    });

    it('take a bounded part of the item, and a thousand of them still read as a spray', () => {
      const life = lifeWith(Array.from({ length: 1_000 }, (_, n) => [`user-${n}`, n / 4] as const));
      expect(life.largestBytes).toBeLessThanOrEqual(1_000);
      expect(failingAt(life, 250)?.count).toBeGreaterThanOrEqual(20);
    });

    it('leave nothing behind but the time once they are over', () => {
      const life = lifeWith(Array.from({ length: 20 }, (_, n) => [`user-${n}`, n] as const));
      const before = itemSize(life.item);
      live(life, login('late', START_MS + 16 * MINUTE_MS));
      expect(itemSize(life.item)).toBeLessThan(before - 60);
    });

    it('are in sets whose names go stale, at any time of the year, and are never those of anything else', () => {
      const names = new Set<string>();
      for (let day = 0; day < 265; day++) {
        for (const level of LEVELS) {
          const index = Math.floor((START_MS + day * 86_400_000) / level.bucketMs);
          const name = bucketName(level, index);
          const isOurs = staleAgeMs(name, START_MS + day * 86_400_000);
          const isGone = staleAgeMs(name, START_MS + (day + 100) * 86_400_000) ?? 0;
          expect([level.window, isOurs, isGone > 0]).toEqual([level.window, 0, true]);
          names.add(`${name} ${LEVELS.indexOf(level)}`);
        }
      }
      expect(new Set([...names].map((each) => each.split(' ')[0])).size).toBe(names.size);
    });

    it('lose the earliest first when there are too many', () => {
      const members = Array.from(
        { length: 30 },
        (_, n) => `u${String.fromCharCode(65 + (n >> 4), 65 + (n & 15))}${'ABCDEFGHIJ'[n % 10]}`,
      );
      const surplus = surplusMembers(members);
      expect(surplus).toHaveLength(10);
      expect(new Set(surplus.map((member) => member.charAt(3)))).toEqual(new Set(['A', 'B', 'C', 'D']));
    });
  });
});

describe('fraud streak', () => {
  const since = (life: ReturnType<typeof newLife>, atMs: number) =>
    readHistory('attribute', life.item, atMs).fraud_since_ms;

  const terminal = () => {
    const life = newLife('attribute');
    live(life, ordinaryAttempt(generator(1), 0, START_MS));
    return life;
  };

  describe('when the trouble of an entity began', () => {
    it('is told by its first fraud and not by later ones, until it is 30 to 60 days ago', () => {
      const life = terminal();
      const first = START_MS + 5 * DAY_MS;
      for (let day = 5; day < 20; day++) learn(life, { label: 'fraud', known_at_ms: START_MS + day * DAY_MS });
      expect(since(life, START_MS + 20 * DAY_MS)).toBe(first);
      expect(since(life, first + 29 * DAY_MS)).toBe(first);
      expect(since(life, first + 61 * DAY_MS)).toBeUndefined();
    });

    it('is not told by honest labels', () => {
      const life = terminal();
      learn(life, { label: 'legitimate', known_at_ms: START_MS + DAY_MS });
      expect(since(life, START_MS + 2 * DAY_MS)).toBeUndefined();
    });

    it('stays where it was when another fraud is confirmed', () => {
      const times = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 20 });
      fc.assert(
        fc.property(times, fc.nat(220), (days, lookDay) => {
          const life = terminal();
          const look = START_MS + lookDay * DAY_MS;
          let before: number | undefined;
          for (const day of days.sort((a, b) => a - b).filter((d) => d <= lookDay)) {
            learn(life, { label: 'fraud', known_at_ms: START_MS + day * DAY_MS });
            const now = since(life, look);
            if (before !== undefined) expect(now).toBe(before);
            before = now;
          }
        }),
        { numRuns: sized(200, 50) },
      );
    });
  });

  it('the last label is what came last, whatever came before', () => {
    const life = terminal();
    const last = () => readHistory('attribute', life.item, START_MS + 9 * DAY_MS).last_label;
    expect(last()).toBeUndefined();
    learn(life, { label: 'fraud', known_at_ms: START_MS + DAY_MS });
    expect(last()).toBe('fraud');
    learn(life, { label: 'legitimate', known_at_ms: START_MS + 2 * DAY_MS });
    expect(last()).toBe('legitimate');
  });
});

describe('item reading', () => {
  const anyLife = fc.record({
    kind: fc.constantFrom(...KINDS),
    seed: fc.nat(),
    gapsMs: fc.array(fc.oneof(fc.nat(100_000), fc.nat(DAY_MS), fc.nat(70 * DAY_MS)), { minLength: 1, maxLength: 40 }),
  });

  /** An entity that lived through what a seed says, and when it ended. */
  function livedThrough({ kind, seed, gapsMs }: typeof anyLife extends fc.Arbitrary<infer Life> ? Life : never) {
    const random = generator(seed);
    const life = newLife(kind);
    let atMs = START_MS;
    for (const [number, gapMs] of gapsMs.entries()) {
      atMs += gapMs;
      live(life, (random() < 0.5 ? hostileAttempt : ordinaryAttempt)(random, number, atMs));
      if (random() < 0.3) learn(life, { label: random() < 0.5 ? 'fraud' : 'legitimate', known_at_ms: atMs });
    }
    return { item: plainItem(life.item), live: life.item, atMs };
  }

  test('one walk finds what looking every name up finds, and the size', () => {
    fc.assert(
      fc.property(anyLife, fc.nat(40 * DAY_MS), (lived, laterMs) => {
        const { item, atMs } = livedThrough(lived);
        const nowMs = atMs + laterMs;
        const { values, bytes } = readItem(item, nowMs);
        expect(bytes).toBe(itemSize(item));
        for (const level of LEVELS) {
          const names = namesAt(level, bucketIndex(level, nowMs)).slice(0, level.live);
          const first = SLOT.buckets + level.slot;
          expect(Array.from(values.slice(first, first + level.live))).toEqual(names.map((name) => item[name]));
        }
        expect([values[SLOT.sets], values[SLOT.sets + 1]]).toEqual([
          item[setName('users', nowMs)],
          item[setName('users', nowMs, 1)],
        ]);
        expect([values[SLOT.firstSeen], values[SLOT.legitimate], values[SLOT.changes + 5]]).toEqual([
          item.b,
          item.ll,
          item.c6,
        ]);
      }),
    );
  });

  test('the names of a level are those of its buckets, from whatever time to whatever time the clock jumps', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LEVELS),
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2 }),
        (level, jumps) => {
          let index = bucketIndex(level, START_MS);
          for (const jump of jumps) {
            index += jump - 10;
            const names = Array.from({ length: level.live + 2 }, (_, age) => bucketName(level, index - age));
            expect(namesAt(level, index)).toEqual(names);
          }
        },
      ),
    );
  });

  test('a history does not depend on the order in which a store hands the attributes over, nor on what holds them', () => {
    fc.assert(
      fc.property(anyLife, (lived) => {
        const { item, live, atMs } = livedThrough(lived);
        const turned: EntityItem = Object.fromEntries(Object.entries(item).reverse());
        expect(readHistory(lived.kind, turned, atMs)).toEqual(readHistory(lived.kind, item, atMs));
        expect(readHistory(lived.kind, live, atMs)).toEqual(readHistory(lived.kind, item, atMs));
      }),
    );
  });
});

describe('packed entities', () => {
  const names = entityNames('acc_1', PUBLIC_PSEUDONYMS);
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  /** Keys of every kind, as today's code makes them, and as results from before may have them. */
  const key = fc.oneof(
    text.map((value) => names.exact('user', value).key),
    text.map((value) => names.exact('device', value).key),
    text.map((value) => names.exact('network', value).key),
    fc.tuple(text, text).map(([name, value]) => names.exact('attribute', value, name).key),
    fc.string({ unit: 'binary', maxLength: 300 }),
  );

  describe('the entities of a result', () => {
    it('are the same after packing, whatever their keys, also as a stream and a scan have them', () => {
      fc.assert(
        fc.property(fc.array(key, { maxLength: 12 }), (keys) => {
          const packed = packEntities(keys);
          expect(unpackEntities(packed)).toEqual(keys);
          if (!(packed instanceof Uint8Array)) return;
          expect(unpackEntities(Buffer.from(packed).toString('base64'))).toEqual(keys);
          expect(wiredEntities({ B: new Uint8Array(packed) })).toEqual(keys);
        }),
        { numRuns: sized(500, 125) },
      );
    });

    it('are smaller, and still read as a list', () => {
      const attribute = names.exact('attribute', '4242', 'card_fingerprint');
      const keys = [names.exact('user', 'u'), names.exact('device', 'd'), names.exact('ip', '91.0.0.1'), attribute].map(
        (ref) => ref.key,
      );
      // Three kinds of 19 bytes, and a name with its length.
      expect((packEntities(keys) as Uint8Array).length).toBe(3 * 19 + 36);
      expect(unpackEntities(keys)).toEqual(keys);
      expect(wiredEntities({ L: keys.map((S) => ({ S })) })).toEqual(keys);
      expect([unpackEntities(undefined), wiredEntities(undefined)]).toEqual([[], []]);
    });
  });
});

describe('rekey item', () => {
  const [one, two] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
  const newest = pseudonymsBy([one, two]);
  const { key: wanted } = entityNames('acc_1', newest).user('ann');
  const unkeyed = `user#${createHash('sha256').update('acc_1\nuser\nann').digest('base64url').slice(0, 22)}`;
  const older = entityNames('acc_1', pseudonymsBy([one])).user('ann').key;

  const stored = (key: string) => ({
    ...{ pk: { S: entityKey('acc_1', key).pk }, sk: { S: 'ENTITY' }, f: { N: '1' }, n: { N: '5' }, lf: { N: '2' } },
    ...{ k3: { SS: ['DE'] }, v3: { SS: ['ab'] }, u3: { SS: ['ab'] }, d0: { S: 'abcdef1' }, c1: { N: '3' } },
  });

  describe('the history of an entity', () => {
    it.each([
      ['no key', unkeyed],
      ['an older key', older],
    ])('named by %s is found by the newest, without what the older one hashed', (_, key) => {
      const { v3, u3, d0, pk, ...kept } = stored(key);
      expect(rekeyItem(newest, stored(key))).toEqual({ ...kept, pk: { S: entityKey('acc_1', wanted).pk } });
    });

    it('that has the newest name, and every other item, stays where it is', () => {
      expect(rekeyItem(newest, stored(wanted))).toBeUndefined();
      expect(rekeyItem(newest, { pk: { S: 'SUBJECT#acc_1#x' }, sk: { S: 'RESULT' } })).toBeUndefined();
    });

    it('is followed by what is counted by it, without the values that the older key hashed', () => {
      const counted = (key: string) => ({
        ...{ pk: { S: entityKey('acc_1', `3~counter.7#${key.slice('user#'.length)}`).pk }, sk: { S: 'ENTITY' } },
        ...{ ow: { S: key }, b0abc: { N: '2' }, sp: { N: '9' } },
      });
      expect(rekeyItem(newest, { ...counted(older), 'vAb_-9': { N: '1' } })).toEqual(counted(wanted));
    });

    it('is followed by references, sources and what is kept of old screenings', () => {
      const [from, to] = [older, wanted].map((key) => key.slice('user#'.length));
      for (const kind of ['REFERENCE', 'SOURCE']) {
        const item = { pk: { S: `${kind}#acc_1#${from}` }, sk: { S: 'x' }, ulid: { S: 'U' } };
        expect(rekeyItem(newest, item)).toEqual({ ...item, pk: { S: `${kind}#acc_1#${to}` } });
        const owned = rekeyItem(newest, { ...item, of_user: { S: from as string } });
        expect(owned).toEqual({ ...item, pk: { S: `${kind}#acc_1#${to}` }, of_user: { S: to } });
      }
      const kept = {
        pk: { S: 'KEPT#acc_1#U' },
        sk: { S: 'KEPT' },
        entity: { S: 'kept' },
        entities: { L: [{ S: older }] },
      };
      expect(rekeyItem(newest, kept)).toBeUndefined();
      expect(rekeyedEntities(newest, kept)).toEqual([wanted]);
      const network = (key: string) => key.replace('user#', 'network#');
      for (const nw of [{ L: [{ S: network(older) }] }, { B: packEntities([network(older)]) }] as const)
        expect(rekeyedNetwork(newest, { ...kept, nw })).toBe(network(wanted));
      expect(rekeyedNetwork(newest, { ...kept, nw: { L: [{ S: network(wanted) }] } })).toBeUndefined();
      expect(rekeyedNetwork(newest, kept)).toBeUndefined();
    });

    it('gets the labels of results that were screened under its older name', () => {
      const result = (keys: readonly string[]) => ({
        ...{ pk: { S: 'SUBJECT#acc_1#x' }, sk: { S: 'RESULT' }, entity: { S: 'screening' } },
        entities: { L: keys.map((S) => ({ S })) },
      });
      expect(rekeyedEntities(newest, result([unkeyed, older]))).toEqual([wanted, wanted]);
      expect(rekeyedEntities(newest, result([wanted]))).toBeUndefined();
      expect(rekeyedEntities(newest, stored(unkeyed))).toBeUndefined();
      const packed = { ...result([]), entities: { B: packEntities([unkeyed, older]) } };
      expect(rekeyedEntities(newest, packed)).toEqual([wanted, wanted]);
      expect(rekeyedEntities(newest, { ...packed, entities: { B: packEntities([wanted]) } })).toBeUndefined();
    });

    it('is followed by the results in the user’s history, and by links at both ends', () => {
      const at = (key: string) => key.slice('user#'.length);
      const listed = (key: string) => ({ history_pk: { S: `HISTORY#acc_1#${at(key)}` } });
      expect(rekeyedHistory(newest, listed(older))).toBe(`HISTORY#acc_1#${at(wanted)}`);
      expect(rekeyedHistory(newest, listed(wanted))).toBeUndefined();
      expect(rekeyedHistory(newest, {})).toBeUndefined();
      const link = (device: string, user: string) => ({
        pk: { S: `LINKS#acc_1#device#${at(device)}` },
        sk: { S: at(user) },
        since_ms: { N: '1' },
      });
      expect(rekeyLink(newest, link(older, older))).toEqual(link(wanted, wanted));
      expect(rekeyLink(newest, link(wanted, wanted))).toBeUndefined();
      expect(rekeyLink(newest, stored(older))).toBeUndefined();
    });
  });
});
