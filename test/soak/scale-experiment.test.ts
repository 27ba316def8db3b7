import { runExperiment } from '../../bench/scale/experiment/run-experiment';
import { sized } from '../support/sized';

it('a shop has every history and is refused nothing; a throttled platform degrades, and fails in no other way', async () => {
  const seconds = sized(30, 8);
  const [shop, platform] = await runExperiment({
    scenes: [
      { name: 'a shop', perSecond: 4, accounts: 1, usersPerAccount: 200_000 },
      { name: 'a platform', perSecond: 1_000_000, accounts: 1, usersPerAccount: 500_000_000 },
    ],
    perSecond: 4,
    seconds,
    warmUpSeconds: seconds,
    // So few screenings would not use up more.
    burstUnits: 2,
    say: () => undefined,
  });
  expect(shop).toMatchObject({ degraded: 0, refused: 0, exact: 1, otherFailures: 0 });
  expect(platform).toMatchObject({ otherFailures: 0 });
  expect(platform?.degraded).toBeGreaterThan(0);
  expect(platform?.exact).toBeLessThan(1);
}, 900_000);
