import type { EarnedAttempt } from '../../../domain/entities/earning';
import type { EntityRef } from '../../../domain/entities/entity-ref';
import type { ScreeningRecord } from '../../../domain/screening/subjects/screening-record';
import type { Screened } from '../decide-screening';
import { isUser } from '../familiarity';
import { type Effect, NO_WRITES } from './effect';

/** Writes of familiarity to a user's history. */
export interface FamiliarityPorts {
  readonly entities: {
    earn(accountId: string, user: EntityRef, earned: EarnedAttempt, limitMs: number): Promise<void>;
    unearn(accountId: string, user: EntityRef, record: ScreeningRecord, limitMs: number): Promise<void>;
  };
}

const UNDO_LIMIT_MS = 800;

/** Everything that an allowed attempt earns for its user. */
export const familiarityEffect: Effect<FamiliarityPorts> = {
  name: 'familiarity',
  mayBeLost: true,
  write({ entities }, screened, limitMs) {
    const { prepared, familiarity } = screened;
    const user = earner(screened);
    if (user === undefined || familiarity.earning === undefined) return NO_WRITES;
    const earned = { attempt: prepared.attempt, earning: familiarity.earning };
    return [entities.earn(prepared.caller.account_id, user, earned, limitMs)];
  },
  async undo({ entities }, screened) {
    const user = earner(screened);
    if (user) await entities.unearn(screened.prepared.caller.account_id, user, screened.record, UNDO_LIMIT_MS);
  },
  standIn: { entities: { earn: async () => undefined, unearn: async () => undefined } },
};

const earner = ({ familiarity, readings }: Screened): EntityRef | undefined =>
  familiarity.isAllowed && familiarity.earning !== undefined
    ? readings.histories.recorded.find(isUser)?.ref
    : undefined;
