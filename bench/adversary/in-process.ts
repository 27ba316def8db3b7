import { type Caller, DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import { loadBaseModel } from '../../shared/runtime/base-model-file';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { SCREENING_STAND_INS } from '../../shared/runtime/stand-ins/screening-stand-ins';
import { reviewDecision } from '../../shared/usecases/cases/record-outcome';
import { screenEvent } from '../../shared/usecases/screening/screen-event';
import type { ScreeningObservation } from '../../shared/usecases/screening/screen-subject';
import { screenTransaction } from '../../shared/usecases/screening/screen-transaction';
import { countingUlids } from '../../training/replay/counting-ulids';
import type { Answer, Shop, Target } from './target';
import { trainingRoom } from './training-room';

/** A Monday: every run in this process begins at the same time, so that a seed always gives the same result. */
const BEGIN_MS = Date.UTC(2026, 0, 5);

const callerOf = (shop: Shop): Caller => ({
  account_id: `acc_${shop}`,
  key_id: `key_${shop}`,
  settings: DEFAULT_SETTINGS,
});

/**
 * The deployed use cases and the base model on a store in memory, with a clock that jumps. The directory has the IP ranges
 * and the base model, as next to a deployed function.
 */
export function inProcess(directory: string): Target {
  const wiring = replayWiring(directory);
  let nowMs = BEGIN_MS;
  const clock = { now: () => nowMs };
  const training = trainingRoom(clock, loadBaseModel(directory));
  const deps = {
    ...SCREENING_STAND_INS,
    ...wiring.store,
    ips: wiring.ips,
    clock,
    newUlid: countingUlids(),
    observe: (screened: ScreeningObservation) => training.observe(screened),
    models: training.models,
  };
  return {
    name: 'in process',
    canWait: true,
    parallelMs: 0,
    now: clock.now,
    moveTo: async (atMs) => {
      // Clocks of functions tell whole milliseconds, and items hold whole numbers.
      nowMs = Math.max(nowMs, Math.round(atMs));
    },
    async screen(shop, { kind, body }): Promise<Answer> {
      const caller = callerOf(shop);
      const { record } = await (kind === 'payment'
        ? screenTransaction(deps, caller, body)
        : screenEvent(deps, caller, body));
      return {
        decision_id: `dec_${record.ulid}`,
        score: record.risk_score,
        decision: record.automated_decision,
        signals: record.contributions.filter(({ points }) => points > 0).map(({ signal }) => signal),
      };
    },
    async review(shop, decisionId, decision) {
      const caller = callerOf(shop);
      const record = await reviewDecision(deps, caller, decisionId, { decision, analyst_id: `analyst-of-${shop}` });
      training.label(caller.account_id, record);
    },
    train: training.train,
    close: async () => undefined,
  };
}
