import type { TrainingRow } from '../../../shared/domain/models/training-row';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { memoryStore } from '../../../shared/store/memory/memory-store';
import type { TrainModelOptions } from '../../../training/engine/learn/train-model';
import { historyBuilder } from '../../../training/replay/history';
import { learner } from '../../../training/replay/learner';
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
      const at = Math.floor((line.at_ms - startMs) / QUARTER_MS);
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
  return { found, rows };
}

const screenedRow = (line: GeneratedLine, { vector, observed }: ScreeningRecord): ScreenedRow => ({
  ...{ vector, observed, label: line.label, account_id: line.account, is_test: line.split === 'test' },
  screened_at_ms: Date.parse(line.t),
  labeled_at_ms: Date.parse(line.label_t),
});

const isLearned = (version: string): boolean => version.startsWith('model-');
