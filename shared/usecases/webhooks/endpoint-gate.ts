import {
  admit,
  after,
  type EndpointState,
  type Entry,
  enter,
  FRESH_STATE,
  type GrantedPass,
  isClean,
  isPrompt,
  isWideEnough,
  lastsForAttempt,
  mayKeep,
  type Pass,
  type StateChange,
  type TakenPass,
} from '../../domain/webhooks/endpoint-state';
import { type DeliveryOutcome, isDead } from '../../domain/webhooks/retry-schedule';
import type { DisableReason } from '../../domain/webhooks/webhook-endpoint';

/** Dependencies of the gate of an endpoint. */
export interface GateDeps {
  readonly clock: { now(): number };
  readonly random: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** This process's memory between batches, by endpoint: the slots that it keeps, and those that others had. */
  readonly kept: Map<string, Remembered>;
  readonly states: {
    read(accountId: string, webhookId: string): Promise<EndpointState>;
    take(accountId: string, webhookId: string, granted: GrantedPass, nowMs: number): Promise<StateChange>;
    giveBack(accountId: string, webhookId: string, pass: Pass): Promise<StateChange>;
    saveHealth(accountId: string, webhookId: string, before: EndpointState, after: EndpointState): Promise<StateChange>;
  };
  readonly endpoints: {
    disable(accountId: string, webhookId: string, reason: DisableReason, nowMs: number): Promise<boolean>;
  };
}

/** Last known state of an endpoint. Others keep their slots for a while: who knows them asks for a free one at once. */
export interface Remembered {
  readonly known: EndpointState;
  /** @default no slot is kept */
  readonly pass?: Pass;
}

/** Access to an endpoint, held open for a few deliveries. */
export interface Gate {
  /** How many delivery attempts may be in flight at once. */
  readonly width: number;
  mayBegin(): boolean;
  /** Records how an attempt ended; the breaker may close the gate. True if the endpoint was disabled by it. */
  ended(outcome: DeliveryOutcome): Promise<boolean>;
  close(): Promise<void>;
}

/** Slots held by quick attempts are worth waiting for: going through the queue would take at least a second. */
const WAIT_FOR_SLOT_MS = 2_000;
const LOOK_AGAIN_MS = 20;
const LOOK_AGAIN_AT_MOST_MS = 200;
/** Rivals on the failures of one endpoint never outnumber the attempts in flight. */
const SAVE_ROUNDS = 8;

/** A process that serves many endpoints forgets those whose slots are free by now. */
const MOST_REMEMBERED = 1_000;

const keyOf = (accountId: string, webhookId: string): string => `${accountId}/${webhookId}`;

function remember({ kept, clock }: GateDeps, key: string, seen: Remembered): void {
  if (kept.size >= MOST_REMEMBERED) {
    const nowMs = clock.now();
    for (const [each, { known }] of kept) if (known.slots.every((until) => until <= nowMs)) kept.delete(each);
  }
  kept.set(key, seen);
}

/** A healthy endpoint, but for the slots that others were seen to have, as far as those are not all. */
function assumed({ known }: Remembered, nowMs: number): EndpointState {
  const isAnyFree = known.slots.some((until) => until <= nowMs);
  return isAnyFree ? { ...FRESH_STATE, slots: known.slots } : FRESH_STATE;
}

/** Opens the gate of an endpoint for so many deliveries, all at once as far as there are slots, or says why not. */
export async function openGate(
  deps: GateDeps,
  accountId: string,
  webhookId: string,
  deliveries: number,
): Promise<Gate | Exclude<Entry, { kind: 'pass' }>> {
  const giveUpMs = deps.clock.now() + WAIT_FOR_SLOT_MS;
  // Most endpoints are healthy and idle: assuming so, one call is enough. If not, its refusal returns the actual state.
  let state = FRESH_STATE;
  const seen = deps.kept.get(keyOf(accountId, webhookId));
  if (seen) {
    deps.kept.delete(keyOf(accountId, webhookId));
    const { pass, known } = seen;
    const nowMs = deps.clock.now();
    if (pass && isWideEnough(pass, deliveries) && lastsForAttempt(pass, nowMs))
      return gate(deps, accountId, webhookId, { pass, known });
    state = assumed(seen, nowMs);
    if (pass && nowMs < pass.leaseUntilMs) ({ state } = await deps.states.giveBack(accountId, webhookId, pass));
  }
  let pauseMs = LOOK_AGAIN_MS;
  for (;;) {
    const nowMs = deps.clock.now();
    const entry = enter(state, deliveries, nowMs, deps.random);
    if (entry.kind === 'held' || (entry.kind === 'busy' && entry.isSlow)) return entry;
    if (entry.kind === 'pass') {
      const { pass } = entry;
      const change = await deps.states.take(accountId, webhookId, { before: state, pass }, nowMs);
      if (change.done) return gate(deps, accountId, webhookId, { known: change.state, pass });
      state = change.state;
    } else {
      await deps.pause(pauseMs * (0.5 + deps.random()));
      pauseMs = Math.min(2 * pauseMs, LOOK_AGAIN_AT_MOST_MS);
      state = await deps.states.read(accountId, webhookId);
    }
    if (deps.clock.now() >= giveUpMs) return { kind: 'busy', isSlow: false };
  }
}

function gate(deps: GateDeps, accountId: string, webhookId: string, { known: entered, pass }: TakenPass): Gate {
  let known = entered;
  let isProbe = pass.isProbe;
  let [lastWasSuccess, lastWasPrompt] = [false, false];

  async function recordHealth(outcome: DeliveryOutcome['kind'], wasProbe: boolean): Promise<void> {
    for (let round = 0; round < SAVE_ROUNDS; round++) {
      const next = after(known, outcome, wasProbe, deps.clock.now());
      const { done, state } = await deps.states.saveHealth(accountId, webhookId, known, next);
      known = state;
      if (done) return;
    }
    // This many rivals in a row have recorded everything there is to record about this endpoint.
  }

  return {
    width: pass.slots.length,
    mayBegin() {
      const nowMs = deps.clock.now();
      // A kept pass may be old: an attempt that outlives its lease could be the sixth in flight.
      return lastsForAttempt(pass, nowMs) && (isProbe || admit(known.breaker, nowMs).kind === 'pass');
    },

    async ended(outcome) {
      const { kind } = outcome;
      const wasProbe = isProbe;
      isProbe = false;
      [lastWasSuccess, lastWasPrompt] = [kind === 'delivered', isPrompt(outcome)];
      if (lastWasSuccess && isClean(known)) return false;
      await recordHealth(kind, wasProbe);
      const nowMs = deps.clock.now();
      if (!isDead(known.health, nowMs)) return false;
      return deps.endpoints.disable(accountId, webhookId, 'failing', nowMs);
    },

    async close() {
      const key = keyOf(accountId, webhookId);
      if (lastWasPrompt && mayKeep({ pass, known }, deps.clock.now()) && !deps.kept.has(key)) {
        remember(deps, key, { pass, known });
        return;
      }
      ({ state: known } = await deps.states.giveBack(accountId, webhookId, pass));
      const hasOthers = known.slots.some((until) => until > deps.clock.now());
      if (hasOthers && !deps.kept.has(key)) remember(deps, key, { known });
      // Another sender may have recorded a failure while our success was in flight.
      if (lastWasSuccess && !isClean(known)) await recordHealth('delivered', false);
    },
  };
}
