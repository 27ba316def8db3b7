import { historyBuilder } from '../../../training/replay/history';
import { learner } from '../../../training/replay/learner';
import { type ReplayDeps, type ReplayedLine, replay } from '../../../training/replay/replay';
import { auc } from '../../../training/trainer/metrics';
import { busyRegistrations } from '../../support/traffic/busy-registrations';
import { categoryCards } from '../../support/traffic/category-cards';
import type { TrafficLine } from '../../support/traffic/random-traffic';

jest.setTimeout(300_000);

const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };

/** How well the lines of the test split were ranked, by what callers see. */
async function ranking(lines: readonly TrafficLine[], learn?: ReplayDeps['learn']): Promise<number> {
  const builder = historyBuilder();
  lines.forEach((line, i) => {
    builder.add(i, line);
  });
  const told: ReplayedLine[] = [];
  await replay(builder.finish().lines(), { ips, learn }, (line) => told.push(line));
  const test = told.filter(({ split }) => split === 'test');
  return auc(
    test.map(({ risk_score }) => risk_score),
    Uint8Array.from(test, ({ label }) => label as number),
  );
}

// Few and large steps: a third of the time, and hardly worse.
const learn = learner({ num_iterations: 60, learning_rate: 0.15 });

describe('traffic that nobody made it for', () => {
  it('where busy addresses are honest is learnt against what signals say', async () => {
    const lines = busyRegistrations(2_500);
    expect(await ranking(lines)).toBeLessThan(0.5);
    expect(await ranking(lines, learn)).toBeGreaterThan(0.98);
  });

  it('of cards with categories is learnt from amounts, hours and categories', async () => {
    expect(await ranking(categoryCards(50, 100), learn)).toBeGreaterThan(0.985);
  });
});
