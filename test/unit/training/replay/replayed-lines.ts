import { memoryStore } from '../../../../shared/store/memory/memory-store';
import { trainModel } from '../../../../training/engine/learn/train-model';
import { historyBuilder } from '../../../../training/replay/history';
import { type ReplayDeps, type ReplayedLine, replay } from '../../../../training/replay/replay';
import type { TrafficLine } from '../../../support/traffic/random-traffic';

/** A made-up line; when its label becomes known may be given beside what traffic has. */
export type MadeLine = TrafficLine & { readonly label_t?: string };

const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };

/** Takes every candidate, of few and large trees: what is asked of it is when it learns, not how well. */
const hurried: Pick<ReplayDeps, 'learn'> = {
  learn: (rows, _champion, nowMs) => {
    const settings = { num_iterations: 20, learning_rate: 0.3 };
    return { model: trainModel(rows, { nowMs, source: 'labels', settings }).artefact, note: '' };
  },
};

/** Replays made-up lines, and trains on the way where it should. */
export async function replayedLines(lines: readonly MadeLine[], isLearning: boolean): Promise<ReplayedLine[]> {
  const builder = historyBuilder();
  lines.forEach((line, i) => {
    builder.add(i, line);
  });
  const told: ReplayedLine[] = [];
  await replay(builder.finish().lines(), { ips, store: memoryStore(), ...(isLearning ? hurried : {}) }, (line) =>
    told.push(line),
  );
  return told;
}
