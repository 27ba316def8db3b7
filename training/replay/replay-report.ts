import { modelMetrics } from '../../shared/domain/models/evaluation/model-metrics';
import type { ModelMetrics } from '../../shared/domain/models/model-artefact';
import type { Decision } from '../../shared/domain/screening/decide';
import { failedNames } from '../../shared/usecases/models/training-report';
import { dayOf, type SplitName } from './history-line';
import { OUTCOMES, type TrainingEvent } from './learner';
import type { Promotion, ReplayedLine } from './replay';
import { type ModelPeriod, type Week, weekReport, weekText } from './week-report';

const CARDS = 100;
const DAY_MS = 86_400_000;
const DECISIONS: readonly Decision[] = ['allow', 'review', 'block'];

export interface SplitReport {
  readonly split: SplitName;
  readonly metrics: ModelMetrics;
  /** Of each day's 100 highest-scoring users, the share that did commit fraud, over all days. */
  readonly card_precision_at_100: number;
  readonly decisions: ReadonlyArray<{
    readonly decision: Decision;
    readonly fraud: number;
    readonly legitimate: number;
  }>;
  readonly weeks: readonly Week[];
  /** In the order in which they scored. */
  readonly models: readonly ModelPeriod[];
}

export interface ReportBuilder {
  add(line: ReplayedLine, userId: string): void;
  finish(): SplitReport[];
}

interface Gathered {
  readonly scores: number[];
  readonly probabilities: number[];
  readonly labels: number[];
  readonly days: Map<number, Map<string, { probability: number; label: number }>>;
  readonly decisions: Map<string, number>;
  readonly weeks: ReturnType<typeof weekReport>;
}

/** An empty report. Lines of the split `other`, and lines without a label, are never evaluated. */
export function reportBuilder(): ReportBuilder {
  const splits = new Map<SplitName, Gathered>();
  return {
    add(line, userId) {
      const { split, label, risk_score, probability, decision, at_ms } = line;
      if (split === 'other' || label === null) return;
      const gathered = splits.get(split) ?? emptySplit();
      splits.set(split, gathered);
      gathered.weeks.add(line, label);
      gathered.scores.push(risk_score);
      gathered.probabilities.push(probability);
      gathered.labels.push(label);
      const cell = `${decision} ${label}`;
      gathered.decisions.set(cell, (gathered.decisions.get(cell) ?? 0) + 1);
      const day = Math.floor(at_ms / DAY_MS);
      const users = gathered.days.get(day) ?? new Map();
      gathered.days.set(day, users);
      const before = users.get(userId);
      users.set(userId, {
        probability: Math.max(before?.probability ?? 0, probability),
        label: Math.max(before?.label ?? 0, label),
      });
    },
    finish() {
      return [...splits].map(([split, gathered]) => ({
        split,
        metrics: modelMetrics({ ...gathered, labels: Uint8Array.from(gathered.labels) }),
        card_precision_at_100: cardPrecision(gathered.days),
        decisions: DECISIONS.map((decision) => ({
          decision,
          fraud: gathered.decisions.get(`${decision} 1`) ?? 0,
          legitimate: gathered.decisions.get(`${decision} 0`) ?? 0,
        })),
        ...gathered.weeks.finish(),
      }));
    },
  };
}

const emptySplit = (): Gathered => ({
  scores: [],
  probabilities: [],
  labels: [],
  days: new Map(),
  decisions: new Map(),
  weeks: weekReport(),
});

/** As in the Fraud Detection Handbook: a user whose fraud was found is left out on later days. */
function cardPrecision(days: Gathered['days']): number {
  const found = new Set<string>();
  let sum = 0;
  for (const users of days.values()) {
    const ranked = [...users]
      .filter(([user]) => !found.has(user))
      .sort((a, b) => b[1].probability - a[1].probability)
      .slice(0, CARDS);
    const hits = ranked.filter(([, { label }]) => label === 1);
    for (const [user] of hits) found.add(user);
    sum += hits.length / CARDS;
  }
  return sum / days.size;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
const fourDecimals = (value: number): string => (Number.isFinite(value) ? value.toFixed(4) : 'none');

export function reportText(reports: readonly SplitReport[]): string {
  return reports.map(splitText).join('\n');
}

/** Every trained model, its ranking next to the champion's, and its end: promoted, or why it was refused. */
export function trainingTable(trainings: readonly TrainingEvent[]): string {
  const fates = new Map<string, { day: string; fraud: number; labels: number; ranked: string; became: string }>();
  for (const { at_ms, report } of trainings) {
    const { version, verdict, labels, outcome, is_better } = report;
    if (version === null) continue;
    const day = dayOf(at_ms);
    const ranked = verdict?.checks.find(({ name }) => name === 'finds no less fraud per alert')?.found.split(',')[0];
    const refused = verdict === null || verdict.passed ? '' : `: ${failedNames(verdict)}`;
    const became = `${day} ${OUTCOMES[outcome] ?? outcome}${refused}${refused !== '' && is_better ? ' (it was better)' : ''}`;
    const fate = fates.get(version);
    if (fate) fate.became = became;
    else {
      const { fraud = 0, legitimate = 0 } = labels ?? {};
      fates.set(version, { day, labels: fraud + legitimate, fraud, ranked: ranked ?? 'none', became });
    }
  }
  if (fates.size === 0) return '';
  return [
    'Models trained, and what each was refused for',
    '  day          model                         labels    fraud   average precision   became',
    ...[...fates].map(([version, { day, labels, fraud, ranked, became }]) =>
      [`  ${day}   ${version.padEnd(26)}`, pad(labels, 9), pad(fraud, 8), ranked.padStart(19), `  ${became}`].join(' '),
    ),
    '',
  ].join('\n');
}

export function promotionText(promotions: readonly Promotion[]): string {
  if (promotions.length === 0) return '';
  return [
    'Scores of a fixed sample at each change of model',
    '  day          model                        points: mean   95%   most   decisions that flip',
    ...promotions.map(({ at, version, move }) =>
      [
        `  ${at}   ${version.padEnd(26)}`,
        move.mean_points.toFixed(1).padStart(14),
        String(move.usual_points).padStart(5),
        String(move.most_points).padStart(6),
        `${move.flips} of ${move.rows}`.padStart(21),
      ].join(' '),
    ),
    '',
  ].join('\n');
}

function splitText({ split, metrics, card_precision_at_100, decisions, weeks, models }: SplitReport): string {
  const { rows, fraud, auc, average_precision, recall_at_1pct, recall_at_5pct } = metrics;
  return [
    `Split ${split}: ${rows} lines, ${fraud} fraud (${percent(fraud / rows)})`,
    `  AUC                     ${fourDecimals(auc)}`,
    `  average precision       ${fourDecimals(average_precision)}`,
    `  recall at 1% false positives   ${fourDecimals(recall_at_1pct)}`,
    `  recall at 5% false positives   ${fourDecimals(recall_at_5pct)}`,
    `  card precision@100      ${fourDecimals(card_precision_at_100)}`,
    '',
    '  decision       fraud   legitimate   precision   share of fraud',
    ...decisions.map(
      ({ decision, fraud: hits, legitimate }) =>
        `  ${decision.padEnd(8)} ${pad(hits, 11)} ${pad(legitimate, 12)} ${percent(hits / Math.max(1, hits + legitimate)).padStart(11)} ${percent(hits / Math.max(1, fraud)).padStart(16)}`,
    ),
    '',
    '  score       lines    fraud   fraud rate   expected',
    ...metrics.calibration
      .filter((band) => band.rows > 0)
      .map(
        ({ from, to, rows: count, fraud: hits, observed, predicted }) =>
          `  ${`${from}–${to === 100 ? 100 : to - 1}`.padEnd(8)} ${pad(count, 8)} ${pad(hits, 8)} ${percent(observed ?? 0).padStart(12)} ${percent(predicted ?? 0).padStart(10)}`,
      ),
    '',
    ...weekText(weeks, models),
  ].join('\n');
}

const pad = (value: number, width: number): string => String(value).padStart(width);
