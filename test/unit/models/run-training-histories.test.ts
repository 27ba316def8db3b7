import { join } from 'node:path';
import type { livedHistories } from '../../support/histories/lived-histories';
import { inAThread } from '../../support/machine/in-a-thread';
import { patient } from '../../support/patience';
import { sized } from '../../support/sized';

jest.setTimeout(patient(sized(600_000, 60_000)));

/** Once so many more models have been trained, the champion is as good as any that was refused. */
const MOST_TRAININGS = 3;
/** Average precision by which two models differ that know about the same. */
const BY_CHANCE = 0.05;

it('within three more trainings, the champion is as good as any model that was refused, however a history began', async () => {
  // More by `npm run test:soak`.
  const lived: Awaited<ReturnType<typeof livedHistories>> = await inAThread(
    join(__dirname, '../../support/histories/lived-histories.ts'),
    'livedHistories',
    sized(30, 3),
  );
  for (const { seed, trained, champions, refused } of lived) {
    expect([seed, trained]).toEqual([seed, champions.length]);
    for (const { step, precision } of refused) {
      const later = champions[step + MOST_TRAININGS];
      if (later !== undefined)
        expect([seed, step, Math.min(later + BY_CHANCE, precision)]).toEqual([seed, step, precision]);
    }
    // At first many labels are wrong, and a kind of fraud is missing: what was learned from those gives way.
    const best = Math.max(...champions, ...refused.map(({ precision }) => precision));
    expect([seed, Math.min((champions.at(-1) as number) + BY_CHANCE, best)]).toEqual([seed, best]);
  }
});
