import fc from 'fast-check';
import {
  after,
  type EndpointState,
  type Entry,
  enter,
  FIRST_PROBE_MS,
  FRESH_STATE,
  MAX_IN_FLIGHT,
  type Pass,
  SLOT_LEASE_MS,
} from '../../../shared/domain/webhooks/endpoint-state';
import { newId } from '../../../shared/runtime/ids';
import type { EndpointStatesPort } from '../memory/memory-endpoint-states';
import { freshAccount, type MakePort, START_MS } from './fresh-account';

const passOf = (entry: Entry): Pass => {
  if (entry.kind !== 'pass') throw new Error(`No pass: ${entry.kind}`);
  return entry.pass;
};
const ask = (state: EndpointState, wanted: number, nowMs = START_MS): Pass =>
  passOf(enter(state, wanted, nowMs, () => 0));

/** Tests that every store of endpoints' states must pass. */
export function describeEndpointStatesConformance(
  name: string,
  makePort: MakePort<EndpointStatesPort>,
  runs = 50,
): void {
  describe(`endpoint states in ${name}`, () => {
    let states: EndpointStatesPort;
    let ids: readonly [string, string];
    beforeEach(async () => {
      states = await makePort();
      ids = [freshAccount(), newId('wh', START_MS)];
    });
    const read = () => states.read(...ids);
    /** Failures in a row until the breaker opens. */
    async function fail(times: number, nowMs = START_MS): Promise<EndpointState> {
      for (let i = 0; i < times; i++) {
        const now = await read();
        await states.saveHealth(...ids, now, after(now, 'refused', false, nowMs));
      }
      return read();
    }

    it('takes an endpoint of which nothing is known for well and idle', async () => {
      expect(await read()).toEqual(FRESH_STATE);
    });

    it('grants places that are free, and tells what is so when they are not', async () => {
      const pass = ask(FRESH_STATE, 2);
      const taken = await states.take(...ids, { before: FRESH_STATE, pass }, START_MS);
      expect(taken).toEqual({ done: true, state: await read() });
      expect(taken.state.slots.filter((until) => until === START_MS + SLOT_LEASE_MS)).toHaveLength(2);
      const refused = await states.take(...ids, { before: FRESH_STATE, pass }, START_MS + 1);
      expect(refused).toEqual({ done: false, state: taken.state });
      const rest = ask(refused.state, MAX_IN_FLIGHT, START_MS + 1);
      expect(rest.slots).toHaveLength(MAX_IN_FLIGHT - 2);
      expect(await states.take(...ids, { before: refused.state, pass: rest }, START_MS + 1)).toMatchObject({
        done: true,
      });
    });

    it('keeps endpoints and accounts apart', async () => {
      await states.take(...ids, { before: FRESH_STATE, pass: ask(FRESH_STATE, 5) }, START_MS);
      expect(await states.read(ids[0], newId('wh', START_MS))).toEqual(FRESH_STATE);
      expect(await states.read(freshAccount(), ids[1])).toEqual(FRESH_STATE);
    });

    it('grants a place again from the end of its lease on, and its late holder gives nothing back', async () => {
      const pass = ask(FRESH_STATE, 1);
      await states.take(...ids, { before: FRESH_STATE, pass }, START_MS);
      const endMs = START_MS + SLOT_LEASE_MS;
      expect((await states.take(...ids, { before: FRESH_STATE, pass }, endMs - 1)).done).toBe(false);
      const next = { ...pass, leaseUntilMs: endMs + SLOT_LEASE_MS };
      const again = await states.take(...ids, { before: FRESH_STATE, pass: next }, endMs);
      expect(again.done).toBe(true);
      expect(await states.giveBack(...ids, pass)).toEqual({ done: false, state: again.state });
      expect((await states.giveBack(...ids, next)).state.slots).toEqual(FRESH_STATE.slots);
      expect((await states.giveBack(...ids, next)).done).toBe(false);
    });

    it('gives all places of a pass back, or none of them', async () => {
      const pass = ask(FRESH_STATE, 3);
      await states.take(...ids, { before: FRESH_STATE, pass }, START_MS);
      const [first] = pass.slots as [number];
      await states.giveBack(...ids, { ...pass, slots: [first] });
      expect((await states.giveBack(...ids, pass)).done).toBe(false);
      expect((await read()).slots.filter((until) => until > 0)).toHaveLength(2);
    });

    it('writes health on what it was made of only, and leaves the places alone', async () => {
      await states.take(...ids, { before: FRESH_STATE, pass: ask(FRESH_STATE, 2) }, START_MS);
      const seen = await read();
      const [first, second] = [after(seen, 'refused', false, START_MS), after(seen, 'timeout', false, START_MS + 1)];
      expect(await states.saveHealth(...ids, seen, first)).toEqual({ done: true, state: first });
      expect(await states.saveHealth(...ids, seen, second)).toEqual({ done: false, state: first });
      const third = after(first, 'timeout', false, START_MS + 1);
      expect(await states.saveHealth(...ids, first, third)).toEqual({ done: true, state: third });
      expect(third).toMatchObject({ health: { failed_attempts: 2 }, version: 2, slots: seen.slots });
      const cleared = after(third, 'delivered', false, START_MS + 2);
      expect((await states.saveHealth(...ids, third, cleared)).state).toMatchObject({
        breaker: FRESH_STATE.breaker,
        health: FRESH_STATE.health,
      });
    });

    it('lets one probe through an open breaker', async () => {
      const open = await fail(5);
      expect(open.breaker.probe_at_ms).toBe(START_MS + FIRST_PROBE_MS);
      const probeMs = START_MS + FIRST_PROBE_MS;
      const [one, other] = [0, 0.9].map((at) => passOf(enter(open, 5, probeMs, () => at))) as [Pass, Pass];
      expect([one.isProbe, one.slots, other.slots]).toEqual([true, [0], [4]]);
      const changes = await Promise.all(
        [one, other].map((pass) => states.take(...ids, { before: open, pass }, probeMs)),
      );
      expect(changes.map(({ done }) => done).sort()).toEqual([false, true]);
      expect((await read()).breaker.probe_at_ms).toBe(probeMs + FIRST_PROBE_MS);
    });

    it('grants nothing to who has not heard that the breaker opened', async () => {
      await fail(5);
      expect((await states.take(...ids, { before: FRESH_STATE, pass: ask(FRESH_STATE, 1) }, START_MS)).done).toBe(
        false,
      );
    });

    it('never grants a place twice, whoever comes and goes in whatever order', async () => {
      const moves = fc.array(
        fc.record({
          by: fc.nat(3),
          wanted: fc.integer({ min: 1, max: MAX_IN_FLIGHT }),
          at: fc.double({ min: 0, max: 0.99, noNaN: true }),
        }),
        { minLength: 1, maxLength: 15 },
      );
      await fc.assert(
        fc.asyncProperty(moves, async (plan) => {
          const own = [freshAccount(), newId('wh', START_MS)] as const;
          const held = new Map<number, Pass>();
          // Each sender decides by what it saw last, which may be long ago.
          const seen = new Map<number, EndpointState>();
          for (const [step, { by, wanted, at }] of plan.entries()) {
            const nowMs = START_MS + step;
            const holding = held.get(by);
            if (holding) {
              const given = await states.giveBack(...own, holding);
              expect(given.done).toBe(true);
              held.delete(by);
              seen.set(by, given.state);
              continue;
            }
            const state = seen.get(by) ?? FRESH_STATE;
            const entry = enter(state, wanted, nowMs, () => at);
            if (entry.kind !== 'pass') {
              seen.set(by, await states.read(...own));
              continue;
            }
            const taken = [...held.values()].flatMap(({ slots }) => slots);
            const isFree = entry.pass.slots.every((slot) => !taken.includes(slot));
            const change = await states.take(...own, { before: state, pass: entry.pass }, nowMs);
            expect(change.done).toBe(isFree);
            seen.set(by, change.state);
            if (change.done) held.set(by, entry.pass);
          }
        }),
        { numRuns: runs },
      );
    });
  });
}
