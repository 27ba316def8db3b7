import { memoryStore } from '../../../../shared/store/memory/memory-store';
import { historyBuilder } from '../../../../training/replay/history';
import { learner } from '../../../../training/replay/learner';
import { type ReplayedLine, replay } from '../../../../training/replay/replay';
import type { TrafficLine } from '../../../support/traffic/random-traffic';

/** A made-up line; when its label becomes known may be given in addition to what traffic has. */
export type MadeLine = TrafficLine & { readonly label_t?: string };

const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };

// Few and large trees: what is asked of it is when it learns, not how well.
const HURRIED = { num_iterations: 20, learning_rate: 0.3 };

/** Replays made-up lines, and trains on the way where it should. */
export async function replayedLines(lines: readonly MadeLine[], isLearning: boolean): Promise<ReplayedLine[]> {
  const builder = historyBuilder();
  lines.forEach((line, i) => {
    builder.add(i, line);
  });
  const told: ReplayedLine[] = [];
  const learn = isLearning ? learner(HURRIED) : undefined;
  await replay(builder.finish().lines(), { ips, store: memoryStore(), learn }, (line) => told.push(line));
  return told;
}
