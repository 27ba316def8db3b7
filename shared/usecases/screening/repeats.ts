import { DomainError } from '../../domain/errors';
import type { ClaimHolder, IdempotencyClaim } from '../../domain/idempotency';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { ulidTimeMs } from '../../domain/ulid';
import type { Prepared, ScreeningRequest } from './prepare';
import { type Readings, type SourcePorts, undoSources } from './sources';

/** Dependencies of answering a repeat. */
export interface RepeatPorts extends SourcePorts {
  readonly clock: { now(): number };
  readonly pause: (ms: number) => Promise<void>;
  readonly screenings: {
    find(accountId: string, ulid: string, limitMs?: number): Promise<ScreeningRecord | undefined>;
  };
}

/** How a repeat continues: with the result of the first request, or in its place if it died. */
export type Repeat = { readonly record: ScreeningRecord } | { readonly request: ScreeningRequest };

const TAKE_OVER_LIMIT_MS = 800;
const RELEASE_LIMIT_MS = 150;
// A claim without a result lives longer than any request can run; after that it is dead.
const CLAIM_LIFE_MS = 10_000;
const WAITS_MS = [0, 25, 50, 100, 200, 300, 300];

/** Releases the key of a request that leaves no result, so that the next try does not wait for its end. */
export async function releaseClaim({ claims }: SourcePorts, { caller, request }: Prepared): Promise<void> {
  const { claim, ulid } = request;
  if (claim) await claims.release(caller.account_id, claim, ulid, RELEASE_LIMIT_MS).catch(() => undefined);
}

/** Finds the earlier request with the same `Idempotency-Key`; undefined if this is the first. */
export async function findRepeat(
  ports: RepeatPorts,
  prepared: Prepared,
  readings: Readings,
): Promise<Repeat | undefined> {
  const { claim } = prepared.request;
  const { holder, error } = readings.claim;
  if (error !== undefined) {
    // The claim may have been written although no response came.
    await releaseClaim(ports, prepared);
    throw error;
  }
  return claim && holder && answerRepeat(ports, prepared, readings, { claim, holder });
}

interface Claimed {
  readonly claim: IdempotencyClaim;
  readonly holder: ClaimHolder;
}

async function answerRepeat(
  ports: RepeatPorts,
  prepared: Prepared,
  readings: Readings,
  { claim, holder }: Claimed,
): Promise<Repeat> {
  const { clock, claims, screenings } = ports;
  const { account_id } = prepared.caller;
  if (holder.body_hash !== claim.body_hash) {
    await undoSources(ports, prepared, readings);
    throw new DomainError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with a different body in the last 24 hours. Use a new key for a new request.',
    );
  }
  for (const waitMs of WAITS_MS) {
    await ports.pause(waitMs);
    const record = await screenings.find(account_id, holder.ulid);
    if (record) {
      await undoSources(ports, prepared, readings, record);
      return { record };
    }
    if (clock.now() - holder.claimed_at_ms >= CLAIM_LIFE_MS) break;
  }
  const nowMs = clock.now();
  const isDead = nowMs - holder.claimed_at_ms >= CLAIM_LIFE_MS;
  if (isDead && (await claims.takeOver(account_id, claim, holder, { nowMs, limitMs: TAKE_OVER_LIMIT_MS }))) {
    // With its original time, too: cases are listed and counted by the time in their id.
    return { request: { ulid: holder.ulid, atMs: ulidTimeMs(holder.ulid), claim, isClaimed: true } };
  }
  const message = 'A request with this Idempotency-Key is still running. Try again in a second.';
  throw new DomainError('idempotency_in_progress', message, [], { retryAfterSeconds: 1 });
}
