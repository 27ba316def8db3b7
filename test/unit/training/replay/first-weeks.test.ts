import { join } from 'node:path';
import { outsideJest } from '../../../support/outside-jest';
import { patient } from '../../../support/patience';
import type { firstWeeks } from './first-weeks';

jest.setTimeout(patient(150_000));

type Weeks = Awaited<ReturnType<typeof firstWeeks>>;
const weeksOf = (history: string): Promise<Weeks> =>
  outsideJest(join(__dirname, 'first-weeks.ts'), 'firstWeeks', history);

it('does not learn that everybody is a fraudster where fraud is labelled first', async () => {
  const { worst, notes } = await weeksOf('fraudFirst');
  expect(worst?.honest_blocked.share).toBeLessThanOrEqual(0.01);
  expect(worst?.honest_reviewed.share).toBeLessThanOrEqual(0.05);
  expect(notes[0]).toContain('legitimate ones have not arrived yet');
});
