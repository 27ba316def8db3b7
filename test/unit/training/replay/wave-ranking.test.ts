import { join } from 'node:path';
import { inAThread } from '../../../support/machine/in-a-thread';
import { patient } from '../../../support/patience';
import type { newcomers, waveRanking } from './wave-ranking';

jest.setTimeout(patient(60_000));

it('finds a wave of bots on shared devices without a label, and leaves those alone who share them', async () => {
  const { auc, found, missed_early, honest_stopped, waves }: Awaited<ReturnType<typeof waveRanking>> = await inAThread(
    join(__dirname, 'wave-ranking.ts'),
    'waveRanking',
    ...[600, 120],
  );
  expect(auc.scored).toBeGreaterThan(auc.counted);
  expect(found.scored).toBeGreaterThan(0.85);
  // The rest are accounts that two people at one device might have.
  expect(missed_early).toBeGreaterThan(0.8);
  // Half of them pay within minutes of signing up, on a device with seven others.
  expect(honest_stopped).toBeLessThan(0.07);
  // Of every wave, one of the first three purchases is the first that is stopped.
  for (const stopped of waves) expect(stopped.slice(0, 3)).toContain(true);
});

const become = (...asked: Parameters<typeof newcomers>): ReturnType<typeof newcomers> =>
  inAThread(join(__dirname, 'wave-ranking.ts'), 'newcomers', ...asked);

it.each(['address', 'network'] as const)('stops a wave with a device for each account in one %s', async (place) => {
  const decisions = await become(place, 10_000);
  expect(decisions.indexOf('allow')).toBe(0);
  // From the fourth on: the first three could be anybody.
  expect(decisions.slice(3)).not.toContain('allow');
  // As many people who take their time to buy.
  expect(new Set(await become(place, 5 * 60_000))).toEqual(new Set(['allow']));
});
