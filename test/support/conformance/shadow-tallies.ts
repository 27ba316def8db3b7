import { EMPTY_TALLY } from '../../../shared/domain/models/registry-state';
import type { ShadowTalliesPort } from '../memory/memory-shadow-tallies';
import { freshAccount, type MakePort, START_MS } from './fresh-account';

/** Tests that every store of tallies of models in shadow must pass. */
export function describeShadowTalliesConformance(name: string, makePort: MakePort<ShadowTalliesPort>): void {
  describe(`shadow tallies in ${name}`, () => {
    it('adds up what environments counted, each version by itself', async () => {
      const tallies = await makePort();
      const [version, other] = [`m-${freshAccount()}`, `m-${freshAccount()}`];
      expect(await tallies.find(version)).toEqual(EMPTY_TALLY);
      const counts = { screened: 10, silent: 1, champion_stopped: 2, shadow_stopped: 3 };
      await Promise.all([1, 2, 3].map(() => tallies.add(version, counts, START_MS)));
      await tallies.add(other, { ...EMPTY_TALLY, screened: 1 }, START_MS);
      expect(await tallies.find(version)).toEqual({
        screened: 30,
        silent: 3,
        champion_stopped: 6,
        shadow_stopped: 9,
      });
      expect(await tallies.find(other)).toEqual({ ...EMPTY_TALLY, screened: 1 });
    });
  });
}
