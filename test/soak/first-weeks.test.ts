import { join } from 'node:path';
import { inAThread } from '../support/machine/in-a-thread';
import { patient } from '../support/patience';
import type { firstWeeks } from './first-weeks';

jest.setTimeout(patient(150_000));

type Weeks = Awaited<ReturnType<typeof firstWeeks>>;
const weeksOf = (history: string): Promise<Weeks> =>
  inAThread(join(__dirname, 'first-weeks.ts'), 'firstWeeks', history);

it('does not learn that everybody is a fraudster where fraud is labelled first', async () => {
  const { worst, notes } = await weeksOf('fraudFirst');
  expect(worst?.honest_blocked.share).toBeLessThanOrEqual(0.01);
  expect(worst?.honest_reviewed.share).toBeLessThanOrEqual(0.05);
  expect(notes[0]).toContain('legitimate ones have not arrived yet');
});

it('finds fraud by its amount in a foreign currency, also in one of the past', async () => {
  const { metrics } = await weeksOf('foreignAmounts');
  expect(metrics?.auc).toBeGreaterThan(0.95);
  expect(metrics?.average_precision).toBeGreaterThan(0.7);
});

it('leaves the victims of a takeover alone when they pay as before', async () => {
  const { worst, decisions } = await weeksOf('victims');
  expect(worst?.honest_blocked.share).toBeLessThanOrEqual(0.01);
  expect(worst?.honest_reviewed.share).toBeLessThanOrEqual(0.02);
  const caught = decisions.filter(({ decision }) => decision !== 'allow').reduce((sum, { fraud }) => sum + fraud, 0);
  const fraud = decisions.reduce((sum, each) => sum + each.fraud, 0);
  // Half of it comes before the first model, and looks like any purchase on a new device.
  expect(caught / fraud).toBeGreaterThan(0.4);
});
