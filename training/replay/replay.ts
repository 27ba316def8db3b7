import {
  type AccountSettings,
  DEFAULT_SETTINGS,
  labelEndMs,
  MAX_LABEL_WINDOW_DAYS,
} from '../../shared/domain/accounts/account';
import { eventTypeOf } from '../../shared/domain/declarations/declaration';
import type { Pseudonyms } from '../../shared/domain/entities/pseudonyms';
import { DomainError } from '../../shared/domain/errors';
import type { IntelligenceTable } from '../../shared/domain/intelligence/intelligence-table';
import type { ScoreMove } from '../../shared/domain/models/evaluation/score-move';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { openModel } from '../../shared/domain/models/scoring-model';
import type { TrainingRow } from '../../shared/domain/models/training-row';
import type { Decision } from '../../shared/domain/screening/decide';
import { withThresholds } from '../../shared/domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { decisionId } from '../../shared/domain/screening/subjects/subject-id';
import {
  PUBLIC_PSEUDONYMS,
  SCREENING_STAND_INS,
  standInIntelligence,
} from '../../shared/runtime/stand-ins/screening-stand-ins';
import { type RecordOutcomeDeps, reviewDecision } from '../../shared/usecases/cases/record-outcome';
import {
  type ScreeningObservation,
  type ScreenSubjectDeps,
  screenSubject,
} from '../../shared/usecases/screening/screen-subject';
import type { CounterPorts } from '../../shared/usecases/screening/sources/counters';
import type { ScreeningRules } from '../../shared/usecases/screening/sources/rules';
import { countingUlids } from './counting-ulids';
import { fixedSample, moveOf } from './fixed-sample';
import { dayOf, type HistoryLine, type SplitName } from './history-line';
import { labelFeed, type WaitingLabel } from './label-feed';
import { type Learner, type TrainingEvent, trainingLoop, trainingText } from './learner';
import { rowLog } from './row-log';

/** The result for one line; its fields are those of the output file, which writes its time as `t`. */
export interface ReplayedLine {
  /** Position in the file, from 0. */
  readonly i: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly split: SplitName;
  readonly label: 0 | 1 | null;
  readonly risk_score: number;
  readonly probability: number;
  readonly decision: Decision;
  readonly signals: readonly string[];
  readonly model_version: string;
}

/** The ports of screening and of outcomes, on an initially empty store that serves one replay. */
export interface ReplayStore extends Pick<ScreenSubjectDeps, 'entities' | 'networks' | 'claims' | 'screenings'> {
  readonly outcomes: RecordOutcomeDeps['outcomes'];
  forget(ulid: string): void;
}

export interface ReplayDeps {
  readonly store: ReplayStore;
  /** Offline knowledge about addresses, and about domains unless that is left out. */
  readonly ips: Pick<IntelligenceTable, 'lookup'> & Partial<IntelligenceTable>;
  /** The champion from the first line on. @default signals alone */
  readonly model?: ModelArtefact | undefined;
  /** @default nothing is learnt */
  readonly learn?: Learner | undefined;
  /** How its accounts are set. @default as a new account, with labels for 550 days */
  readonly settings?: AccountSettings;
  /** Rules to evaluate on every line, and what they read. @default none */
  readonly rules?: ScreeningRules | undefined;
  /** Where counters that the rules read count. @default nowhere */
  readonly counters?: CounterPorts['counters'] | undefined;
  /** Whether to also record labels that came after the last line: they are known when a history is imported. @default false */
  readonly isPast?: boolean;
  /** Whether to end with the rows that have a label. @default only those of a past history */
  readonly keepsRows?: boolean;
  /** Receives the result of each training. */
  readonly note?: (text: string) => void;
  /** Runs work other than screening: a training and its evaluation. @default at once */
  readonly aside?: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface ReplayEnd {
  readonly model: ModelArtefact | undefined;
  readonly rows: TrainingRow[];
  /** Labels that came after their screening had expired, 90 days on; of a past history, its rows learn from them still. */
  readonly late_labels: number;
  /** Every training, and the fate of its model. */
  readonly trainings: readonly TrainingEvent[];
  readonly promotions: readonly Promotion[];
}

export interface Promotion {
  readonly at: string;
  readonly version: string;
  readonly move: ScoreMove;
}

/**
 * Labels are kept as long as an account may: where fraud is rare, half a year of it is too little to learn from. On two years
 * of card payments with 0.6% fraud, average precision was .80 with 550 days and .41 with 180, the default of an account.
 */
export const REPLAY_SETTINGS: AccountSettings = {
  ...DEFAULT_SETTINGS,
  label_window_days: MAX_LABEL_WINDOW_DAYS,
  // Nobody looks into a replayed screening: what was sent is not sealed, and nothing is listed.
  keep_evidence: false,
  keep_history: false,
};
const callerOf = (account_id: string, settings: AccountSettings) => ({
  ...{ account_id, key_id: 'key_replay', settings },
  wants_what_if: false,
});

/**
 * Screens a history by the lines' own clock, with the same use cases as production. A label is recorded when it became
 * known and not earlier. Models are trained, run in shadow and take over as in production (`learner.ts`).
 */
export async function replay(
  lines: Iterable<readonly [i: number, line: HistoryLine]>,
  deps: ReplayDeps,
  tell: (line: ReplayedLine, subject: HistoryLine['subject'], record: ScreeningRecord) => void,
): Promise<ReplayEnd> {
  const { store, rules, settings = REPLAY_SETTINGS, aside = (work) => work(), keepsRows = deps.isPast } = deps;
  const feed = labelFeed();
  const log = rowLog();
  const sample = fixedSample();
  const trainings: TrainingEvent[] = [];
  const promotions: Promotion[] = [];
  const callers = new Map<string, ReturnType<typeof callerOf>>();
  let nowMs = 0;
  let late = 0;
  let seen: ScreeningObservation | undefined;
  const clock = { now: () => nowMs };
  const pseudonyms = rememberedPseudonyms();
  const loop =
    deps.learn &&
    trainingLoop({ learn: deps.learn, log, accounts: () => [...callers.keys()], base: deps.model, clock });
  const base = { champion: deps.model && openModel(deps.model, undefined, false) };
  const screening = {
    ...SCREENING_STAND_INS,
    ...store,
    intelligence: standInIntelligence(deps.ips),
    clock,
    newUlid: countingUlids(),
    pseudonyms: () => pseudonyms,
    observe: (observed: ScreeningObservation) => {
      seen = observed;
      loop?.observe(observed);
    },
    models: { current: () => loop?.current() ?? base },
    ...(loop && {
      samples: {
        keep: async (account_id: string, record: ScreeningRecord, end_ms: number) =>
          log.add(record, { account_id, label: 0, known_at_ms: nowMs, isSample: true, end_ms }),
      },
    }),
    ...(rules && { rules }),
    ...(deps.counters && { counters: deps.counters }),
  };

  async function tellLabel({ ulid, account_id, label, known_at_ms }: WaitingLabel): Promise<void> {
    nowMs = known_at_ms;
    const caller = callers.get(account_id) as ReturnType<typeof callerOf>;
    const add = (record: ScreeningRecord) => {
      if (!loop && !keepsRows) return;
      log.add(record, { account_id, label, known_at_ms, end_ms: labelEndMs(caller.settings, record) });
    };
    try {
      const stated = { decision: label === 1 ? 'block' : 'allow' } as const;
      add(await reviewDecision(screening, caller, decisionId(ulid), stated));
    } catch (error) {
      // As in production: a result expires after 90 days, and a label that comes later finds nothing.
      if (!(error instanceof DomainError)) throw error;
      late++;
      // A file that is imported knows the label today: the row teaches, though no history of that time counted it.
      const record = deps.isPast ? await store.screenings.find(account_id, ulid) : undefined;
      if (record) add(record);
    }
    store.forget(ulid);
  }

  async function learn(training: NonNullable<typeof loop>): Promise<void> {
    const done = await aside(() => training.run());
    if (done === undefined) return;
    // Labels that nothing can be learned from are mentioned once, not every day.
    if (done.report.outcome === 'labels_unfit' && trainings.at(-1)?.report.outcome === 'labels_unfit') return;
    trainings.push(done);
    const at = dayOf(nowMs);
    deps.note?.(`${at}  ${trainingText(done)}`);
    const { champion, before } = done;
    if (champion === undefined || champion.version === before?.version) return;
    const move = await aside(async () => moveOf(sample.rows, before, champion));
    promotions.push({ at, version: champion.version, move });
  }

  async function tellLabels(untilMs: number): Promise<void> {
    for (let due = feed.take(untilMs); due !== undefined; due = feed.take(untilMs)) await tellLabel(due);
  }

  for (const [i, line] of lines) {
    await tellLabels(line.at_ms);
    nowMs = line.at_ms;
    if (loop?.isDue(nowMs)) await learn(loop);
    const caller = callers.get(line.account_id) ?? callerOf(line.account_id, settings);
    callers.set(line.account_id, caller);
    const declared = rules?.latest(line.account_id)?.declarations;
    const type = declared && eventTypeOf(declared, line.kind);
    const { record } = await screenSubject(screening, withThresholds(caller, type), line.subject);
    sample.add(record, line.account_id);
    if (line.label === undefined) store.forget(record.ulid);
    else {
      const { account_id, label, label_known_at_ms: known_at_ms } = line;
      feed.add({ known_at_ms, ulid: record.ulid, account_id, label });
    }
    tell(
      {
        i,
        at_ms: line.at_ms,
        kind: line.kind,
        split: line.split,
        label: line.label ?? null,
        risk_score: record.risk_score,
        probability: seen?.probability ?? Number.NaN,
        decision: record.automated_decision,
        signals: record.contributions.filter(({ points }) => points > 0).map(({ signal }) => signal),
        model_version: record.model_version,
      },
      line.subject,
      record,
    );
  }
  if (deps.isPast) await tellLabels(Number.POSITIVE_INFINITY);
  const model = loop ? loop.champion() : deps.model;
  return { model, rows: keepsRows ? log.rows() : [], late_labels: late, trainings, promotions };
}

const MOST_REMEMBERED = 100_000;

/** People and merchants of a history return all the time: looking a pseudonym up takes a tenth of making it again. */
function rememberedPseudonyms(): Pseudonyms {
  /** By account, path and value: joining them for every lookup would cost more than the lookup. */
  const accounts = new Map<string, Map<string, Map<string, string>>>();
  let known = 0;
  return {
    ...PUBLIC_PSEUDONYMS,
    of(accountId, path, value) {
      const found = accounts.get(accountId)?.get(path)?.get(value);
      if (found !== undefined) return found;
      if (known++ >= MOST_REMEMBERED) {
        accounts.clear();
        known = 1;
      }
      const paths = accounts.get(accountId) ?? new Map<string, Map<string, string>>();
      const values = paths.get(path) ?? new Map<string, string>();
      accounts.set(accountId, paths.set(path, values));
      const made = PUBLIC_PSEUDONYMS.of(accountId, path, value);
      values.set(value, made);
      return made;
    },
  };
}
