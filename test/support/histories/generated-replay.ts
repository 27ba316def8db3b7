import { averagePrecision, rankingCurve } from '../../../shared/domain/models/evaluation/ranking-curve';
import type { ModelArtefact } from '../../../shared/domain/models/model-artefact';
import { rowScorer } from '../../../shared/domain/models/row-scorer';
import type { TrainingRow } from '../../../shared/domain/models/training-row';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { memoryStore } from '../../../shared/store/memory/memory-store';
import { openArtefact } from '../../../shared/usecases/models/model-files';
import type { TrainModelOptions } from '../../../training/engine/learn/train-model';
import { historyBuilder } from '../../../training/replay/history';
import { learner, type TrainingEvent } from '../../../training/replay/learner';
import { replay } from '../../../training/replay/replay';
import { reportBuilder } from '../../../training/replay/replay-report';
import { worstWeeks } from '../../../training/replay/week-report';
import { type GeneratedLine, generatedHistory, type HistoryCaseName } from './generated-history';

const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };
const DAY_MS = 86_400_000;
const QUARTER_MS = 91 * DAY_MS;
/** With 20 frauds under a model, chance alone puts a perfect one outside .75 to 1.33 in one quarter of four; fewer say nothing. */
const LEAST_OF_QUARTER = 20;

/** A generated history to replay. */
export interface GeneratedScene {
  readonly name: HistoryCaseName;
  readonly payments: number;
  readonly seed?: number;
  /** @default ours */
  readonly settings?: TrainModelOptions['settings'];
}

export interface ScreenedRow extends TrainingRow {
  readonly is_test: boolean;
  readonly account_id: string;
}

/** Plays production's loop over a generated history: how it ends, whom it stopped, what it expected, and what was refused. */
export async function generatedReplay(scene: GeneratedScene, note?: (text: string) => void) {
  return (await playGenerated(scene, note)).found;
}

/** The same, with every screening as it was recorded, to train something else on. */
export async function playGenerated(
  { name, payments, seed = 1, settings = {} }: GeneratedScene,
  note: (text: string) => void = () => undefined,
) {
  const builder = historyBuilder();
  const lines = generatedHistory(name, payments, seed);
  lines.forEach((line, i) => {
    builder.add(i, line);
  });
  const startMs = Date.parse(lines[0]?.t ?? '');
  const report = reportBuilder();
  const all = reportBuilder();
  const quarters: Array<{ expected: number; actual: number }> = [];
  const rows: ScreenedRow[] = [];
  const learn = learner(settings);
  const { trainings, promotions } = await replay(
    builder.finish().lines(),
    { ips, store: memoryStore(), learn, note },
    (line, { user_id }, record) => {
      if (line.split === 'test') report.add(line, user_id);
      all.add({ ...line, split: 'test' }, user_id);
      rows.push(screenedRow(lines[line.i] as GeneratedLine, record));
      const at = Math.floor((Date.parse(line.t) - startMs) / QUARTER_MS);
      const quarter = quarters[at] ?? { expected: 0, actual: 0 };
      quarters[at] = quarter;
      // Before there is a model, a score is no probability.
      if (isLearned(line.model_version)) {
        quarter.expected += line.probability;
        quarter.actual += line.label ?? 0;
      }
    },
  );
  const [test] = report.finish();
  const [whole] = all.finish();
  const honest = (whole?.decisions ?? []).reduce((sum, { legitimate }) => sum + legitimate, 0);
  const reviewed = whole?.decisions.find(({ decision }) => decision === 'review')?.legitimate ?? 0;
  let [inARow, longest] = [0, 0];
  for (const { report: run } of trainings) {
    if (run.outcome === 'promoted') inARow = 0;
    if (run.is_better && run.outcome.endsWith('refused')) longest = Math.max(longest, ++inARow);
  }
  const found = {
    name,
    lines: lines.length,
    fraud: lines.reduce((sum, { label }) => sum + label, 0),
    auc: test?.metrics.auc ?? Number.NaN,
    average_precision: test?.metrics.average_precision ?? Number.NaN,
    recall_at_1pct: test?.metrics.recall_at_1pct ?? Number.NaN,
    reviewed: reviewed / honest,
    worst_week_blocked: worstWeeks(whole?.weeks ?? [])?.honest_blocked.share ?? Number.NaN,
    worst_week: worstWeeks(whole?.weeks ?? [])?.honest_blocked.week ?? '',
    expected_to_actual: quarters.map(({ expected, actual }) => (actual < LEAST_OF_QUARTER ? null : expected / actual)),
    quarters,
    promotions: promotions.length,
    /** Trainings in a row in which a clearly better model was refused. */
    better_refused_in_a_row: longest,
    trainings: trainings.map(({ report: run }) => `${run.outcome}: ${run.detail}`),
  };
  return { found, rows, trainings, learn };
}

/** The champion is as good as any candidate that was refused once so many more have been trained. */
export const MOST_TRAININGS = 3;
/** Fewer frauds rank two models by chance. */
const LEAST_FRAUD = 15;

/**
 * How well every refused candidate would have ranked the attempts after it, next to the champion of three trainings later: average
 * precision of both on what neither has seen.
 */
export async function refusedBesideChampion(scene: GeneratedScene) {
  const { found, rows, trainings, learn } = await playGenerated(scene);
  const trained = trainings.filter(({ report }) => TRAINED.has(report.outcome));
  const refused = new Set(
    trainings.filter(({ report }) => report.outcome.endsWith('refused')).map(({ report }) => report.version),
  );
  const beside: Array<{ version: string; fraud: number; refused: number; champion: number }> = [];
  for (const [at, { report }] of trained.entries()) {
    const later = trained[at + MOST_TRAININGS];
    if (later === undefined || !refused.has(report.version)) continue;
    const settled = trained[at + MOST_TRAININGS + 1] ?? (trainings.at(-1) as TrainingEvent);
    const champion = settled === trainings.at(-1) ? settled.champion : settled.before;
    const after = rows.filter(({ screened_at_ms }) => screened_at_ms > settled.at_ms);
    const fraud = after.reduce((sum, { label }) => sum + label, 0);
    if (fraud < LEAST_FRAUD) continue;
    const version = report.version ?? '';
    const candidate = await openArtefact(learn.registry, version);
    beside.push({ version, fraud, refused: precisionOf(candidate, after), champion: precisionOf(champion, after) });
  }
  return { found, beside };
}

const TRAINED: ReadonlySet<string> = new Set(['shadow_started', 'candidate_refused']);

function precisionOf(model: ModelArtefact | undefined, rows: readonly ScreenedRow[]): number {
  const scoreOf = rowScorer(model);
  const scores = rows.map((row) => scoreOf(row).risk_score);
  return averagePrecision(rankingCurve({ scores, labels: Uint8Array.from(rows, ({ label }) => label) }));
}

const screenedRow = (line: GeneratedLine, { vector, observed }: ScreeningRecord): ScreenedRow => ({
  ...{ vector, observed, label: line.label, account_id: line.account, is_test: line.split === 'test' },
  screened_at_ms: Date.parse(line.t),
  labeled_at_ms: Date.parse(line.label_t),
});

const isLearned = (version: string): boolean => version.startsWith('model-');
