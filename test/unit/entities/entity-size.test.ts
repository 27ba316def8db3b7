import { join } from 'node:path';
import { KINDS } from '../../../bench/support/live-through';
import { inAThread } from '../../support/in-a-thread';
import { patient } from '../../support/patience';
import { sized } from '../../support/sized';
import type { Lived } from './hostile-lives';

jest.setTimeout(patient(150_000));

const LIVES = join(__dirname, 'hostile-lives.ts');

// An item is largest after a few thousand attempts, when every part of it is full; all of them by `npm run test:soak`.
const ATTEMPTS = sized(100_000, 2_500);

test.each(KINDS)(`an item stays within 1,000 bytes through ${ATTEMPTS} hostile attempts: %s`, async (kind) => {
  const { largestBytes, lastBytes, trims } = await inAThread<Lived>(LIVES, 'hostileLife', kind, ATTEMPTS);
  process.stdout.write(`${kind}: largest ${largestBytes} bytes, last ${lastBytes}, trims ${trims}\n`);
  expect(trims).toBeGreaterThan(0);
  expect(largestBytes).toBeLessThanOrEqual(1_000);
});

test.each(KINDS)('nor do labels push it above that when they keep coming after the last attempt: %s', async (kind) => {
  const largest = await inAThread<number>(LIVES, 'largestWithLateLabels', kind, sized(24, 4));
  process.stdout.write(`${kind}: largest ${largest} bytes with labels after the last attempt\n`);
  expect(largest).toBeGreaterThan(0);
  expect(largest).toBeLessThanOrEqual(1_000);
});
