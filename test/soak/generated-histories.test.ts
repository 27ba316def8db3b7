import { join } from 'node:path';
import { HISTORY_CASES, type HistoryCaseName } from '../support/histories/generated-history';
import type { GeneratedScene, generatedReplay } from '../support/histories/generated-replay';
import { inAThread } from '../support/machine/in-a-thread';

// Up to seven minutes on a busy core.
jest.setTimeout(1_800_000);

const played = (scene: GeneratedScene): ReturnType<typeof generatedReplay> =>
  inAThread(join(__dirname, '../support/histories/generated-replay.ts'), 'generatedReplay', scene);

/** In as many trainings the champion is as good as any candidate that was refused. */
const MOST_TRAININGS = 3;

it.each(Object.keys(HISTORY_CASES) as HistoryCaseName[])(
  '%s: what is learned later gets in, and few honest people are blocked',
  async (name) => {
    // Few and large steps: a third of the time, and hardly worse.
    const settings = { num_iterations: 60, learning_rate: 0.15 };
    const found = await played({ name, payments: 8_000, settings });
    expect(found.promotions).toBeGreaterThanOrEqual(1);
    expect(found.better_refused_in_a_row).toBeLessThan(MOST_TRAININGS);
    // With 54 frauds each, two accounts have a single model by the end, and it ranks little better than none.
    expect(found.auc).toBeGreaterThan(name === 'two_accounts' ? 0.55 : 0.75);
    // In a small shop a single terminal is 4% of the payments; the first model and a signal weigh the same few frauds (docs/model.md).
    expect(found.worst_week_blocked).toBeLessThan(name === 'slow_start' || name === 'doubling' ? 0.07 : 0.02);
    expect(found.reviewed).toBeLessThan(0.05);
  },
);

interface Wanted {
  /** What LightGBM makes of the same vectors (`history-beside-lightgbm.ts`): AUC and average precision. */
  readonly other: readonly [auc: number, averagePrecision: number];
  /** How far below its AUC ours may end. @default .01 */
  readonly auc?: number;
  /** Expected to actual fraud in a quarter. @default .75 to 1.33 */
  readonly expected?: readonly [least: number, most: number];
}

const LARGE: Readonly<Record<HistoryCaseName, Wanted>> = {
  // A third of the frauds at a terminal come before any label says that it is copied: their order is chance.
  terminals: { other: [0.84, 0.228], auc: 0.04 },
  sprees: { other: [1, 0.993] },
  // Nobody knows the new kind until its labels come, and then it is expected as often as in an average week of the quarter.
  new_kind: { other: [1, 0.99], expected: [0.5, 1.33] },
  slow_start: { other: [0.863, 0.554] },
  // The first model learns from a burst of 84 frauds, and what follows is quieter.
  doubling: { other: [0.917, 0.651], expected: [0.75, 1.9] },
  two_accounts: { other: [0.932, 0.636] },
};

it.each(Object.entries(LARGE) as Array<[HistoryCaseName, Wanted]>)(
  '%s: 50,000 payments end beside LightGBM, no better model is refused for long, and few honest people are stopped',
  async (name, { other: [auc, averagePrecision], auc: below = 0.01, expected: [least, most] = [0.75, 1.33] }) => {
    const found = await played({ name, payments: 50_000 });
    expect(found.auc).toBeGreaterThan(auc - below);
    expect(found.average_precision).toBeGreaterThan(averagePrecision - 0.03);
    expect(found.better_refused_in_a_row).toBeLessThan(MOST_TRAININGS);
    expect(found.reviewed).toBeLessThan(0.02);
    expect(found.worst_week_blocked).toBeLessThan(0.02);
    for (const times of found.expected_to_actual) {
      if (times !== null) expect(Math.min(Math.max(times, least), most)).toBe(times);
    }
  },
);
