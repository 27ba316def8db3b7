import type { AccountMove } from '../../domain/accounts/account-move';
import { DomainError } from '../../domain/errors';

/** Dependencies of finishing a move. */
export interface FinishMoveDeps {
  readonly clock: { now(): number };
  readonly late: {
    bringAll(): AsyncIterable<{ readonly brought: number; readonly pending: number }>;
    addOverview(): Promise<number>;
  };
  /** Removes the account's data from where it was. */
  readonly removeAll: () => AsyncIterable<number>;
  readonly onProgress: (items: number) => void;
}

/** What is left to do. */
export interface FinishReport {
  /** Deliveries that are still on their way: nothing was removed because of them. */
  readonly pending: number;
  readonly removed: number;
}

/** By then every change of before the move has been relayed and counted, or somebody has been paged about it. */
const SETTLED_MS = 30 * 60_000;

/**
 * Ends a move: brings what was written late to where the account is now, and removes its data from where it was, unless
 * deliveries are still on their way there. Rerun at any time.
 */
export async function finishMove(deps: FinishMoveDeps, move: AccountMove | undefined): Promise<FinishReport> {
  if (move?.moved_at_ms === undefined) throw new DomainError('not_found', 'This account has not moved from here.');
  const restMs = move.moved_at_ms + SETTLED_MS - deps.clock.now();
  if (restMs > 0) {
    const minutes = Math.ceil(restMs / 60_000);
    throw new DomainError('unavailable', `Its last events may still be on their way. Try again in ${minutes} min.`);
  }
  let [items, pending, removed] = [0, 0, 0];
  for await (const page of deps.late.bringAll()) {
    items += page.brought;
    pending += page.pending;
    deps.onProgress(items);
  }
  await deps.late.addOverview();
  if (pending > 0) return { pending, removed };
  for await (const count of deps.removeAll()) {
    removed += count;
    deps.onProgress(removed);
  }
  return { pending, removed };
}
