import { memoryStore } from '../../shared/store/memory/memory-store';
import { historyBuilder } from '../../training/replay/history';
import { learner } from '../../training/replay/learner';
import { replay } from '../../training/replay/replay';
import { reportBuilder } from '../../training/replay/replay-report';
import { worstWeeks } from '../../training/replay/week-report';
import { botShop } from '../support/traffic/bot-shop';
import { foreignAmounts } from '../support/traffic/foreign-amounts';
import type { TrafficLine } from '../support/traffic/random-traffic';
import { stolenAccounts } from '../support/traffic/stolen-accounts';

const DAY_MS = 86_400_000;
const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };

/** Bots are found within a day; that somebody was honest is only known a month later. */
const fraudFirst = (line: TrafficLine) => ({
  ...line,
  label_t: new Date(Date.parse(line.t) + (line.label === 1 ? 1 : 30) * DAY_MS).toISOString(),
});

const HISTORIES = {
  fraudFirst: () => botShop(1_200, 320).map(fraudFirst),
  foreignAmounts: () => foreignAmounts(4_000),
  victims: () => stolenAccounts(200, 16),
};

// Few and large steps: what holds does not depend on how fine a forest is, only the time does.
const learn = learner({ num_iterations: 40, learning_rate: 0.2 });

/** A history's worst weeks, what each model expected, and how each change of model moved the same screenings. */
export async function firstWeeks(history: keyof typeof HISTORIES) {
  const builder = historyBuilder();
  HISTORIES[history]().forEach((line, i) => {
    builder.add(i, line);
  });
  const report = reportBuilder();
  const late = reportBuilder();
  const notes: string[] = [];
  const { promotions } = await replay(
    builder.finish().lines(),
    { ips, store: memoryStore(), learn, note: (text) => notes.push(text) },
    (line, { user_id }) => {
      report.add({ ...line, split: 'test' }, user_id);
      if (line.split === 'test') late.add(line, user_id);
    },
  );
  const [split] = report.finish();
  const [test] = late.finish();
  return {
    worst: worstWeeks(split?.weeks ?? []),
    models: split?.models ?? [],
    decisions: split?.decisions ?? [],
    /** Of the lines that the history itself tests on. */
    metrics: test?.metrics,
    promotions,
    notes,
  };
}
