import { auc } from '../../shared/domain/models/evaluation/ranking-curve';
import { memoryStore } from '../../shared/store/memory/memory-store';
import { historyBuilder } from '../../training/replay/history';
import { learner } from '../../training/replay/learner';
import { type ReplayedLine, replay } from '../../training/replay/replay';
import { botShop } from '../support/traffic/bot-shop';
import { busyRegistrations } from '../support/traffic/busy-registrations';
import { categoryCards } from '../support/traffic/category-cards';

const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };

const TRAFFIC = {
  busyRegistrations: () => busyRegistrations(2_500),
  categoryCards: () => categoryCards(50, 100),
  botShop: () => botShop(1_500, 150),
};

// Few and large steps: a third of the time, and hardly worse.
const learn = learner({ num_iterations: 60, learning_rate: 0.15 });

/** How well the lines of the test split, or one kind of them, were ranked by what callers see. */
export async function ranking(
  traffic: keyof typeof TRAFFIC,
  isLearning: boolean,
  kind?: ReplayedLine['kind'],
): Promise<number> {
  const builder = historyBuilder();
  TRAFFIC[traffic]().forEach((line, i) => {
    builder.add(i, line);
  });
  const told: ReplayedLine[] = [];
  await replay(builder.finish().lines(), { ips, store: memoryStore(), learn: isLearning ? learn : undefined }, (line) =>
    told.push(line),
  );
  const test = told.filter((line) => line.split === 'test' && (kind === undefined || line.kind === kind));
  return auc(
    test.map(({ risk_score }) => risk_score),
    Uint8Array.from(test, ({ label }) => label as number),
  );
}
