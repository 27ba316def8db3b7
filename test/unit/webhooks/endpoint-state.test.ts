import fc from 'fast-check';
import {
  after,
  type EndpointState,
  enter,
  FRESH_STATE,
  isClean,
  MAX_IN_FLIGHT,
  SLOT_LEASE_MS,
} from '../../../shared/domain/webhooks/endpoint-state';

const NOW = Date.parse('2026-11-14T12:00:00.000Z');
const random = () => 0.5;

function passOf(state: EndpointState, wanted: number, nowMs = NOW) {
  const entry = enter(state, wanted, nowMs, random);
  if (entry.kind !== 'pass') throw new Error(entry.kind);
  return entry.pass;
}
const taken = (state: EndpointState, slots: readonly number[], untilMs: number): EndpointState => ({
  ...state,
  slots: state.slots.map((until, slot) => (slots.includes(slot) ? untilMs : until)),
});
const failing = (failures: number, state = FRESH_STATE, atMs = NOW): EndpointState =>
  Array.from({ length: failures }).reduce<EndpointState>((before) => after(before, 'refused', false, atMs), state);

describe('places in flight', () => {
  it('are as many as wanted, as far as five go, and each only once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 12 }), fc.nat(), (wishes, seed) => {
        let state = FRESH_STATE;
        const held: number[] = [];
        for (const wanted of wishes) {
          const entry = enter(state, wanted + 1, NOW, () => (seed % 97) / 97);
          if (entry.kind !== 'pass') {
            expect(held).toHaveLength(MAX_IN_FLIGHT);
            continue;
          }
          expect(entry.pass.slots).toHaveLength(Math.min(wanted + 1, MAX_IN_FLIGHT - held.length));
          expect(held.filter((slot) => entry.pass.slots.includes(slot))).toEqual([]);
          held.push(...entry.pass.slots);
          state = taken(state, entry.pass.slots, entry.pass.leaseUntilMs);
        }
      }),
    );
  });

  it('are free again when their lease is over', () => {
    const full = taken(FRESH_STATE, [0, 1, 2, 3, 4], NOW + SLOT_LEASE_MS);
    expect(enter(full, 1, NOW + SLOT_LEASE_MS - 1, random).kind).toBe('busy');
    expect(passOf(full, 9, NOW + SLOT_LEASE_MS).slots).toHaveLength(5);
  });

  it('held for over a second are held by somebody slow: waiting is in vain', () => {
    const full = taken(FRESH_STATE, [0, 1, 2, 3, 4], NOW + SLOT_LEASE_MS);
    expect(enter(full, 1, NOW + 900, random)).toEqual({ kind: 'busy', isSlow: false });
    expect(enter(full, 1, NOW + 1_100, random)).toEqual({ kind: 'busy', isSlow: true });
  });

  it('of which three are older may be kept for the next deliveries: the other two are worth waiting for', () => {
    const kept = taken(FRESH_STATE, [0, 2, 4], NOW - 5_000 + SLOT_LEASE_MS);
    expect(enter(taken(kept, [1, 3], NOW + SLOT_LEASE_MS), 1, NOW + 500, random)).toEqual({
      kind: 'busy',
      isSlow: false,
    });
    const slow = taken(kept, [1], NOW - 2_000 + SLOT_LEASE_MS);
    expect(enter(taken(slow, [3], NOW + SLOT_LEASE_MS), 1, NOW, random)).toEqual({ kind: 'busy', isSlow: true });
  });
});

describe('an open breaker', () => {
  it('holds everything until the probe, which is one attempt in one place', () => {
    const open = failing(5);
    expect(enter(open, 3, NOW + 29_999, random)).toEqual({ kind: 'held', untilMs: NOW + 30_000, spreadMs: 15_000 });
    const probe = passOf(open, 3, NOW + 30_000);
    expect(probe).toMatchObject({ isProbe: true, breaker: { probe_at_ms: NOW + 60_000 } });
    expect(probe.slots).toHaveLength(1);
  });

  it('spreads what it holds the wider the longer the outage lasts, up to six hours', () => {
    const spreadAfter = (outageMs: number): number => {
      const atMs = NOW + outageMs;
      const open = failing(4, failing(1), atMs);
      const entry = enter(open, 1, atMs, random);
      return entry.kind === 'held' ? entry.spreadMs : -1;
    };
    expect(spreadAfter(1_000)).toBe(15_000);
    expect(spreadAfter(3_600_000)).toBe(1_800_000);
    expect(spreadAfter(5 * 86_400_000)).toBe(6 * 3_600_000);
  });

  it('one success clears everything', () => {
    const healed = after(failing(7), 'delivered', true, NOW + 30_000);
    expect(isClean(healed)).toBe(true);
    expect(isClean(failing(1))).toBe(false);
    expect(healed.version).toBe(8);
    expect(passOf(healed, 5).isProbe).toBe(false);
  });
});
