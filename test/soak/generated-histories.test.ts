import { join } from 'node:path';
import { HISTORY_CASES, type HistoryCaseName } from '../support/histories/generated-history';
import type { GeneratedScene, generatedReplay } from '../support/histories/generated-replay';
import { inAThread } from '../support/machine/in-a-thread';

jest.setTimeout(600_000);

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
    // A slow start has a week in which the model and a signal weigh the same few frauds (docs/adr/0049).
    expect(found.worst_week_blocked).toBeLessThan(name === 'slow_start' ? 0.07 : 0.02);
    expect(found.reviewed).toBeLessThan(0.05);
  },
);
