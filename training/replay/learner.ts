import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { PROMOTION_RULE } from '../../shared/domain/models/promotion-rule';
import {
  championFor,
  EMPTY_REGISTRY,
  EMPTY_TALLY,
  modelIn,
  type RegistryState,
  type ShadowTally,
} from '../../shared/domain/models/registry-state';
import { openModel } from '../../shared/domain/models/scoring-model';
import { shadowReadiness, TRAINING_RULE, whyNotYet } from '../../shared/domain/models/training-rule';
import { emptyRegistry } from '../../shared/runtime/replay-wiring';
import { openArtefact } from '../../shared/usecases/models/model-files';
import type { RegistryPort } from '../../shared/usecases/models/registry-port';
import { runTraining, type TrainingDeps } from '../../shared/usecases/models/run-training';
import { shadowTally } from '../../shared/usecases/models/tally-shadow';
import type { TrainingReport } from '../../shared/usecases/models/training-report';
import type { ScreeningObservation } from '../../shared/usecases/screening/screen-subject';
import type { CurrentModels } from '../../shared/usecases/screening/sources/models';
import { type TrainModelOptions, trainModel } from '../engine/learn/train-model';
import type { RowLog } from './row-log';

/** Everything that a replay learns with: production's use case, a trainer, and an empty registry in memory. */
export interface Learner {
  readonly registry: RegistryPort;
  readonly fit: TrainingDeps['fit'];
}

export const learner = (settings: TrainModelOptions['settings'] = {}): Learner => ({
  registry: emptyRegistry(),
  fit: (rows, parent, nowMs, plan) => trainModel(rows, { nowMs, source: 'labels', settings, parent, plan }),
});

export interface TrainingEvent {
  readonly at_ms: number;
  readonly report: TrainingReport;
  readonly champion: ModelArtefact | undefined;
  readonly before: ModelArtefact | undefined;
}

interface LoopDeps {
  readonly learn: Learner;
  readonly log: RowLog;
  readonly accounts: () => readonly string[];
  readonly base: ModelArtefact | undefined;
  readonly clock: { now(): number };
}

/** Production trains every six hours; a run that can only say that it is too early is not started. */
const LOOK_EVERY_MS = 6 * 3_600_000;
/** Labels that cannot be learned from are looked at again a day later. */
const LOOK_LATER_MS = 24 * 3_600_000;
const IS_IDLE: ReadonlySet<TrainingReport['outcome']> = new Set(['too_few_labels', 'shadow_waiting']);

/** Production's loop in virtual time: it trains, lets a model run in shadow, and promotes it, by the same use case. */
export function trainingLoop({ learn, log, accounts, base, clock }: LoopDeps) {
  const opened = base && openModel(base, undefined, false);
  let models: CurrentModels = { champion: opened };
  let champion = base;
  let state: RegistryState = EMPTY_REGISTRY;
  let tally: ShadowTally = EMPTY_TALLY;
  let nextLookMs = 0;
  /** Labels by people when a model was last trained, and when the champion was. */
  let labelsThen = { version: '', length: 0, fraud: 0 };
  let championThen = labelsThen;
  const counter = shadowTally({
    clock,
    tallies: {
      add: async (_version, more) => {
        const names = Object.keys(tally) as Array<keyof ShadowTally>;
        tally = Object.fromEntries(names.map((name) => [name, tally[name] + more[name]])) as unknown as ShadowTally;
      },
    },
  });
  const deps: TrainingDeps = {
    stage: 'production',
    clock,
    registry: learn.registry,
    labels: {
      accounts: async () => accounts(),
      storedInMonth: async (accountId, month) => log.storedInMonth(accountId, month),
    },
    tallies: { find: async () => tally },
    base,
    fit: learn.fit,
  };

  /** Whether a run could do anything, by counts alone: all labels are read only then. */
  function isDue(nowMs: number): boolean {
    const since = { length: log.length - labelsThen.length, fraud: log.fraud - labelsThen.fraud };
    const shadow = modelIn(state, 'shadow');
    if (shadow) {
      const fresh = { fraud: since.fraud, legitimate: since.length - since.fraud, presumed: Number.POSITIVE_INFINITY };
      const ageMs = nowMs - Date.parse(shadow.since);
      return shadowReadiness(ageMs, fresh, tally, PROMOTION_RULE.least_labels) !== 'waiting';
    }
    if (log.fraud - championThen.fraud < TRAINING_RULE.holdout_least) return false;
    const { length, fraud } = log;
    const counts = { fraud, legitimate: length - fraud, presumed: Number.POSITIVE_INFINITY };
    const all = { ...counts, since_training: since.length, fraud_since_training: since.fraud };
    return whyNotYet(all, state) === undefined;
  }

  async function follow(): Promise<void> {
    const before = state;
    ({ state } = await learn.registry.state());
    const [named, shadow] = [championFor(state, 'production')?.version, modelIn(state, 'shadow')?.version];
    if (named !== championFor(before, 'production')?.version) {
      champion = named === undefined ? base : await openArtefact(learn.registry, named);
    }
    if (shadow !== undefined && shadow !== modelIn(before, 'shadow')?.version) tally = EMPTY_TALLY;
    if (state.last_training?.at !== before.last_training?.at) {
      labelsThen = { version: state.models.at(-1)?.version ?? '', length: log.length, fraud: log.fraud };
    }
    if (labelsThen.version === named) championThen = labelsThen;
    models = {
      champion: champion && openModel(champion, opened, false),
      shadow:
        shadow === undefined
          ? undefined
          : { version: shadow, model: openModel(await openArtefact(learn.registry, shadow), opened, false) },
    };
  }

  return {
    current: () => models,
    champion: () => champion,
    /** Counts the shadow model's scores. */
    observe(observed: ScreeningObservation): void {
      if (observed.shadow === undefined) return;
      counter.count(observed);
      counter.write();
    },
    isDue: (nowMs: number): boolean => {
      if (nowMs < nextLookMs) return false;
      nextLookMs = nowMs + LOOK_EVERY_MS;
      return isDue(nowMs);
    },
    async run(): Promise<TrainingEvent | undefined> {
      const before = champion;
      const report = await runTraining(deps);
      if (report.outcome === 'labels_unfit') nextLookMs = clock.now() + LOOK_LATER_MS;
      await follow();
      return IS_IDLE.has(report.outcome) ? undefined : { at_ms: clock.now(), report, champion, before };
    },
  };
}

/** The outcomes of a training run, in words. */
export const OUTCOMES: Readonly<Partial<Record<TrainingEvent['report']['outcome'], string>>> = {
  labels_unfit: 'nothing trained',
  candidate_refused: 'refused',
  shadow_started: 'starts in shadow',
  shadow_refused: 'refused in shadow',
  shadow_overdue: 'given up in shadow',
  promoted: 'takes over',
};

export function trainingText({ report: { outcome, detail, version, labels } }: TrainingEvent): string {
  const counted = labels === null ? '' : `${labels.fraud + labels.legitimate} labels, ${labels.fraud} fraud: `;
  return `${counted}${version === null ? '' : `${version} `}${OUTCOMES[outcome] ?? outcome}; ${detail}`;
}
