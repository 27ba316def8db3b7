import { unavailable } from '../../domain/errors';
import { isApplied } from '../../domain/outcomes/outside-outcome';
import type { HeldOutcome, OutsideOutcomesDeps, Reference } from './outside-outcomes-port';
import { MAX_ROUNDS } from './reach-subject';
import { applyOutcome } from './record-outside-outcome';

export type ApplyHeldDeps = Pick<OutsideOutcomesDeps, 'clock' | 'outside'>;

/**
 * Applies the outcomes that waited for a reference, now that it has a subject; drops them if it has none, because then
 * their week is over. A crash leaves the reference due, and what was applied is not applied again. Returns how many were.
 */
export async function applyHeldOutcomes(deps: ApplyHeldDeps, accountId: string, name: string): Promise<number> {
  const nowMs = deps.clock.now();
  const reference = await deps.outside.reference(accountId, name, nowMs);
  let applied = 0;
  for (const held of reference?.held ?? []) {
    if (reference?.ulid !== undefined && (await applyHeld(deps, accountId, reference, held))) applied += 1;
  }
  await deps.outside.release(accountId, name, nowMs);
  return applied;
}

async function applyHeld(
  deps: ApplyHeldDeps,
  accountId: string,
  { ulid = '', at_ms = 0 }: Reference,
  { type, source }: HeldOutcome,
): Promise<boolean> {
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const nowMs = deps.clock.now();
    const said = await deps.outside.ofSource(accountId, source);
    const outcome = said.find((each) => each.type === type);
    // The reference must have come in time; how late the sweep is does not matter.
    if (!outcome || isApplied(outcome) || at_ms >= (outcome.held_until_ms ?? 0)) return false;
    // Anything that gave the reference its subject has kept the subject, for as long as the reference.
    const subject = await deps.outside.kept(accountId, ulid);
    if (!subject || nowMs >= subject.kept_until_ms) return false;
    if (await applyOutcome(deps, accountId, { outcome, subject, said }, nowMs)) return true;
  }
  throw unavailable(new Error(`The subject changed ${MAX_ROUNDS} times while an outcome was being applied`));
}

/** A reference that outcomes wait for, and that a sweep should look at. */
export interface DueReference {
  readonly account_id: string;
  readonly name: string;
}

/** Dependencies of the sweep. */
export interface SweepHeldDeps extends ApplyHeldDeps {
  readonly shards: readonly number[];
  readonly held: {
    /** References of a shard that have a subject by now, or whose week is over. */
    due(shard: number, nowMs: number, limit: number): Promise<readonly DueReference[]>;
  };
  readonly report: (problem: string, error: unknown) => void;
}

const PAGE = 25;

/** Applies everything that waits for nothing any more. One that fails is reported; the next sweep retries it. */
export async function sweepHeldOutcomes(
  deps: SweepHeldDeps,
  deadlineMs: number,
): Promise<{ readonly applied: number; readonly isUnfinished: boolean }> {
  let applied = 0;
  let isUnfinished = false;
  for (const shard of deps.shards) {
    for (;;) {
      if (deps.clock.now() >= deadlineMs) return { applied, isUnfinished: true };
      const due = await deps.held.due(shard, deps.clock.now(), PAGE);
      let failed = 0;
      for (const { account_id, name } of due) {
        try {
          applied += await applyHeldOutcomes(deps, account_id, name);
        } catch (error) {
          failed += 1;
          deps.report('outcomes that waited for a reference could not be applied', error);
        }
      }
      isUnfinished ||= failed > 0;
      // A page that failed would only come again.
      if (due.length < PAGE || failed > 0) break;
    }
  }
  return { applied, isUnfinished };
}
