import { type EndpointState, FRESH_STATE, type StateChange } from '../../../shared/domain/webhooks/endpoint-state';
import type { GateDeps } from '../../../shared/usecases/webhooks/endpoint-gate';

export type EndpointStatesPort = GateDeps['states'];

/** Endpoints' states in memory. */
export function memoryEndpointStates(): EndpointStatesPort {
  const states = new Map<string, EndpointState>();
  const keyOf = (accountId: string, webhookId: string): string => `${accountId}/${webhookId}`;
  const stateOf = (accountId: string, webhookId: string): EndpointState =>
    states.get(keyOf(accountId, webhookId)) ?? FRESH_STATE;
  const change = (
    accountId: string,
    webhookId: string,
    isAllowed: (state: EndpointState) => boolean,
    next: (state: EndpointState) => EndpointState,
  ): StateChange => {
    const before = stateOf(accountId, webhookId);
    if (!isAllowed(before)) return { done: false, state: before };
    const state = next(before);
    states.set(keyOf(accountId, webhookId), state);
    return { done: true, state };
  };
  const withSlots = (state: EndpointState, slots: readonly number[], untilMs: number): EndpointState => ({
    ...state,
    slots: state.slots.map((until, slot) => (slots.includes(slot) ? untilMs : until)),
  });

  return {
    read: async (accountId, webhookId) => stateOf(accountId, webhookId),
    take: async (accountId, webhookId, { before, pass: { slots, leaseUntilMs, isProbe, breaker } }, nowMs) =>
      change(
        accountId,
        webhookId,
        (state) =>
          slots.every((slot) => (state.slots[slot] ?? 0) <= nowMs) &&
          state.breaker.probe_at_ms === before.breaker.probe_at_ms,
        (state) => {
          const taken = withSlots(state, slots, leaseUntilMs);
          return isProbe ? { ...taken, breaker: { ...state.breaker, probe_at_ms: breaker.probe_at_ms } } : taken;
        },
      ),
    giveBack: async (accountId, webhookId, { slots, leaseUntilMs }) =>
      change(
        accountId,
        webhookId,
        (state) => slots.every((slot) => state.slots[slot] === leaseUntilMs),
        (state) => withSlots(state, slots, 0),
      ),
    saveHealth: async (accountId, webhookId, before, { breaker, health, version }) =>
      change(
        accountId,
        webhookId,
        (state) => state.version === before.version,
        (state) => ({ ...state, breaker, health, version }),
      ),
  };
}
