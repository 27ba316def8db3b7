/**
 * The move of an account to another deployment, as its account says it:
 *
 *   announced ──── NOTICE ────► stops ──── seconds ────► moved
 *                                 └───────── LEASE ─────────► open again, if nothing came of it
 *
 * Requests learn of it from the authorizer, whose answers are cached for up to a minute. So a stop is announced before it begins:
 * when it does, everyone knows of it, without a read. And it ends by itself, so that a command that dies stops nobody for long.
 */
export interface AccountMove {
  readonly move_id: string;
  /** The base URL of the deployment that the account moves to. */
  readonly to: string;
  /** From when on writes are refused. @default not announced yet */
  readonly stops_at_ms?: number;
  /** When they are accepted again unless the account has moved by then. @default not announced yet */
  readonly reopens_at_ms?: number;
  /** Set once the account is gone for good. @default it is still here */
  readonly moved_at_ms?: number;
}

/** Longer than anybody works with an authorization that was given before: see `AUTHORIZER_CACHE` in lib/constructs/service-api.ts. */
export const NOTICE_MS = 65_000;
/** How long a stop lasts at most. */
export const LEASE_MS = 240_000;
/** A screening that began before the stop may write for as long as its function may run. */
export const LAST_SCREENING_MS = 11_000;
/** Other functions may run longer, so their writes are refused earlier. */
const OTHERS_EARLIER_MS = 16_000;

/** What a request does: screenings run for at most 10 seconds, other writes for at most 25. */
export type RequestKind = 'read' | 'screening' | 'write';

/** Why a request of an account that moves is refused, if it is. */
export type MoveRefusal = 'stopped' | 'moved' | undefined;

/** Whether a request must be refused because its account moves. */
export function moveRefusal(move: AccountMove | undefined, kind: RequestKind, nowMs: number): MoveRefusal {
  if (move === undefined) return undefined;
  if (move.moved_at_ms !== undefined) return 'moved';
  const { stops_at_ms, reopens_at_ms } = move;
  if (kind === 'read' || stops_at_ms === undefined || reopens_at_ms === undefined) return undefined;
  const stopsAtMs = kind === 'screening' ? stops_at_ms : stops_at_ms - OTHERS_EARLIER_MS;
  return nowMs >= stopsAtMs && nowMs < reopens_at_ms ? 'stopped' : undefined;
}

/** The last moment to move an account: by the end of its stop, everyone must know that it has moved. */
export const moveDeadlineMs = ({ reopens_at_ms = 0 }: AccountMove): number => reopens_at_ms - NOTICE_MS - 20_000;
