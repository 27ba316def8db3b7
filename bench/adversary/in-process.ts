import { type Caller, DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import { decodeArtefact } from '../../shared/domain/models/artefact-blob';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { championFor, EMPTY_TALLY, type ShadowTally, shadowFor } from '../../shared/domain/models/registry-state';
import { openModel } from '../../shared/domain/models/scoring-model';
import type { StoredLabel } from '../../shared/domain/models/stored-label';
import { keptSubject } from '../../shared/domain/outcomes/kept-subject';
import { TALLY_STEP_MS, type TallyStep } from '../../shared/domain/outcomes/shared-rise';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { subjectId } from '../../shared/domain/screening/subjects/subject-id';
import { loadBaseModel } from '../../shared/runtime/base-model-file';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { SCREENING_STAND_INS, standInIntelligence } from '../../shared/runtime/stand-ins/screening-stand-ins';
import { memoryObjects } from '../../shared/store/memory/memory-objects';
import { modelRegistry } from '../../shared/store/models/model-registry';
import { reviewDecision } from '../../shared/usecases/cases/record-outcome';
import { runTraining } from '../../shared/usecases/models/run-training';
import { applyOutcome } from '../../shared/usecases/outcomes/record-outside-outcome';
import { screenEvent } from '../../shared/usecases/screening/screen-event';
import type { ScreeningObservation } from '../../shared/usecases/screening/screen-subject';
import { screenTransaction } from '../../shared/usecases/screening/screen-transaction';
import type { CurrentModels } from '../../shared/usecases/screening/sources/models';
import { trainModel } from '../../training/engine/learn/train-model';
import { countingUlids } from '../../training/replay/counting-ulids';
import type { Answer, Shop, Target } from './target';

const STAGE = 'production';

/** The deployed training job on labels, a registry and tallies in memory; screenings score with what it promotes. */
export function trainingRoom(clock: { now(): number }, base: ModelArtefact | undefined) {
  const registry = modelRegistry(memoryObjects());
  const labels = new Map<string, Map<string, StoredLabel>>();
  const tallies = new Map<string, ShadowTally>();
  let current: CurrentModels = { champion: base && openModel(base) };

  const open = async (version: string) => openModel(decodeArtefact(await registry.file(version, 'artefact')));

  async function follow(): Promise<void> {
    const { state } = await registry.state();
    const [champion, shadow] = [championFor(state, STAGE)?.version, shadowFor(state, STAGE)?.version];
    current = {
      champion: champion === undefined ? base && openModel(base) : await open(champion),
      shadow: shadow === undefined ? undefined : { version: shadow, model: await open(shadow) },
    };
  }

  return {
    models: { current: () => current },

    observe({ record, shadow }: ScreeningObservation): void {
      if (shadow === undefined) return;
      const known = tallies.get(shadow.version) ?? EMPTY_TALLY;
      tallies.set(shadow.version, {
        screened: known.screened + 1,
        silent: known.silent + Number(shadow.decision === null),
        champion_stopped: known.champion_stopped + Number(record.automated_decision !== 'allow'),
        shadow_stopped: known.shadow_stopped + Number(shadow.decision !== null && shadow.decision !== 'allow'),
      });
    },

    /** Keeps a review's label, as the table does. */
    label(accountId: string, record: ScreeningRecord): void {
      const { review } = record;
      if (review === null) return;
      const own = labels.get(accountId) ?? new Map<string, StoredLabel>();
      labels.set(accountId, own);
      const subject_id = subjectId(record.subject_type, record.ulid);
      own.set(subject_id, {
        subject_id,
        label: review.decision === 'block' ? 'fraud' : 'legitimate',
        source: 'decision_review',
        analyst_id: review.analyst_id,
        labeled_at: review.reviewed_at,
        screened_at_ms: record.screened_at_ms,
        risk_score: record.risk_score,
        model_version: record.model_version,
        feature_version: record.feature_version,
        vector: record.vector,
        observed: record.observed,
      });
    },

    async train(): Promise<string> {
      const { outcome } = await runTraining({
        stage: STAGE,
        clock,
        registry,
        labels: {
          accounts: async () => [...labels.keys()],
          storedInMonth: async (accountId, month) =>
            [...(labels.get(accountId)?.values() ?? [])].filter(({ screened_at_ms }) =>
              new Date(screened_at_ms).toISOString().startsWith(month),
            ),
        },
        tallies: { find: async (version) => tallies.get(version) ?? EMPTY_TALLY },
        base,
        fit: (rows, parent, nowMs) => trainModel(rows, { nowMs, parent, source: 'labels' }),
      });
      await follow();
      return outcome;
    },
  };
}

/** A Monday: every run in this process begins at the same time, so that a seed always gives the same result. */
const BEGIN_MS = Date.UTC(2026, 0, 5);

const NONE_SAID = { all: 0, declined: 0 };

type ApplyPort = Parameters<typeof applyOutcome>[0]['outside'];

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
    intelligence: standInIntelligence(wiring.ips),
    clock,
    newUlid: countingUlids(),
    observe: (screened: ScreeningObservation) => training.observe(screened),
    models: training.models,
  };
  const tally = new Map<number, TallyStep>();
  const outside: ApplyPort = {
    tally: async () => tally,
    async apply(_accountId, _outcome, change) {
      wiring.store.declined(change, nowMs);
      return true;
    },
    async addToTally(_accountId, { is_declined, is_known }) {
      const step = Math.floor(nowMs / TALLY_STEP_MS);
      const kind = is_known ? 'known' : 'others';
      const before = tally.get(step) ?? { known: NONE_SAID, others: NONE_SAID };
      const { all, declined } = before[kind];
      tally.set(step, { ...before, [kind]: { all: all + 1, declined: declined + Number(is_declined) } });
    },
  };
  return {
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
    async say(shop, decisionId, word) {
      const { account_id, key_id } = callerOf(shop);
      const record = await deps.screenings.find(account_id, decisionId.slice('dec_'.length));
      if (record === undefined) throw new Error(`No such screening: ${decisionId}`);
      const said = word === 'authorized' ? { type: word } : { type: 'declined' as const, decline_reason: word };
      const outcome = {
        ...{ ...said, label: 'none' as const, ulid: decisionId, source: decisionId, key_id, label_in_force: null },
        ...{ occurred_at: new Date(nowMs).toISOString(), recorded_at_ms: nowMs, subject_id: decisionId },
      };
      const subject = keptSubject(record, Number.POSITIVE_INFINITY);
      await applyOutcome({ outside }, account_id, { outcome, subject, said: [] }, nowMs);
    },
    train: training.train,
  };
}
