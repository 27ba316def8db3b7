import type { DisableReason } from '../domain/webhook-endpoint';
import type { AttemptOutcome } from '../domain/webhooks/attempt-outcome';
import { admit } from '../domain/webhooks/breaker';
import { isDead } from '../domain/webhooks/disable-rule';
import { after, type EndpointState, type Entry, enter, isClean, type Pass } from '../domain/webhooks/endpoint-state';

/** What the gate of an endpoint needs from the outside. */
export interface GateDeps {
  readonly clock: { now(): number };
  readonly random: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly states: {
    read(accountId: string, webhookId: string): Promise<EndpointState>;
    take(accountId: string, webhookId: string, before: EndpointState, pass: Pass, nowMs: number): Promise<boolean>;
    giveBack(accountId: string, webhookId: string, pass: Pass): Promise<EndpointState | false>;
    judge(accountId: string, webhookId: string, before: EndpointState, after: EndpointState): Promise<boolean>;
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

/** For places that are taken by quick attempts it is worth to wait: a queue's delay would take a second at least. */
const WAIT_FOR_PLACE_MS = 250;
const LOOK_AGAIN_MS = 40;
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
  for (;;) {
    const state = await deps.states.read(accountId, webhookId);
    const nowMs = deps.clock.now();
    const entry = enter(state, wanted, nowMs, deps.random);
    if (entry.kind === 'held' || (entry.kind === 'busy' && entry.isSlow)) return entry;
    if (entry.kind === 'pass' && (await deps.states.take(accountId, webhookId, state, entry.pass, nowMs))) {
      return gate(deps, accountId, webhookId, state, entry.pass);
    }
    if (deps.clock.now() >= giveUpMs) return { kind: 'busy', isSlow: false };
    await deps.pause(LOOK_AGAIN_MS * (0.5 + deps.random()));
  }
}

function gate(deps: GateDeps, accountId: string, webhookId: string, before: EndpointState, pass: Pass): Gate {
  let breaker = pass.breaker;
  let isProbe = pass.isProbe;
  let isUnclean = !isClean(before);
  let lastWasSuccess = false;

  /** Writes down how an attempt ended; of rivals each sees what the one before it wrote. */
  async function judge(outcome: AttemptOutcome['kind'], wasProbe: boolean): Promise<EndpointState | undefined> {
    for (let round = 0; round < JUDGE_ROUNDS; round++) {
      const state = await deps.states.read(accountId, webhookId);
      const judged = after(state, outcome, wasProbe, deps.clock.now());
      if (await deps.states.judge(accountId, webhookId, state, judged)) return judged;
      await deps.pause(LOOK_AGAIN_MS * deps.random());
    }
    // So many rivals in a row have all said what there is to say of this endpoint.
    return undefined;
  }

  return {
    width: pass.places.length,
    mayBegin: () => isProbe || admit(breaker, deps.clock.now()).kind === 'pass',

    async ended({ kind }) {
      const wasProbe = isProbe;
      isProbe = false;
      lastWasSuccess = kind === 'delivered';
      if (lastWasSuccess && !isUnclean) return false;
      const judged = await judge(kind, wasProbe);
      if (!judged) return false;
      breaker = judged.breaker;
      isUnclean = !isClean(judged);
      const nowMs = deps.clock.now();
      if (!isDead(judged.health, nowMs)) return false;
      return deps.endpoints.disable(accountId, webhookId, 'failing', nowMs);
    },

    async close() {
      const state = await deps.states.giveBack(accountId, webhookId, pass);
      // Another sender may have noted a failure while our success was under way.
      if (lastWasSuccess && state && !isClean(state)) await judge('delivered', false);
    },
  };
}
