import type { AttemptOutcome } from '../../domain/webhooks/attempt-outcome';
import { admit } from '../../domain/webhooks/breaker';
import { isDead } from '../../domain/webhooks/disable-rule';
import {
  after,
  type EndpointState,
  type Entry,
  enter,
  FRESH_STATE,
  isClean,
  type Pass,
  type StateChange,
} from '../../domain/webhooks/endpoint-state';
import type { DisableReason } from '../../domain/webhooks/webhook-endpoint';

/** What the gate of an endpoint needs from the outside. */
export interface GateDeps {
  readonly clock: { now(): number };
  readonly random: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly states: {
    read(accountId: string, webhookId: string): Promise<EndpointState>;
    take(accountId: string, webhookId: string, before: EndpointState, pass: Pass, nowMs: number): Promise<StateChange>;
    giveBack(accountId: string, webhookId: string, pass: Pass): Promise<StateChange>;
    judge(accountId: string, webhookId: string, before: EndpointState, after: EndpointState): Promise<StateChange>;
  };
  readonly endpoints: {
    disable(accountId: string, webhookId: string, reason: DisableReason, nowMs: number): Promise<boolean>;
  };
}

/** The way to an endpoint, held open for a few deliveries. */
export interface Gate {
  /** How many attempts may be under way at once. */
  readonly width: number;
  /** Whether one more attempt may begin. */
  mayBegin(): boolean;
  /** Tells how an attempt ended; the breaker may close the gate. True when it was the end of the endpoint. */
  ended(outcome: AttemptOutcome): Promise<boolean>;
  /** Gives the places back. */
  close(): Promise<void>;
}

/** For places that quick attempts hold it is worth to wait: by way of the queue it would take a second at least. */
const WAIT_FOR_PLACE_MS = 2_000;
const LOOK_AGAIN_MS = 20;
const LOOK_AGAIN_AT_MOST_MS = 200;
/** Rivals on the failures of one endpoint are at most as many as attempts in flight. */
const JUDGE_ROUNDS = 8;

/** Opens the gate of an endpoint for up to `wanted` attempts at once, or says why not. */
export async function openGate(
  deps: GateDeps,
  accountId: string,
  webhookId: string,
  wanted: number,
): Promise<Gate | Exclude<Entry, { kind: 'pass' }>> {
  const giveUpMs = deps.clock.now() + WAIT_FOR_PLACE_MS;
  // Most endpoints are well and idle: taken to be so, one call does. If not, its refusal tells what they are.
  let state = FRESH_STATE;
  let pauseMs = LOOK_AGAIN_MS;
  for (;;) {
    const nowMs = deps.clock.now();
    const entry = enter(state, wanted, nowMs, deps.random);
    if (entry.kind === 'held' || (entry.kind === 'busy' && entry.isSlow)) return entry;
    if (entry.kind === 'pass') {
      const change = await deps.states.take(accountId, webhookId, state, entry.pass, nowMs);
      if (change.done) return gate(deps, accountId, webhookId, change.state, entry.pass);
      state = change.state;
    } else {
      await deps.pause(pauseMs * (0.5 + deps.random()));
      pauseMs = Math.min(2 * pauseMs, LOOK_AGAIN_AT_MOST_MS);
      state = await deps.states.read(accountId, webhookId);
    }
    if (deps.clock.now() >= giveUpMs) return { kind: 'busy', isSlow: false };
  }
}

function gate(deps: GateDeps, accountId: string, webhookId: string, entered: EndpointState, pass: Pass): Gate {
  let known = entered;
  let isProbe = pass.isProbe;
  let lastWasSuccess = false;

  /** Writes down how an attempt ended; of rivals each goes on from what the one before it wrote. */
  async function judge(outcome: AttemptOutcome['kind'], wasProbe: boolean): Promise<void> {
    for (let round = 0; round < JUDGE_ROUNDS; round++) {
      const judged = after(known, outcome, wasProbe, deps.clock.now());
      const { done, state } = await deps.states.judge(accountId, webhookId, known, judged);
      known = state;
      if (done) return;
    }
    // So many rivals in a row have said what there is to say of this endpoint.
  }

  return {
    width: pass.places.length,
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
      // Another sender may have noted a failure while our success was under way.
      if (lastWasSuccess && !isClean(known)) await judge('delivered', false);
    },
  };
}
