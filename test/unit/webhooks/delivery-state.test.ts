import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { ClaimTaken, idempotencyClaim } from '../../../shared/domain/idempotency';
import {
  cancel,
  claim,
  concludeAttempt,
  DELIVERY_RETENTION_MS,
  type Delivery,
  type DeliveryPage,
  type DeliveryState,
  newDelivery,
  type Pending,
  postpone,
  queueDelayMs,
  type Result,
  sweep,
  watchAtMs,
} from '../../../shared/domain/webhooks/delivery';
import { queueMessageOf } from '../../../shared/domain/webhooks/queue-message';
import {
  type DeliveryFailure,
  type DeliveryOutcome,
  MAX_DELIVERY_ATTEMPTS,
  nextStep,
  RETRY_DELAYS_MS,
  retryAfterMs,
} from '../../../shared/domain/webhooks/retry-schedule';
import { deliveryListAnswer } from '../../../shared/http/presenters/webhook-answer';
import { newUlid } from '../../../shared/runtime/ids';
import {
  type DeliveryFilter,
  listDeliveries,
  redeliver,
  testWebhook,
} from '../../../shared/usecases/webhooks/request-delivery';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';
import { sized } from '../../support/sized';
import { callerOf } from '../../support/traffic/payment';
import { screened, tellScreened } from '../../support/webhooks/changes';
import { answers } from '../../support/webhooks/delivery-scene';
import { answered, BLOCKED, NETWORK, TIMEOUT, TLS } from './outcomes';

describe('delivery state', () => {
  const NOW = Date.parse('2026-11-14T12:00:00.000Z');
  const iso = (ms: number): string => new Date(ms).toISOString();
  const random = () => 0.5;

  const claimed = (state: DeliveryState, seen: number, nowMs: number) => {
    const result = claim(state, seen, nowMs);
    if (result.kind !== 'claimed') throw new Error(result.why);
    return result.state;
  };
  const concluded = (state: DeliveryState, result: Omit<Result, 'random'>) => {
    const conclusion = concludeAttempt(state, { ...result, random });
    if (conclusion.kind !== 'concluded') throw new Error(conclusion.kind);
    return conclusion;
  };

  describe('claiming', () => {
    it('takes the next attempt with a lease of 30 s, which is also when it is due again', () => {
      const lease_until = iso(NOW + 30_000);
      const state = { status: 'pending', attempt: 1, next_attempt_at: lease_until, lease_until };
      expect(claim(newDelivery(NOW), 0, NOW)).toEqual({ kind: 'claimed', state });
    });

    it('a duplicate message loses: during the attempt, after it, and after a crash', () => {
      const first = claimed(newDelivery(NOW), 0, NOW);
      expect(claim(first, 0, NOW + 1)).toEqual({ kind: 'lost', why: 'other_attempt' });
      expect(claim(first, 1, NOW + 29_999)).toEqual({ kind: 'lost', why: 'leased' });
      expect(claim(first, 0, NOW + 60_000)).toEqual({ kind: 'lost', why: 'other_attempt' });
      const done = concluded(first, { attempt: 1, outcome: answered(200), endedAtMs: NOW + 50 }).state;
      expect(claim(done, 1, NOW + 60_000)).toEqual({ kind: 'lost', why: 'finished' });
    });

    it('the sweep gives an attempt whose sender died to another; the dead one’s late result loses', () => {
      const first = claimed(newDelivery(NOW), 0, NOW);
      // The hint of an early look arrives when the lease ends, and not before.
      expect(sweep(first, NOW + 10_000)).toBe('queue');
      expect(queueDelayMs(first, NOW + 10_000)).toBe(20_000);
      expect(queueDelayMs(first, NOW + 31_000)).toBe(0);
      const second = claimed(first, 1, NOW + 30_000);
      expect(second.attempt).toBe(2);
      const late = concludeAttempt(second, { attempt: 1, outcome: answered(200), endedAtMs: NOW + 31_000, random });
      expect(late).toEqual({ kind: 'lost' });
    });

    it('waits for the due time, give or take the second that queues are inexact by', () => {
      const due = newDelivery(NOW);
      expect(claim(due, 0, NOW - 1_001)).toEqual({ kind: 'lost', why: 'not_due' });
      expect(claim(due, 0, NOW - 1_000).kind).toBe('claimed');
    });

    it('there is no eleventh attempt, not even after a crash in the tenth', () => {
      const tenth: DeliveryState = { status: 'pending', attempt: 10, next_attempt_at: iso(NOW), lease_until: iso(NOW) };
      expect(claim(tenth, 10, NOW)).toEqual({ kind: 'lost', why: 'exhausted' });
      expect(sweep(tenth, NOW)).toMatchObject({ status: 'failed', reason: 'attempts_exhausted', attempt: 10 });
    });
  });

  describe('settling', () => {
    const running = claimed(newDelivery(NOW), 0, NOW);

    it('a 2xx delivers', () => {
      const state = { status: 'delivered', attempt: 1, completed_at: iso(NOW + 50) };
      expect(concluded(running, { attempt: 1, outcome: answered(204), endedAtMs: NOW + 50 })).toEqual({
        kind: 'concluded',
        state,
        disableEndpoint: false,
      });
    });

    it.each([answered(500), answered(302), TLS, BLOCKED, NETWORK])(
      '%j waits 5 s from its end and frees the lease',
      (outcome) => {
        const { state } = concluded(running, { attempt: 1, outcome, endedAtMs: NOW + 2_000 });
        expect(state).toEqual({ status: 'pending', attempt: 1, next_attempt_at: iso(NOW + 7_000), lease_until: null });
      },
    );

    it('410 fails it and gives the endpoint up', () => {
      const gone = concluded(running, { attempt: 1, outcome: answered(410), endedAtMs: NOW });
      expect(gone).toMatchObject({ state: { status: 'failed', reason: 'endpoint_gone' }, disableEndpoint: true });
    });

    it('an always-500 receiver: ten attempts, then failed', () => {
      let state: DeliveryState = newDelivery(NOW);
      let attempts = 0;
      while (state.status === 'pending') {
        const dueMs: number = Date.parse(state.next_attempt_at);
        const running = claimed(state, state.attempt, dueMs);
        attempts += 1;
        state = concluded(running, { attempt: attempts, outcome: answered(500), endedAtMs: dueMs + 100 }).state;
      }
      expect(attempts).toBe(10);
      expect(state).toMatchObject({ status: 'failed', attempt: 10, reason: 'attempts_exhausted' });
    });

    it('a result without a claim loses', () => {
      expect(
        concludeAttempt(newDelivery(NOW), { attempt: 0, outcome: answered(200), endedAtMs: NOW, random }).kind,
      ).toBe('lost');
    });
  });

  describe('putting off and cancelling', () => {
    it('an open breaker costs no attempt, and never takes a delivery from its sender', () => {
      expect(postpone(newDelivery(NOW), NOW + 30_000, NOW)).toMatchObject({
        attempt: 0,
        next_attempt_at: iso(NOW + 30_000),
      });
      const running = claimed(newDelivery(NOW), 0, NOW);
      expect(postpone(running, NOW + 60_000, NOW + 1)).toBe(running);
    });

    it('ends what is pending, leased or not; no claim and no result follows', () => {
      for (const state of [newDelivery(NOW), claimed(newDelivery(NOW), 0, NOW)]) {
        const ended = cancel(state, 'endpoint_deleted', NOW);
        expect(ended).toMatchObject({ status: 'cancelled', reason: 'endpoint_deleted', attempt: state.attempt });
        expect(claim(ended, state.attempt, NOW + 60_000)).toEqual({ kind: 'lost', why: 'finished' });
        const late = concludeAttempt(ended, { attempt: state.attempt, outcome: answered(500), endedAtMs: NOW, random });
        expect(late.kind).toBe('lost');
        expect(sweep(ended, NOW + 1e9)).toBe('leave');
      }
    });

    it('what is over stays as it is', () => {
      const done = concluded(claimed(newDelivery(NOW), 0, NOW), {
        attempt: 1,
        outcome: answered(200),
        endedAtMs: NOW,
      }).state;
      expect(cancel(done, 'endpoint_disabled', NOW)).toBe(done);
      expect(postpone(done, NOW + 1, NOW)).toBe(done);
    });
  });

  describe('when the sweep looks', () => {
    const due = (inMs: number): Pending => ({
      status: 'pending',
      attempt: 3,
      next_attempt_at: iso(NOW + inMs),
      lease_until: null,
    });

    it('a minute after the hint should have arrived, and ever later the more often it had to', () => {
      expect(watchAtMs(due(0), NOW)).toBe(NOW + 60_000);
      expect(watchAtMs(due(900_000), NOW)).toBe(NOW + 960_000);
      // Overdue: counted from now on.
      expect(watchAtMs(due(-3_600_000), NOW)).toBe(NOW + 60_000);
      const graces = [0, 1, 2, 3, 4, 5, 50].map((requeues) => watchAtMs(due(0), NOW, requeues) - NOW);
      expect(graces).toEqual([60_000, 120_000, 240_000, 480_000, 960_000, 960_000, 960_000]);
    });

    it('five minutes ahead of a wait that no queue can keep', () => {
      expect(watchAtMs(due(900_001), NOW)).toBe(NOW + 900_001 - 300_000);
      expect(sweep(due(900_001), NOW)).toBe('leave');
      expect(sweep(due(300_000), NOW)).toBe('queue');
      expect(queueDelayMs(due(300_000), NOW)).toBe(300_000);
    });
  });

  it('two senders with any messages, crashes and clocks: attempts only grow, at most ten, never two at once, never lost', () => {
    const outcome = fc.constantFrom<DeliveryOutcome | 'crash'>(answered(500), answered(200), TIMEOUT, TLS, 'crash');
    const step = fc.record({ outcome, waitMs: fc.nat(200_000_000), stale: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state: DeliveryState = newDelivery(NOW);
        let nowMs = NOW;
        for (const { outcome, waitMs, stale } of steps) {
          nowMs += waitMs;
          const before: DeliveryState = state;
          const taken = claim(before, stale ? before.attempt - 1 : before.attempt, nowMs);
          if (taken.kind === 'lost') {
            // Pending and unclaimed is always found by the sweep, sooner or later.
            if (before.status === 'pending')
              expect(sweep(before, Date.parse(before.next_attempt_at))).not.toBe('leave');
            continue;
          }
          expect(taken.state.attempt).toBe(before.attempt + 1);
          expect(taken.state.attempt).toBeLessThanOrEqual(10);
          expect(claim(taken.state, taken.state.attempt, nowMs + 10_500).kind).toBe('lost');
          state = taken.state;
          if (outcome === 'crash') continue;
          nowMs += outcome.duration_ms;
          state = concluded(state, { attempt: taken.state.attempt, outcome, endedAtMs: nowMs }).state;
        }
      }),
      { numRuns: sized(500, 125) },
    );
  });
});

describe('retry schedule', () => {
  const NOW = Date.parse('2026-11-14T12:00:00.000Z');
  const MIDDLE = () => 0.5;

  const waitSeconds = (attempt: number, outcome: unknown, random = MIDDLE): number => {
    const step = nextStep({ attempt, outcome: outcome as DeliveryFailure, endedAtMs: NOW, random });
    return step.kind === 'retry' ? (step.atMs - NOW) / 1000 : Number.NaN;
  };

  it('the schedule is the documented one', () => {
    expect(RETRY_DELAYS_MS.map((ms) => ms / 1000)).toEqual([0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
    expect(MAX_DELIVERY_ATTEMPTS).toBe(10);
  });

  it('an always-500 receiver sees 10 attempts, every gap within ±20 %, counted from the end of the failed one', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), (stream) => {
        let endedAtMs = NOW;
        for (let attempt = 1; attempt <= 10; attempt += 1) {
          const random = () => stream.next().value as number;
          const step = nextStep({ attempt, outcome: answered(500) as DeliveryFailure, endedAtMs, random });
          if (attempt === 10) return expect(step).toEqual({ kind: 'exhausted' });
          if (step.kind !== 'retry') throw new Error(step.kind);
          const nominal = RETRY_DELAYS_MS[attempt] ?? Number.NaN;
          expect(Math.abs(step.atMs - endedAtMs - nominal)).toBeLessThanOrEqual(0.2 * nominal + 1);
          endedAtMs = step.atMs + 10_000;
        }
      }),
    );
  });

  it.each([
    ['500', answered(500)],
    ['302', answered(302)],
    ['TLS', TLS],
    ['a blocked address', BLOCKED],
    ['a refused connection', NETWORK],
  ])('%s waits as scheduled, with the whole width of the jitter', (_what, outcome) => {
    expect([0, 0.5, 1].map((dice) => waitSeconds(1, outcome, () => dice))).toEqual([4, 5, 6]);
    expect([0, 0.5, 1].map((dice) => waitSeconds(9, outcome, () => dice))).toEqual([69120, 86400, 103680]);
  });

  it.each([
    ['a time-out', TIMEOUT],
    ['429', answered(429)],
  ])('%s is not retried before 60 s, and later ones keep their schedule', (_what, outcome) => {
    expect([0, 0.5, 1].map((dice) => waitSeconds(1, outcome, () => dice))).toEqual([60, 66, 72]);
    expect([0, 0.5, 1].map((dice) => waitSeconds(2, outcome, () => dice))).toEqual([240, 300, 360]);
  });

  it.each([1, 5, 10])('410 in attempt %i gives the endpoint up', (attempt) => {
    const step = nextStep({ attempt, outcome: answered(410, '5') as DeliveryFailure, endedAtMs: NOW, random: MIDDLE });
    expect(step).toEqual({ kind: 'disable_endpoint' });
  });

  describe('Retry-After', () => {
    it.each([
      ['less than scheduled', { status: 503, attempt: 2, header: '60' }, 300],
      ['more than scheduled', { status: 503, attempt: 2, header: '400' }, 400],
      ['twice the schedule', { status: 503, attempt: 2, header: '600' }, 600],
      ['more than twice', { status: 503, attempt: 2, header: '601' }, 600],
      ['a year', { status: 503, attempt: 2, header: '31536000' }, 600],
      ['beside the 60 s of a 429', { status: 429, attempt: 1, header: '90' }, 90],
      ['at most twice the 60 s', { status: 429, attempt: 1, header: '3600' }, 120],
      ['after a short wait', { status: 503, attempt: 1, header: '8' }, 8],
      ['an HTTP date', { status: 503, attempt: 2, header: 'Sat, 14 Nov 2026 12:08:00 GMT' }, 480],
      ['a date gone by', { status: 503, attempt: 2, header: 'Sat, 14 Nov 2026 11:00:00 GMT' }, 300],
      ['nonsense', { status: 503, attempt: 2, header: 'soon' }, 300],
      ['a negative number', { status: 503, attempt: 2, header: '-5' }, 300],
    ])('%s (%j) waits %i s', (_what, { status, attempt, header }, seconds) => {
      expect(waitSeconds(attempt, answered(status, header))).toBe(seconds);
    });

    it('never shortens a wait, and never makes it more than twice as long', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 9 }),
          fc.constantFrom(429, 500, 503),
          fc.oneof(fc.nat(2e6).map(String), fc.string()),
          fc.double({ min: 0, max: 1, noNaN: true }),
          (attempt, status, header, dice) => {
            const plain = waitSeconds(attempt, answered(status), () => dice);
            const asked = waitSeconds(attempt, answered(status, header), () => dice);
            const nominal = Math.max((RETRY_DELAYS_MS[attempt] ?? 0) / 1000, status === 429 ? 60 : 0);
            expect(asked).toBeGreaterThanOrEqual(plain);
            expect(asked).toBeLessThanOrEqual(Math.max(plain, 2 * nominal));
          },
        ),
      );
    });

    it.each([
      ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
      ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
      ['Sun Nov  6 08:49:37 1994', 37_000],
      [' 12 ', 12_000],
      ['0', 0],
      ['', undefined],
      ['1994', 1_994_000],
      ['12.5', undefined],
      ['99999999999', undefined],
      ['2026-11-14', undefined],
      ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
    ])('reads %j', (header, ms) => {
      expect(retryAfterMs(header, Date.parse('1994-11-06T08:49:00Z'))).toBe(ms);
    });
  });
});

describe('request delivery', () => {
  /** An account with one endpoint. */
  async function world() {
    const scene = memoryDeliveryWorld();
    const { table, clock, accountId } = scene;
    const caller = { account_id: accountId, key_id: 'key_1', settings: DEFAULT_SETTINGS };
    const { webhook_id } = await scene.register(['transaction.screened']);
    const base = { clock, newUlid, endpoints: table.webhooks.merchant };
    const { deliveries, requests } = table;
    const claim = idempotencyClaim('POST', '/v1/x', 'key', {});
    return {
      ...{ scene, table, caller, webhook_id, claim },
      redeliverDeps: { ...base, deliveries, requests },
      testDeps: { ...base, stage: 'sandbox' as const, requests },
      listDeps: { clock, endpoints: table.webhooks.merchant, deliveries },
      record: (delivery: Delivery) => ({ ...claim, status: 202, body: delivery.delivery_id }),
      async delivered(): Promise<string> {
        await scene.relayOrders(tellScreened(accountId, screened(clock.now())));
        await scene.live(1_000);
        return scene.posts.at(-1)?.deliveryId ?? '';
      },
      disable: () => table.webhooks.sender.disable(accountId, webhook_id, 'failing', clock.now()),
    };
  }

  const page = async (listing: Promise<DeliveryPage>) => deliveryListAnswer(await listing);

  describe('a redelivery', () => {
    it('is a new delivery of the same message, whatever became of the first', async () => {
      const { redeliverDeps, caller, webhook_id, delivered, table } = await world();
      const delivery_id = await delivered();
      const again = await redeliver(redeliverDeps, caller, { id: webhook_id, delivery_id });
      const first = await table.deliveries.find({ account_id: caller.account_id, webhook_id, delivery_id });
      expect(again).toMatchObject({
        message_id: first?.message_id,
        origin: 'redelivery',
        redelivery_of: delivery_id,
        state: { status: 'pending', attempt: 0 },
      });
      expect(again.delivery_id).not.toBe(delivery_id);
      expect(await table.deliveries.find(again)).toEqual(again);
    });

    it('is refused for what does not exist, belongs to somebody else or is kept no longer', async () => {
      const { redeliverDeps, caller, webhook_id, delivered, scene } = await world();
      const delivery_id = await delivered();
      const ask = (who: typeof caller, id: string, delivery: string) =>
        redeliver(redeliverDeps, who, { id, delivery_id: delivery });
      const stranger = { ...caller, account_id: 'acc_other' };
      await expect(ask(stranger, webhook_id, delivery_id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(ask(caller, 'wh_none', delivery_id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(ask(caller, webhook_id, 'not an id')).rejects.toMatchObject({ code: 'not_found' });
      await expect(ask(caller, webhook_id, `dlv_${newUlid(scene.clock.now())}`)).rejects.toMatchObject({
        code: 'not_found',
      });
      scene.pass(DELIVERY_RETENTION_MS);
      await expect(ask(caller, webhook_id, delivery_id)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('is refused for a disabled endpoint, with the reason', async () => {
      const { redeliverDeps, caller, webhook_id, delivered, disable } = await world();
      const delivery_id = await delivered();
      await disable();
      await expect(redeliver(redeliverDeps, caller, { id: webhook_id, delivery_id })).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('failing'),
      });
    });

    it('made under one Idempotency-Key is made once, also when the first answer was lost', async () => {
      const { redeliverDeps, caller, webhook_id, delivered, table, record, claim, scene } = await world();
      const ids = { id: webhook_id, delivery_id: await delivered() };
      const losing = {
        ...redeliverDeps,
        requests: interpose(
          table.requests,
          failing(() => 'after'),
        ),
      };
      await expect(redeliver(losing, caller, ids, record)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(redeliver(redeliverDeps, caller, ids, record)).rejects.toBeInstanceOf(ClaimTaken);
      const selection = { statuses: ['pending'], want: 10, nowMs: scene.clock.now() } as const;
      const { deliveries } = await table.deliveries.newest(caller.account_id, webhook_id, selection);
      const recorded = await table.answers.find(caller.account_id, claim.scope, scene.clock.now());
      expect(deliveries.map(({ delivery_id }) => delivery_id)).toEqual([recorded?.body]);
    });
  });

  describe('a test message', () => {
    it('is a delivery of its own to an endpoint that listens to anything', async () => {
      const { testDeps, caller, webhook_id, table, disable, record } = await world();
      const delivery = await testWebhook(testDeps, caller, webhook_id, record);
      expect(delivery).toMatchObject({ origin: 'test', event_type: 'webhook.test', redelivery_of: null });
      const queueMessage = queueMessageOf(delivery);
      const loaded = await table.queued.load([queueMessage]);
      const body = loaded.delivery(queueMessage).message?.body ?? new Uint8Array();
      expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({ type: 'webhook.test', data: { webhook_id } });
      await expect(testWebhook(testDeps, caller, webhook_id, record)).rejects.toBeInstanceOf(ClaimTaken);
      await disable();
      await expect(testWebhook(testDeps, caller, webhook_id)).rejects.toMatchObject({ code: 'invalid_request' });
      await expect(testWebhook(testDeps, caller, 'wh_none')).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('a list of deliveries', () => {
    it('is walked page by page, newest first, without gap or repetition', async () => {
      const { listDeps, caller, webhook_id, delivered } = await world();
      const made: string[] = [];
      for (let i = 0; i < 7; i++) made.push(await delivered());
      const seen: string[] = [];
      for (let offset = 0; ; offset += 3) {
        const { deliveries, has_more } = await page(listDeliveries(listDeps, caller, webhook_id, { limit: 3, offset }));
        seen.push(...deliveries.map(({ delivery_id }) => delivery_id));
        if (!has_more) break;
      }
      expect(seen).toEqual([...made].reverse());
    });

    it('says of a disabled endpoint that what was pending is cancelled, and finds it there', async () => {
      const { listDeps, caller, webhook_id, delivered, scene, disable } = await world();
      await delivered();
      scene.receiver = () => answers(500);
      await delivered();
      const list = (status: 'pending' | 'cancelled') =>
        page(listDeliveries(listDeps, caller, webhook_id, { status, limit: 10, offset: 0 }));
      expect((await list('pending')).deliveries).toHaveLength(1);
      await disable();
      expect((await list('pending')).deliveries).toEqual([]);
      expect((await list('cancelled')).deliveries).toMatchObject([
        { status: 'cancelled', reason: 'endpoint_disabled' },
      ]);
    });

    it('warns when the search was cut short, and knows no endpoint of another account', async () => {
      const { listDeps, caller, webhook_id, table } = await world();
      const { newest } = table.deliveries;
      const cut: typeof listDeps.deliveries.newest = async (...args) => ({ ...(await newest(...args)), isCut: true });
      const deps = { ...listDeps, deliveries: { newest: cut } };
      const { warnings } = await page(listDeliveries(deps, caller, webhook_id, { limit: 1, offset: 0 }));
      expect(warnings).toEqual([expect.stringContaining('more deliveries')]);
      const stranger = { ...caller, account_id: 'acc_other' };
      const refused = listDeliveries(listDeps, stranger, webhook_id, { limit: 1, offset: 0 });
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    });
  });
});

describe('list deliveries', () => {
  /** An endpoint with a delivery that arrived, and a later one that has not yet. */
  async function world() {
    const scene = memoryDeliveryWorld();
    const { webhook_id } = await scene.register(['transaction.screened']);
    const deliver = async (status: number): Promise<string | undefined> => {
      scene.receiver = () => answers(status);
      await scene.relayOrders(tellScreened(scene.accountId, screened(scene.clock.now())));
      await scene.dispatchDue();
      scene.pass(1_000);
      return scene.posts.at(-1)?.deliveryId;
    };
    const [arrived, pending] = [await deliver(200), await deliver(500)];
    const { deliveries, webhooks } = scene.table;
    const deps = { clock: scene.clock, endpoints: webhooks.merchant, deliveries };
    const caller = callerOf(scene.accountId);
    const list = async (filter: Partial<DeliveryFilter> = {}, over = deps) => {
      const page = await listDeliveries(over, caller, webhook_id, { limit: 10, offset: 0, ...filter });
      return { ...page, deliveries: page.deliveries.map(({ delivery_id }) => delivery_id) };
    };
    return { scene, deps, caller, webhook_id, list, arrived, pending };
  }

  it('shows the newest first, all or those of one status', async () => {
    const { list, arrived, pending } = await world();
    const page = { limit: 10, offset: 0, hasMore: false, isCut: false, disabledAt: undefined };
    expect(await list()).toEqual({ ...page, deliveries: [pending, arrived] });
    expect(await list({ status: 'delivered' })).toEqual({ ...page, deliveries: [arrived] });
    expect(await list({ status: 'pending' })).toEqual({ ...page, deliveries: [pending] });
    expect(await list({ status: 'failed' })).toEqual({ ...page, deliveries: [] });
  });

  it('knows whether there is more after a page, and of nothing beyond the end', async () => {
    const { list, arrived, pending } = await world();
    expect(await list({ limit: 1 })).toMatchObject({ deliveries: [pending], hasMore: true });
    expect(await list({ limit: 1, offset: 1 })).toMatchObject({ deliveries: [arrived], hasMore: false });
    expect(await list({ limit: 1, offset: 2 })).toMatchObject({ deliveries: [], hasMore: false });
  });

  it('says since when an endpoint is disabled, and finds what was pending among the cancelled', async () => {
    const { scene, webhook_id, list, pending } = await world();
    const nowMs = scene.clock.now();
    await scene.table.webhooks.sender.disable(scene.accountId, webhook_id, 'failing', nowMs);
    const disabledAt = new Date(nowMs).toISOString();
    expect(await list({ status: 'cancelled' })).toMatchObject({ deliveries: [pending], disabledAt });
    expect(await list({ status: 'pending' })).toMatchObject({ deliveries: [], disabledAt });
  });

  it('shows deliveries for 30 days', async () => {
    const { scene, list, pending } = await world();
    scene.pass(DELIVERY_RETENTION_MS - 1_500);
    expect(await list()).toMatchObject({ deliveries: [pending] });
    scene.pass(1_000);
    expect(await list()).toMatchObject({ deliveries: [] });
  });

  it('knows no endpoint of another account or under another id, and none that was deleted', async () => {
    const { scene, deps, caller, webhook_id } = await world();
    const ask = (who: typeof caller, id: string) => listDeliveries(deps, who, id, { limit: 1, offset: 0 });
    await expect(ask(callerOf('acc_other'), webhook_id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(ask(caller, webhook_id.replace('wh_', 'dlv_'))).rejects.toMatchObject({ code: 'not_found' });
    await scene.unregister(webhook_id);
    await expect(ask(caller, webhook_id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['endpoints', 'deliveries'] as const)('does not take %s out of reach for an empty list', async (port) => {
    const { deps, list } = await world();
    const down = interpose<object>(
      deps[port],
      failing(() => 'before'),
    );
    await expect(list({}, { ...deps, [port]: down })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
