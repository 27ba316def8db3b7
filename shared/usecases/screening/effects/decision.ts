import type { Attempt } from '../../../domain/entities/entity-history';
import type { EntityRef } from '../../../domain/entities/entity-ref';
import { type Effect, NO_WRITES } from './effect';

/** Writes of a decision to entities other than the user. */
export interface DecisionPorts {
  readonly entities: {
    trust(accountId: string, ref: EntityRef, atMs: number, limitMs: number): Promise<void>;
    countStopped(accountId: string, ref: EntityRef, attempt: Attempt, limitMs: number): Promise<void>;
  };
}

/** The decision on the other entities: that the attempt was stopped, or trust, once, if an earlier one was. */
export const decisionEffect: Effect<DecisionPorts> = {
  name: 'decision',
  mayBeLost: true,
  write({ entities }, { prepared: { caller, attempt, refs }, readings, familiarity }, limitMs) {
    const { isAllowed, isStopped, earning } = familiarity;
    if (!isStopped && (!isAllowed || earning === undefined || earning.trusts.length === 0)) return NO_WRITES;
    const writes: Promise<void>[] = [];
    for (const { ref, history } of readings.histories.recorded) {
      if (ref.kind === 'user') continue;
      if (isStopped) writes.push(entities.countStopped(caller.account_id, ref, attempt, limitMs));
      // One that is new, or of which nothing was stopped, is trusted without a write.
      else if (history.first_seen_ms !== undefined && earning?.trusts.includes(refs.indexOf(ref)))
        writes.push(entities.trust(caller.account_id, ref, attempt.at_ms, limitMs));
    }
    return writes;
  },
  standIn: { entities: { trust: async () => undefined, countStopped: async () => undefined } },
};
