import { DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import { DomainError } from '../../shared/domain/errors';
import type { IpFacts } from '../../shared/domain/ip/ip-table';
import type { ScoreMove } from '../../shared/domain/models/evaluation/score-move';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { openModel } from '../../shared/domain/models/scoring-model';
import type { TrainingRow } from '../../shared/domain/models/training-row';
import { TRAINING_RULE } from '../../shared/domain/models/training-rule';
import type { RuleSet } from '../../shared/domain/rules/rule-set';
import type { Decision } from '../../shared/domain/screening/decide';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { decisionId } from '../../shared/domain/screening/subjects/subject-id';
import { SCREENING_STAND_INS } from '../../shared/runtime/stand-ins/screening-stand-ins';
import { type RecordOutcomeDeps, reviewDecision } from '../../shared/usecases/cases/record-outcome';
import {
  type ScreeningObservation,
  type ScreenSubjectDeps,
  screenSubject,
} from '../../shared/usecases/screening/screen-subject';
import { countingUlids } from './counting-ulids';
import type { HistoryLine, SplitName } from './history-line';
import { labelFeed, type WaitingLabel } from './label-feed';
import { presumedRows } from './presumed-rows';
import { moveOf, recentTraffic, type ScreenedRow } from './recent-traffic';
import { rowLog } from './row-log';
import { trainingClock } from './training-clock';

/** The result for one line; its fields are those of the output file. */
export interface ReplayedLine {
  /** Position in the file, from 0. */
  readonly i: number;
  readonly t: string;
  readonly kind: string;
  readonly split: SplitName;
  readonly label: 0 | 1 | null;
  readonly risk_score: number;
  readonly probability: number;
  readonly decision: Decision;
  readonly signals: readonly string[];
  readonly model_version: string;
}

/** Trains a candidate and says whether it becomes the champion, given also what was screened lately. */
export type Learner = (
  rows: readonly TrainingRow[],
  champion: ModelArtefact | undefined,
  nowMs: number,
  recent: readonly ScreenedRow[],
) => { readonly model: ModelArtefact | undefined; readonly note: string };

/** The ports of screening and of outcomes, on an initially empty store that serves one replay. */
export interface ReplayStore extends Pick<ScreenSubjectDeps, 'entities' | 'networks' | 'claims' | 'screenings'> {
  readonly outcomes: RecordOutcomeDeps['outcomes'];
  /** Drops a screening that will not be referred to again. */
  forget(ulid: string): void;
}

/** Dependencies of a replay. */
export interface ReplayDeps {
  readonly store: ReplayStore;
  readonly ips: { lookup(ip: string): IpFacts | undefined };
  /** The champion from the first line on. @default signals alone */
  readonly model?: ModelArtefact | undefined;
  /** @default nothing is learnt */
  readonly learn?: Learner | undefined;
  /** Rules to evaluate on every line. @default none */
  readonly rules?: RuleSet | undefined;
  /** Whether to also record labels that came after the last line: they are known when a history is imported. @default false */
  readonly isPast?: boolean;
  /** Receives progress messages. */
  readonly note?: (text: string) => void;
}

/** How a replay ended. */
export interface ReplayEnd {
  readonly model: ModelArtefact | undefined;
  readonly rows: TrainingRow[];
  /** Labels that came after their screening had expired, 90 days on; of a past history, its rows learn from them still. */
  readonly late_labels: number;
  /** The models that took over. */
  readonly promotions: readonly Promotion[];
}

/** A change of champion, and how it moved the scores of a fixed sample of screenings. */
export interface Promotion {
  readonly at: string;
  readonly version: string;
  readonly move: ScoreMove;
}

const DAY_CHARACTERS = 'yyyy-mm-dd'.length;
const CALLER = { account_id: 'acc_replay', key_id: 'key_replay', settings: DEFAULT_SETTINGS };

/**
 * Screens a history by the lines' own clock, with the same use cases as production. A label is recorded when it became
 * known and not earlier; training happens when production's rule would start it (`training-clock.ts`), and always right
 * before the first line of the test split.
 */
export async function replay(
  lines: Iterable<readonly [i: number, line: HistoryLine]>,
  deps: ReplayDeps,
  tell: (line: ReplayedLine, subject: HistoryLine['subject'], record: ScreeningRecord) => void,
): Promise<ReplayEnd> {
  const { store, rules } = deps;
  const feed = labelFeed();
  const log = rowLog();
  const presumed = presumedRows();
  const traffic = recentTraffic();
  const promotions: Promotion[] = [];
  const training = trainingClock();
  let nowMs = 0;
  let champion = deps.model;
  let scoring = champion && openModel(champion);
  let isTesting = false;
  let late = 0;
  let seen: ScreeningObservation | undefined;
  const screening = {
    ...SCREENING_STAND_INS,
    ...store,
    ips: deps.ips,
    clock: { now: () => nowMs },
    newUlid: countingUlids(),
    observe: (observed: ScreeningObservation) => {
      seen = observed;
    },
    models: { current: () => ({ champion: scoring }) },
    ...(rules && { rules: { current: () => ({ rules }) } }),
  };

  async function tellLabel({ ulid, label, known_at_ms }: WaitingLabel): Promise<void> {
    nowMs = known_at_ms;
    presumed.remove(ulid);
    try {
      const stated = { decision: label === 1 ? 'block' : 'allow' } as const;
      log.add(await reviewDecision(screening, CALLER, decisionId(ulid), stated), label, known_at_ms);
    } catch (error) {
      // As in production: a result expires after 90 days, and a label that comes later finds nothing.
      if (!(error instanceof DomainError)) throw error;
      late++;
      // A file that is imported knows the label today: the row teaches, though no history of that time counted it.
      const record = deps.isPast ? await store.screenings.find(CALLER.account_id, ulid) : undefined;
      if (record) log.add(record, label, known_at_ms);
    }
    store.forget(ulid);
  }

  function learn(isLast: boolean): void {
    if (deps.learn === undefined || !training.isDue(log, nowMs, isLast)) return;
    const rows = [...log.rows(TRAINING_RULE.most_rows), ...presumed.rows(nowMs)];
    const { model, note } = deps.learn(rows, champion, nowMs, traffic.latest);
    const at = new Date(nowMs).toISOString().slice(0, DAY_CHARACTERS);
    deps.note?.(`${at}  ${note}`);
    if (model === undefined) return;
    promotions.push({ at, version: model.version, move: moveOf(traffic.fixed, champion, model) });
    champion = model;
    scoring = openModel(model);
  }

  async function tellLabels(untilMs: number): Promise<void> {
    for (let due = feed.take(untilMs); due !== undefined; due = feed.take(untilMs)) await tellLabel(due);
  }

  for (const [i, line] of lines) {
    await tellLabels(line.at_ms);
    nowMs = line.at_ms;
    learn(line.split === 'test' && !isTesting);
    isTesting ||= line.split === 'test';
    const { record } = await screenSubject(screening, CALLER, line.subject);
    traffic.add(record);
    presumed.add(record);
    if (line.label === undefined) store.forget(record.ulid);
    else feed.add({ known_at_ms: line.label_known_at_ms, ulid: record.ulid, label: line.label });
    tell(
      {
        i,
        t: new Date(line.at_ms).toISOString(),
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
  return { model: champion, rows: log.rows(), late_labels: late, promotions };
}
