import type { ModelArtefact } from '../../../../shared/domain/models/model-artefact';
import { rowScorer } from '../../../../shared/domain/models/row-scorer';
import { memoryStore } from '../../../../shared/store/memory/memory-store';
import { trainModel } from '../../../../training/engine/learn/train-model';
import { historyBuilder } from '../../../../training/replay/history';
import { replay } from '../../../../training/replay/replay';
import { BURST_WEEKS, burstCards } from '../../../support/traffic/burst-cards';
import { START_MS } from '../../../support/traffic/random-traffic';

const WEEK_MS = 7 * 86_400_000;
const WEEKS = 24;
const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };

/**
 * The fraud expected by models that are trained at the worst time, when the labels of a burst have just come in, until the next one is
 * trained: expected to actual fraud of each model, and of all.
 */
export async function burstWeeks() {
  const builder = historyBuilder();
  burstCards(160, WEEKS).forEach((line, i) => {
    builder.add(i, line);
  });
  const { rows } = await replay(builder.finish().lines(), { ips, store: memoryStore(), isPast: true }, () => undefined);
  const ends = BURST_WEEKS.slice(0, -1).map((week) => START_MS + (week + 2) * WEEK_MS);
  let parent: ModelArtefact | undefined;
  const models = ends.map((nowMs, i) => {
    const until = ends[i + 1] ?? START_MS + WEEKS * WEEK_MS;
    const known = rows.filter((row) => row.labeled_at_ms <= nowMs);
    const settings = { num_iterations: 40, learning_rate: 0.2 };
    parent = trainModel(known, { nowMs, source: 'labels', settings, parent }).artefact;
    const scoreOf = rowScorer(parent);
    const next = rows.filter(({ screened_at_ms }) => screened_at_ms > nowMs && screened_at_ms <= until);
    return {
      expected: next.reduce((sum, row) => sum + scoreOf(row).probability, 0),
      actual: next.reduce((sum, { label }) => sum + label, 0),
    };
  });
  const total = (of: 'expected' | 'actual') => models.reduce((sum, model) => sum + model[of], 0);
  return { models: models.map(({ expected, actual }) => expected / actual), all: total('expected') / total('actual') };
}
