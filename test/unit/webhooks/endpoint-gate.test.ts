import fc from 'fast-check';
import {
  admit,
  afterDeliveryAttempt,
  type Breaker,
  CLOSED,
  FIRST_PROBE_MS,
  MAX_IN_FLIGHT,
  SLOT_LEASE_MS,
} from '../../../shared/domain/webhooks/endpoint-state';
import type { DeliveryOutcome } from '../../../shared/domain/webhooks/retry-schedule';
import { type Gate, type GateDeps, openGate } from '../../../shared/usecases/webhooks/endpoint-gate';
import { interpose } from '../../support/memory/interpose';
import { memoryEndpointStates } from '../../support/memory/memory-endpoint-states';
import { answers } from '../../support/webhooks/delivery-scene';

describe('endpoint gate', () => {
  const START_MS = Date.UTC(2026, 2, 1);
  const TIMEOUT: DeliveryOutcome = { kind: 'timeout', phase: 'headers', duration_ms: 10_000 };

  function world() {
    const states = memoryEndpointStates();
    const calls: string[] = [];
    const disabled: string[] = [];
    let nowMs = START_MS;
    const deps: GateDeps = {
      clock: { now: () => nowMs },
      random: () => 0.5,
      pause: async (ms) => {
        nowMs += Math.ceil(ms);
      },
      kept: new Map(),
      states: interpose(states, (call, apply) => {
        calls.push(call);
        return apply();
      }),
      endpoints: {
        disable: async (_account, _webhook, reason) => {
          disabled.push(reason);
          return true;
        },
      },
    };
    const pass = (ms: number): void => {
      nowMs += ms;
    };
    const tryOpen = (wanted = 1, over = deps) => openGate(over, 'acc_1', 'wh_1', wanted);
    const open = async (wanted = 1): Promise<Gate> => {
      const gate = await tryOpen(wanted);
      if ('kind' in gate) throw new Error(`The gate is ${gate.kind}`);
      return gate;
    };
    return { states, calls, disabled, deps, pass, tryOpen, open, read: () => states.read('acc_1', 'wh_1') };
  }

  it('costs a healthy endpoint two calls, however many attempts succeed', async () => {
    const { open, calls, read } = world();
    const gate = await open(4);
    expect([gate.width, gate.mayBegin()]).toEqual([4, true]);
    for (let i = 0; i < 10; i++) expect(await gate.ended(answers(200))).toBe(false);
    await gate.close();
    expect(calls).toEqual(['take', 'giveBack']);
    expect((await read()).slots).toEqual(Array.from({ length: MAX_IN_FLIGHT }, () => 0));
  });

  describe('a slot that served one delivery', () => {
    /** One delivery that succeeds. */
    const deliverOne = async (open: () => Promise<Gate>, outcome = answers(200)): Promise<void> => {
      const gate = await open();
      await gate.ended(outcome);
      await gate.close();
    };

    it('is kept, and serves the next ones without a call, until its lease has no time for an attempt', async () => {
      const { open, calls, pass, read } = world();
      for (let at = 0; at < 17; at++) {
        await deliverOne(open);
        pass(1_000);
      }
      expect(calls).toEqual(['take']);
      await deliverOne(open);
      expect(calls).toEqual(['take', 'giveBack', 'take']);
      expect((await read()).slots.filter((until) => until > 0)).toHaveLength(1);
      pass(SLOT_LEASE_MS);
      await deliverOne(open);
      expect(calls).toEqual(['take', 'giveBack', 'take', 'take']);
    });

    it('is one of the five: other processes have the other four', async () => {
      const { open, deps, tryOpen } = world();
      await deliverOne(open);
      const elsewhere = { ...deps, kept: new Map() };
      expect(await tryOpen(5, elsewhere)).toMatchObject({ width: 4 });
      expect(await open()).toMatchObject({ width: 1 });
      expect(await tryOpen(1, elsewhere)).toMatchObject({ kind: 'busy' });
    });

    it('serves two, one after the other, and is given back for more, which may need all five', async () => {
      const { open, calls } = world();
      await deliverOne(open);
      const two = await open(2);
      expect([two.width, calls]).toEqual([1, ['take']]);
      await two.ended(answers(200));
      await two.close();
      expect(await open(3)).toMatchObject({ width: 3 });
      expect(await world().open(9)).toMatchObject({ width: MAX_IN_FLIGHT });
    });

    it('begins no attempt that could outlive its lease', async () => {
      const { open, pass } = world();
      await deliverOne(open);
      pass(16_000);
      const gate = await open(2);
      expect(gate.mayBegin()).toBe(true);
      pass(1_000);
      expect(gate.mayBegin()).toBe(false);
    });

    it('is kept by up to three senders, and the other two slots are for everybody', async () => {
      const { deps, tryOpen, calls, pass } = world();
      const senders = Array.from({ length: 5 }, () => ({ ...deps, kept: new Map() }));
      const round = async (): Promise<void> => {
        const gates = await Promise.all(senders.map((sender) => tryOpen(1, sender)));
        for (const gate of gates) {
          if ('kind' in gate) throw new Error(gate.kind);
          await gate.ended(answers(200));
          await gate.close();
        }
        pass(1_000);
      };
      await round();
      expect(senders.map(({ kept }) => [...kept.values()].filter((each) => each.pass).length)).toEqual([1, 1, 1, 0, 0]);
      calls.length = 0;
      // Those two know which slots the others keep, though not which one of the two the other takes.
      await round();
      expect(calls.filter((call) => call === 'giveBack')).toHaveLength(2);
      expect(calls.filter((call) => call === 'take').length).toBeLessThanOrEqual(3);
      expect(await tryOpen(5, { ...deps, kept: new Map() })).toMatchObject({ width: 2 });
    });

    it('is not kept after a success that took over a second: others may need it, and the next would wait', async () => {
      const { open, calls } = world();
      await deliverOne(open, answers(200, 1_001));
      expect(calls).toEqual(['take', 'giveBack']);
    });

    it('is given back by who failed, was a probe or is the fourth', async () => {
      const { open, calls, pass } = world();
      await deliverOne(open, answers(500));
      await deliverOne(open);
      expect(calls).toEqual(['take', 'saveHealth', 'giveBack', 'take', 'saveHealth']);
      pass(SLOT_LEASE_MS);
      for (let at = 0; at < 5; at++) await deliverOne(open, answers(500));
      pass(FIRST_PROBE_MS);
      calls.length = 0;
      const probe = await open();
      await probe.ended(answers(500));
      await probe.close();
      expect(calls).toEqual(['take', 'take', 'saveHealth', 'giveBack']);
      const other = world();
      await other.open(3);
      await deliverOne(other.open);
      expect(other.calls.at(-1)).toBe('giveBack');
    });

    it('clears what a rival held against the endpoint once it is taken anew', async () => {
      const { open, deps, tryOpen, pass, read } = world();
      await deliverOne(open);
      const rival = await tryOpen(1, { ...deps, kept: new Map() });
      if ('kind' in rival) throw new Error(rival.kind);
      await rival.ended(answers(500));
      await rival.close();
      await deliverOne(open);
      expect((await read()).breaker.failures).toBe(1);
      pass(SLOT_LEASE_MS);
      await deliverOne(open);
      expect((await read()).breaker.failures).toBe(0);
    });

    it('does not make others believe that the endpoint is slow', async () => {
      const { open, deps, tryOpen, pass } = world();
      await deliverOne(open);
      pass(5_000);
      const elsewhere = { ...deps, kept: new Map() };
      const holder = await tryOpen(4, elsewhere);
      if ('kind' in holder) throw new Error(holder.kind);
      const gate = await tryOpen(1, {
        ...elsewhere,
        pause: async (ms) => {
          await holder.close();
          await deps.pause(ms);
        },
      });
      expect(gate).toMatchObject({ width: 1 });
    });

    it('of thousands of endpoints is forgotten once its lease is over', async () => {
      const { deps, pass } = world();
      for (let at = 0; at < 1_500; at++) {
        if (at === 1_000) pass(SLOT_LEASE_MS);
        await deliverOne(async () => (await openGate(deps, 'acc_1', `wh_${at}`, 1)) as Gate);
      }
      expect(deps.kept.size).toBe(500);
    });
  });

  it('hands out no more places than there are, waits for one, and gives up after two seconds', async () => {
    const { open, tryOpen, deps } = world();
    const [first, second] = [await open(3), await open(3)];
    expect([first.width, second.width]).toEqual([3, 2]);
    const before = deps.clock.now();
    expect(await tryOpen()).toMatchObject({ kind: 'busy' });
    expect(deps.clock.now() - before).toBeLessThan(4_000);
    await first.close();
    expect((await open(5)).width).toBe(3);
  });

  it('takes a place that becomes free while it waits', async () => {
    const { open, deps, tryOpen } = world();
    const holder = await open(MAX_IN_FLIGHT);
    let pauses = 0;
    const gate = await tryOpen(1, {
      ...deps,
      pause: async (ms) => {
        if (++pauses === 2) await holder.close();
        await deps.pause(ms);
      },
    });
    expect(gate).toMatchObject({ width: 1 });
    expect(pauses).toBe(2);
  });

  it('does not wait for places that slow attempts hold', async () => {
    const { open, tryOpen, pass, calls } = world();
    await open(MAX_IN_FLIGHT);
    pass(1_500);
    calls.length = 0;
    expect(await tryOpen()).toEqual({ kind: 'busy', isSlow: true });
    expect(calls).toEqual(['take']);
  });

  it.each([
    ['five failures', 5, answers(503)],
    ['three time-outs', 3, TIMEOUT],
  ])('closes in the middle of its work after %s', async (_what, count, outcome) => {
    const { open, tryOpen } = world();
    const gate = await open(5);
    for (let i = 0; i < count; i++) {
      expect(gate.mayBegin()).toBe(true);
      await gate.ended(outcome);
    }
    expect(gate.mayBegin()).toBe(false);
    await gate.close();
    expect(await tryOpen()).toMatchObject({ kind: 'held', untilMs: START_MS + FIRST_PROBE_MS });
  });

  it('lets one prober through, whose success opens the gate for all', async () => {
    const { open, tryOpen, pass, read } = world();
    const failing = await open(5);
    for (let i = 0; i < 5; i++) await failing.ended(answers(500));
    await failing.close();
    pass(FIRST_PROBE_MS);
    const probe = await open(5);
    expect([probe.width, probe.mayBegin()]).toEqual([1, true]);
    expect(await tryOpen()).toMatchObject({ kind: 'held' });
    await probe.ended(answers(200));
    await probe.close();
    expect((await read()).breaker.probe_at_ms).toBeNull();
    expect((await open(5)).width).toBe(5);
  });

  it('of rivals that save at the same time none is lost', async () => {
    const { open, read } = world();
    const gates = [await open(1), await open(1), await open(1)];
    await Promise.all(gates.map((gate) => gate.ended(answers(500))));
    expect(await read()).toMatchObject({ breaker: { failures: 3 }, health: { failed_attempts: 3 }, version: 3 });
  });

  it('says of a success, at the latest when it closes, that what a rival held against the endpoint is over', async () => {
    const { open, read } = world();
    const [bad, good] = [await open(1), await open(1)];
    await good.ended(answers(200));
    await bad.ended(answers(500));
    await bad.close();
    expect((await read()).breaker.failures).toBe(1);
    await good.close();
    expect((await read()).breaker.failures).toBe(0);
  });

  it('gives an endpoint up after five days and twenty attempts of nothing but failures', async () => {
    const { open, pass, disabled, tryOpen } = world();
    let isDead = false;
    for (let day = 0; day <= 5; day++) {
      for (let i = 0; i < 5; i++) {
        const gate = await tryOpen();
        if ('kind' in gate) pass(3_600_000);
        else {
          isDead = await gate.ended(answers(500));
          await gate.close();
        }
      }
      expect(isDead).toBe(false);
      pass(20 * 3_600_000);
    }
    pass(24 * 3_600_000);
    isDead = await (await open()).ended(answers(500));
    expect([isDead, disabled]).toEqual([true, ['failing']]);
  });
});

describe('breaker', () => {
  type Kind = Parameters<typeof afterDeliveryAttempt>[1];
  const after = (...kinds: Kind[]): Breaker =>
    kinds.reduce((breaker, kind) => afterDeliveryAttempt(breaker, kind, false, 0), CLOSED);
  const isOpen = (breaker: Breaker): boolean => breaker.probe_at_ms !== null;

  it.each<[Kind[], boolean]>([
    [['refused', 'tls', 'network', 'blocked'], false],
    [['refused', 'tls', 'network', 'blocked', 'refused'], true],
    [['timeout', 'timeout'], false],
    [['timeout', 'timeout', 'timeout'], true],
    [['timeout', 'timeout', 'refused', 'timeout'], false],
    [['timeout', 'timeout', 'refused', 'timeout', 'timeout'], true],
    [['refused', 'refused', 'refused', 'refused', 'delivered', 'refused'], false],
    [['timeout', 'timeout', 'delivered', 'timeout', 'timeout'], false],
  ])('after %j it is open: %s', (kinds, open) => {
    expect(isOpen(after(...kinds))).toBe(open);
  });

  it('lets everything pass while closed and nothing until the probe', () => {
    expect(admit(CLOSED, 1e12)).toEqual({ kind: 'pass' });
    const open = after('timeout', 'timeout', 'timeout');
    expect(admit(open, 29_999)).toEqual({ kind: 'wait', untilMs: 30_000 });
    expect(admit(open, 30_000).kind).toBe('probe');
  });

  it('lets one probe pass, and another only if the first never reported', () => {
    const probe = admit(after('timeout', 'timeout', 'timeout'), 30_000);
    if (probe.kind !== 'probe') throw new Error(probe.kind);
    expect(admit(probe.breaker, 30_001)).toEqual({ kind: 'wait', untilMs: 60_000 });
    expect(admit(probe.breaker, 60_000).kind).toBe('probe');
  });

  it('probes at 30 s, doubling to 15 min, counted from the end of the failed probe', () => {
    const waits: number[] = [];
    let nowMs = 0;
    let breaker = after('timeout', 'timeout', 'timeout');
    for (let probe = 0; probe < 8; probe += 1) {
      const dueMs = breaker.probe_at_ms ?? Number.NaN;
      waits.push((dueMs - nowMs) / 1000);
      const admission = admit(breaker, dueMs);
      if (admission.kind !== 'probe') throw new Error(admission.kind);
      nowMs = dueMs + 10_000;
      breaker = afterDeliveryAttempt(admission.breaker, 'timeout', true, nowMs);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
  });

  it('is not moved by failures that were in flight when it opened, and closed by any success', () => {
    const open = after('refused', 'refused', 'refused', 'refused', 'refused');
    const later = afterDeliveryAttempt(open, 'timeout', false, 5_000);
    expect([later.probe_at_ms, later.probe_delay_ms]).toEqual([open.probe_at_ms, open.probe_delay_ms]);
    expect(afterDeliveryAttempt(later, 'delivered', false, 6_000)).toEqual(CLOSED);
    expect(afterDeliveryAttempt(later, 'delivered', true, 6_000)).toEqual(CLOSED);
  });

  it('whatever happens: a success closes it, and an open one never lets two attempts pass within 30 s', () => {
    const step = fc.record({
      kind: fc.constantFrom<Kind>('delivered', 'refused', 'timeout', 'tls', 'network', 'blocked'),
      waitMs: fc.nat(1_000_000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let breaker = CLOSED;
        let nowMs = 0;
        let lastProbeMs = Number.NEGATIVE_INFINITY;
        for (const { kind, waitMs } of steps) {
          nowMs += waitMs;
          const admission = admit(breaker, nowMs);
          if (admission.kind === 'wait') continue;
          if (admission.kind === 'probe') {
            expect(nowMs - lastProbeMs).toBeGreaterThanOrEqual(30_000);
            lastProbeMs = nowMs;
            breaker = admission.breaker;
          }
          breaker = afterDeliveryAttempt(breaker, kind, admission.kind === 'probe', nowMs);
          if (kind === 'delivered') {
            expect(breaker).toEqual(CLOSED);
            lastProbeMs = Number.NEGATIVE_INFINITY;
          }
          if (isOpen(breaker)) expect(breaker.probe_delay_ms).toBeLessThanOrEqual(900_000);
        }
      }),
    );
  });
});
