import { admit } from '../../domain/webhooks/breaker';
import type { DeliveryOutcome } from '../../domain/webhooks/delivery-outcome';
import { isDead } from '../../domain/webhooks/disable-rule';
import {
  after,
  type EndpointState,
  type Entry,
  enter,
  FRESH_STATE,
  type GrantedPass,
  isClean,
  type Pass,
  type StateChange,
} from '../../domain/webhooks/endpoint-state';
import type { DisableReason } from '../../domain/webhooks/webhook-endpoint';

/** Dependencies of the gate of an endpoint. */
export interface GateDeps {
  readonly clock: { now(): number };
  readonly random: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly states: {
    read(accountId: string, webhookId: string): Promise<EndpointState>;
    take(accountId: string, webhookId: string, granted: GrantedPass, nowMs: number): Promise<StateChange>;
    giveBack(accountId: string, webhookId: string, pass: Pass): Promise<StateChange>;
    judge(accountId: string, webhookId: string, before: EndpointState, after: EndpointState): Promise<StateChange>;
  };
  readonly endpoints: {
    disable(accountId: string, webhookId: string, reason: DisableReason, nowMs: number): Promise<boolean>;
  };
}

/** Access to an endpoint, held open for a few deliveries. */
export interface Gate {
  /** How many delivery attempts may be in flight at once. */
  readonly width: number;
  /** Whether one more attempt may begin. */
  mayBegin(): boolean;
  /** Records how an attempt ended; the breaker may close the gate. True if the endpoint was disabled by it. */
  ended(outcome: DeliveryOutcome): Promise<boolean>;
  /** Releases the slots. */
  close(): Promise<void>;
}

/** Slots held by quick attempts are worth waiting for: going through the queue would take at least a second. */
const WAIT_FOR_SLOT_MS = 2_000;
const LOOK_AGAIN_MS = 20;
const LOOK_AGAIN_AT_MOST_MS = 200;
/** Rivals on the failures of one endpoint never outnumber the attempts in flight. */
const JUDGE_ROUNDS = 8;

/** Opens the gate of an endpoint for up to `wanted` concurrent attempts, or says why not. */
export async function openGate(
  deps: GateDeps,
  accountId: string,
  webhookId: string,
  wanted: number,
): Promise<Gate | Exclude<Entry, { kind: 'pass' }>> {
  const giveUpMs = deps.clock.now() + WAIT_FOR_SLOT_MS;
  // Most endpoints are healthy and idle: assuming so, one call is enough. If not, its refusal returns the actual state.
  let state = FRESH_STATE;
  let pauseMs = LOOK_AGAIN_MS;
  for (;;) {
    const nowMs = deps.clock.now();
    const entry = enter(state, wanted, nowMs, deps.random);
    if (entry.kind === 'held' || (entry.kind === 'busy' && entry.isSlow)) return entry;
    if (entry.kind === 'pass') {
      const { pass } = entry;
      const change = await deps.states.take(accountId, webhookId, { before: state, pass }, nowMs);
      if (change.done) return gate(deps, accountId, webhookId, { entered: change.state, pass });
      state = change.state;
    } else {
      await deps.pause(pauseMs * (0.5 + deps.random()));
      pauseMs = Math.min(2 * pauseMs, LOOK_AGAIN_AT_MOST_MS);
      state = await deps.states.read(accountId, webhookId);
    }
    if (deps.clock.now() >= giveUpMs) return { kind: 'busy', isSlow: false };
  }
}

/** A pass that was taken, and the state from then on. */
interface TakenPass {
  readonly entered: EndpointState;
  readonly pass: Pass;
}

function gate(deps: GateDeps, accountId: string, webhookId: string, { entered, pass }: TakenPass): Gate {
  let known = entered;
  let isProbe = pass.isProbe;
  let lastWasSuccess = false;

  /** Records how an attempt ended; each rival continues from what the previous one wrote. */
  async function judge(outcome: DeliveryOutcome['kind'], wasProbe: boolean): Promise<void> {
    for (let round = 0; round < JUDGE_ROUNDS; round++) {
      const judged = after(known, outcome, wasProbe, deps.clock.now());
      const { done, state } = await deps.states.judge(accountId, webhookId, known, judged);
      known = state;
      if (done) return;
    }
    // This many rivals in a row have recorded everything there is to record about this endpoint.
  }

  return {
    width: pass.slots.length,
    mayBegin: () => isProbe || admit(known.breaker, deps.clock.now()).kind === 'pass',

    async ended({ kind }) {
      const wasProbe = isProbe;
      isProbe = false;
      lastWasSuccess = kind === 'delivered';
      if (lastWasSuccess && isClean(known)) return false;
      await judge(kind, wasProbe);
      const nowMs = deps.clock.now();
      if (!isDead(known.health, nowMs)) return false;
      return deps.endpoints.disable(accountId, webhookId, 'failing', nowMs);
    },

    async close() {
      ({ state: known } = await deps.states.giveBack(accountId, webhookId, pass));
      // Another sender may have recorded a failure while our success was in flight.
      if (lastWasSuccess && !isClean(known)) await judge('delivered', false);
    },
  };
}
