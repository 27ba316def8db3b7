import { memoryStore } from '../../shared/store/memory/memory-store';
import type { TrainModelOptions } from '../../training/engine/learn/train-model';
import { historyBuilder } from '../../training/replay/history';
import { learner } from '../../training/replay/learner';
import { replay } from '../../training/replay/replay';
import { reportBuilder } from '../../training/replay/replay-report';
import { worstWeeks } from '../../training/replay/week-report';
import { generatedHistory, type HistoryCaseName } from './generated-history';

const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };
const QUARTER_MS = 91 * 86_400_000;

/** A generated history to replay. */
export interface GeneratedScene {
  readonly name: HistoryCaseName;
  readonly payments: number;
  readonly seed?: number;
  /** @default ours */
  readonly settings?: TrainModelOptions['settings'];
}

/** Plays production's loop over a generated history: how it ends, whom it stopped, what it expected, and what was refused. */
export async function generatedReplay({ name, payments, seed = 1, settings = {} }: GeneratedScene) {
  const builder = historyBuilder();
  const lines = generatedHistory(name, payments, seed);
  lines.forEach((line, i) => {
    builder.add(i, line);
  });
  const startMs = Date.parse(lines[0]?.t ?? '');
  const report = reportBuilder();
  const all = reportBuilder();
  const quarters: Array<{ expected: number; actual: number }> = [];
  const { trainings, promotions } = await replay(
    builder.finish().lines(),
    { ips, store: memoryStore(), learn: learner(settings) },
    (line, { user_id }) => {
      if (line.split === 'test') report.add(line, user_id);
      all.add({ ...line, split: 'test' }, user_id);
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
  return {
    name,
    lines: lines.length,
    fraud: lines.reduce((sum, { label }) => sum + label, 0),
    auc: test?.metrics.auc ?? Number.NaN,
    average_precision: test?.metrics.average_precision ?? Number.NaN,
    recall_at_1pct: test?.metrics.recall_at_1pct ?? Number.NaN,
    reviewed: reviewed / honest,
    worst_week_blocked: worstWeeks(whole?.weeks ?? [])?.honest_blocked.share ?? Number.NaN,
    expected_to_actual: quarters.map(({ expected, actual }) => expected / Math.max(1, actual)),
    promotions: promotions.length,
    /** Trainings in a row in which a clearly better model was refused. */
    better_refused_in_a_row: longest,
    trainings: trainings.map(({ report: run }) => `${run.outcome}: ${run.detail}`),
  };
}

const isLearned = (version: string): boolean => version.startsWith('model-');
