import type { Caller } from '../../domain/accounts/account';
import { actorOf } from '../../domain/accounts/account';
import type { DeskChange, DeskEntry } from '../../domain/cases/desk-change';
import type { ReviewCase } from '../../domain/cases/review-case';
import { notFound, unavailable } from '../../domain/errors';
import type { IdempotencyRecord } from '../../domain/idempotency';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { ulidOf } from '../../domain/screening/subjects/subject-id';

/** Dependencies of everything that changes a case without deciding it. */
export interface DeskDeps {
  readonly clock: { now(): number };
  readonly newUlid: (nowMs: number) => string;
  readonly desk: {
    find(accountId: string, ulid: string): Promise<ReviewCase | undefined>;
    save(accountId: string, change: DeskChange, nowMs: number, answer?: IdempotencyRecord): Promise<boolean>;
  };
}

/** A case as it is at this instant. */
export interface CaseNow {
  readonly reviewCase: ReviewCase;
  readonly nowMs: number;
}

// Rivals on one case are people, and an integration that sends many changes at once.
const MAX_ROUNDS = 8;

/**
 * Changes a case as it is now. If it changes in between, it is read again and `change` decides again; undefined means
 * that nothing is left to do.
 */
export async function changeCase<Result>(
  { clock, desk }: Pick<DeskDeps, 'clock' | 'desk'>,
  { account_id }: Caller,
  id: string,
  change: (now: CaseNow) => {
    readonly save?: DeskChange;
    readonly answer?: IdempotencyRecord;
    readonly result: Result;
  },
): Promise<Result> {
  const ulid = ulidOf(id, 'case');
  if (!ulid) throw notFound('case');
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const nowMs = clock.now();
    const reviewCase = await desk.find(account_id, ulid);
    if (!reviewCase || nowMs - reviewCase.created_at_ms >= RETENTION_MS) throw notFound('case');
    const { save, answer, result } = change({ reviewCase, nowMs });
    if (!save || (await desk.save(account_id, save, nowMs, answer))) return result;
  }
  throw unavailable(new Error(`The case changed ${MAX_ROUNDS} times while it was being changed`));
}

/** An entry of a case's log, by this caller. */
export const entryBy = (
  deps: Pick<DeskDeps, 'newUlid'>,
  caller: Caller,
  stated: string | undefined,
  { kind, nowMs, text }: { readonly kind: DeskEntry['kind']; readonly nowMs: number; readonly text?: string },
): DeskEntry => ({
  ulid: deps.newUlid(nowMs),
  kind,
  actor: actorOf(caller, stated),
  key_id: caller.key_id,
  proven: caller.person !== undefined,
  at: new Date(nowMs).toISOString(),
  ...(text === undefined ? {} : { text }),
});
