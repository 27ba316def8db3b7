import { join } from 'node:path';
import { inAThread } from '../../../support/machine/in-a-thread';
import { patient } from '../../../support/patience';
import type { burstWeeks } from './burst-weeks';

jest.setTimeout(patient(60_000));

it('expects the fraud there is where it comes in bursts, also right after one', async () => {
  const { all, models }: Awaited<ReturnType<typeof burstWeeks>> = await inAThread(
    join(__dirname, 'burst-weeks.ts'),
    'burstWeeks',
  );
  expect(all).toBeGreaterThan(0.8);
  expect(all).toBeLessThan(1.25);
  expect(models).toHaveLength(3);
  for (const ratio of models) {
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.25);
  }
});
