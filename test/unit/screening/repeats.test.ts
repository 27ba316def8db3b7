import fc from 'fast-check';
import { DomainError } from '../../../shared/domain/errors';
import { type IdempotencyClaim, idempotencyClaim } from '../../../shared/domain/idempotency';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import { SCREENING_STAND_INS, standInIntelligence } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { type ScreenSubjectDeps, screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { type Around, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { DAY, HOUR, IP, MINUTE, type Shop, shopBySignals, shopInMemory, VICTIM } from '../../support/shop-in-memory';
import { sized } from '../../support/sized';
import { callerOf, payment } from '../../support/traffic/payment';

describe('repeats', () => {
  /*
   * Requests with one Idempotency-Key, in every order that their calls to the table can arrive in: fast-check picks it.
   */
  function tableInMemory(around: Around) {
    const table = memoryTable();
    const deps = (nowMs: () => number): ScreenSubjectDeps => ({
      ...SCREENING_STAND_INS,
      clock: { now: nowMs },
      newUlid,
      pause: () => around('pause', async () => undefined),
      intelligence: standInIntelligence({ lookup: () => ({ country: 'DE', network: 'other' }) }),
      entities: interpose(table.entities, around),
      claims: interpose(table.claims, around),
      screenings: interpose(table.screenings, around),
    });
    return { table, deps };
  }

  type World = ReturnType<typeof tableInMemory>;

  const atOnce: Around = (_call, apply) => apply();

  const START_MS = Date.UTC(2026, 10, 16, 12);
  const ACCOUNT = 'acc_1';
  const KEY_CLAIM = idempotencyClaim('POST', '/v1/transactions/screen', 'one-key', payment());

  const totals = ({ table }: World, keys: readonly string[]): Promise<(number | undefined)[]> =>
    Promise.all(
      keys.map(async (key) => {
        const profile = await table.entities.profile(ACCOUNT, 'attribute', key, START_MS + 5_000);
        return profile?.transactions.total;
      }),
    );
  const recordsOf = ({ table }: World): ScreeningRecord[] => table.screenings.all();

  /** Sends it as a client does that repeats what failed, until it has an answer; tells how often it came too early. */
  async function send(deps: ScreenSubjectDeps, subject: Subject, claim: IdempotencyClaim): Promise<number> {
    let early = 0;
    for (let tries = 0; tries < 5; tries++) {
      const reply = await screenSubject(deps, callerOf(ACCOUNT), subject, claim).catch((error: Error) => error);
      if (!(reply instanceof Error)) break;
      if (reply instanceof DomainError && reply.code === 'idempotency_in_progress') early += 1;
    }
    return early;
  }

  describe('requests with one Idempotency-Key', () => {
    it('count once on every entity, in whatever order their calls arrive, and nothing has to be taken back', async () => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 6 }), async (scheduler, requests) => {
          const calls: string[] = [];
          const world = tableInMemory((call, apply) => {
            calls.push(call);
            return scheduler.schedule(Promise.resolve(), call).then(apply);
          });
          let clock = START_MS;
          const deps = world.deps(() => clock++);
          const sending = Promise.all(Array.from({ length: requests }, () => send(deps, payment(), KEY_CLAIM)));
          await scheduler.waitFor(sending);
          const [record] = recordsOf(world);
          expect(recordsOf(world).length).toBe(1);
          expect(await totals(world, record?.entities ?? [])).toEqual([1, 1, 1, 1]);
          expect(calls.filter((call) => call.startsWith('removeAttempt'))).toEqual([]);
        }),
        { numRuns: sized(50, 15) },
      );
    });

    it('count once on a busy entity too, whose marks others overwrite in between', async () => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, requests) => {
          const world = tableInMemory((call, apply) => scheduler.schedule(Promise.resolve(), call).then(apply));
          let clock = START_MS;
          const deps = world.deps(() => clock++);
          const others = 6;
          const busy = Array.from({ length: others }, () => screenSubject(deps, callerOf(ACCOUNT), payment()));
          const sending = Promise.all(Array.from({ length: requests }, () => send(deps, payment(), KEY_CLAIM)));
          const [early] = await scheduler.waitFor(Promise.all([sending, Promise.all(busy)]));
          const [record] = recordsOf(world);
          expect(recordsOf(world).length).toBe(1 + others);
          // A repeat that comes too early (409) cannot know whether the first one rests on its count, and leaves it.
          const most = 1 + others + early.reduce((sum, times) => sum + times, 0);
          for (const total of await totals(world, record?.entities ?? [])) {
            expect(total).toBeGreaterThanOrEqual(1 + others);
            expect(total).toBeLessThanOrEqual(most);
          }
        }),
        { numRuns: sized(50, 15) },
      );
    });

    it('count once although calls fail, when the client repeats them', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 4 }),
          async (scheduler, faults) => {
            let calls = 0;
            const failing = /^(claim|insert)/;
            const world = tableInMemory((call, apply) =>
              scheduler.schedule(Promise.resolve(), call).then(() => {
                if (failing.test(call) && faults.includes(calls++)) throw new Error(`${call} failed`);
                return apply();
              }),
            );
            let clock = START_MS;
            const deps = world.deps(() => clock++);
            const sending = Promise.all(Array.from({ length: 3 }, () => send(deps, payment(), KEY_CLAIM)));
            await scheduler.waitFor(sending);
            const [record] = recordsOf(world);
            expect(recordsOf(world).length).toBe(1);
            expect(await totals(world, record?.entities ?? [])).toEqual([1, 1, 1, 1]);
          },
        ),
        { numRuns: sized(50, 15) },
      );
    });

    it('give the first one the history as it was before all of them', async () => {
      const world = tableInMemory(atOnce);
      let clock = START_MS;
      const deps = world.deps(() => clock++);
      // The repeat is faster on the way to the entities and slower on the way to the claim.
      const late = { ...deps, claims: { ...deps.claims, claim: () => Promise.reject(new Error('timed out')) } };
      await screenSubject(late, callerOf(ACCOUNT), payment(), KEY_CLAIM).catch(() => undefined);
      const after = await screenSubject(deps, callerOf(ACCOUNT), payment(), KEY_CLAIM);
      const fresh = tableInMemory(atOnce);
      const alone = await screenSubject(
        fresh.deps(() => START_MS + 1),
        callerOf(ACCOUNT),
        payment(),
      );
      expect(after.record.vector).toEqual(alone.record.vector);
      expect(await totals(world, after.record.entities)).toEqual([1, 1, 1, 1]);
    });

    it('count nothing with another body', async () => {
      const world = tableInMemory(atOnce);
      let clock = START_MS;
      const deps = world.deps(() => clock++);
      const { record } = await screenSubject(deps, callerOf(ACCOUNT), payment(), KEY_CLAIM);
      const other = payment({ amount: 26 });
      const claim = idempotencyClaim('POST', '/v1/transactions/screen', 'one-key', other);
      for (let tries = 0; tries < 3; tries++) {
        const refused = screenSubject(deps, callerOf(ACCOUNT), other, claim);
        await expect(refused).rejects.toMatchObject({ code: 'idempotency_mismatch' });
      }
      expect(await totals(world, record.entities)).toEqual([1, 1, 1, 1]);
    });
  });
});

describe('repeated attempts', () => {
  /*
   * Two shops live through the same honest days. In one of them attempts are stopped in between, whatever their score, as
   * by an account that reviews or blocks everything. Then both see the same attempt: where attempts were stopped, it never
   * scores lower, and never lower than the same attempt did when it was stopped.
   */
  const anyAttempt = fc.record({
    user: fc.constantFrom('ann', 'ann', 'bob'),
    amount: fc.constantFrom(5, 40, 300, 900, 5_000),
    event: fc.constantFrom(undefined, undefined, undefined, 'login', 'signup', 'password_reset'),
    device: fc.constantFrom('laptop', 'thief', 'second', undefined),
    ip: fc.constantFrom(IP.home, IP.abroad, IP.farAway, undefined),
    card: fc.constantFrom('own', 'stolen', undefined),
    billing: fc.constantFrom('DE', undefined),
  });
  type AnyAttempt = typeof anyAttempt extends fc.Arbitrary<infer Made> ? Made : never;

  const anyWait = fc.constantFrom(10_000, 5 * MINUTE, HOUR, 7 * HOUR, 26 * HOUR, 3 * DAY);

  const settings = { ...callerOf('acc_1').settings, review_threshold: 0 };
  const REVIEWS_ALL = { ...callerOf('acc_1'), settings: { ...settings, block_threshold: 101 } };
  const BLOCKS_ALL = { ...callerOf('acc_1'), settings: { ...settings, block_threshold: 0 } };

  function make(shop: Shop, { user, amount, event, device, ip, card, billing }: AnyAttempt, as = callerOf('acc_1')) {
    const what = {
      ...(device === undefined ? {} : { device_fingerprint: device }),
      ...(ip === undefined ? {} : { ip_address: ip }),
      ...(card === undefined ? {} : { custom_attributes: { card_fingerprint: card } }),
      ...(billing === undefined ? {} : { billing_address: { country: billing } }),
    };
    return event === undefined ? shop.pay(user, amount, what, as) : shop.act(event as 'login', user, what, as);
  }

  async function honestDays(shop: Shop, purchases: number): Promise<void> {
    for (let i = 0; i < purchases; i++) {
      await shop.pay('ann', 20 + ((i * 7) % 15), { ...VICTIM, custom_attributes: { card_fingerprint: 'own' } });
      shop.pass(2 * DAY);
    }
  }

  const plan = fc.record({
    purchases: fc.constantFrom(0, 1, 5, 12),
    stopped: fc.array(fc.record({ attempt: anyAttempt, waitMs: anyWait, isBlocked: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    }),
    last: fc.nat(),
  });

  type Plan = typeof plan extends fc.Arbitrary<infer Made> ? Made : never;

  const repeatedIn = ({ stopped, last }: Plan): AnyAttempt =>
    (stopped[last % stopped.length] as Plan['stopped'][number]).attempt;

  /** The scores of the repeated attempt each time it was stopped, and its last one. */
  async function liveThrough(shop: Shop, made: Plan) {
    const repeated = repeatedIn(made);
    await honestDays(shop, made.purchases);
    const scores: number[] = [];
    for (const { attempt, waitMs, isBlocked } of made.stopped) {
      const record: ScreeningRecord = await make(shop, attempt, isBlocked ? BLOCKS_ALL : REVIEWS_ALL);
      expect(record.automated_decision).not.toBe('allow');
      if (attempt === repeated) scores.push(record.risk_score);
      shop.pass(waitMs);
    }
    return { scores, last: (await make(shop, repeated)).risk_score };
  }

  async function liveQuietly(shop: Shop, made: Plan): Promise<number> {
    await honestDays(shop, made.purchases);
    for (const { waitMs } of made.stopped) shop.pass(waitMs);
    return (await make(shop, repeatedIn(made))).risk_score;
  }

  it.each([
    ['with the model that ships', () => shopInMemory()],
    ['by signals alone', shopBySignals],
  ])('no sequence of stopped attempts lowers the score of the next one, %s', async (_, openShop) => {
    await fc.assert(
      fc.asyncProperty(plan, async (made) => {
        const { last } = await liveThrough(openShop(), made);
        expect(last).toBeGreaterThanOrEqual(await liveQuietly(openShop(), made));
      }),
      { numRuns: sized(5_000, 60) },
    );
  });

  it('a password reset that was stopped long ago does not lower a score, with the model that ships', async () => {
    const login = {
      user: 'ann',
      amount: 5,
      event: 'login',
      device: undefined,
      ip: undefined,
      card: 'stolen',
      billing: 'DE',
    } as const;
    const stopped = (event: 'signup' | 'password_reset' | 'login', waitMs: number) => ({
      attempt: { ...login, event },
      waitMs,
      isBlocked: false,
    });
    const made: Plan = {
      purchases: 0,
      stopped: [stopped('password_reset', 3 * DAY), stopped('login', 10_000)],
      last: 1,
    };
    const { last } = await liveThrough(shopInMemory(), made);
    expect(last).toBeGreaterThanOrEqual(await liveQuietly(shopInMemory(), made));
  });

  it('no attempt scores lower than it did when it was stopped, with the model that ships', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (made) => {
        // As many as a user's history keeps marks of; of more, those with the highest scores count.
        const { scores, last } = await liveThrough(shopInMemory(), { ...made, stopped: made.stopped.slice(0, 4) });
        expect(last).toBeGreaterThanOrEqual(Math.max(...scores));
      }),
      { numRuns: sized(2_000, 80) },
    );
  });
});
