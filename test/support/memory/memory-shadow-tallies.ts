import { EMPTY_TALLY, type ShadowTally } from '../../../shared/domain/models/registry-state';
import type { TrainingDeps } from '../../../shared/usecases/models/run-training';
import type { TallyShadowDeps } from '../../../shared/usecases/models/tally-shadow';

export type ShadowTalliesPort = TallyShadowDeps['tallies'] & TrainingDeps['tallies'];

/** Tallies of models in shadow, in memory. */
export function memoryShadowTallies(): ShadowTalliesPort {
  const tallies = new Map<string, ShadowTally>();
  return {
    find: async (version) => tallies.get(version) ?? EMPTY_TALLY,
    async add(version, counts) {
      const before = tallies.get(version) ?? EMPTY_TALLY;
      tallies.set(version, {
        screened: before.screened + counts.screened,
        silent: before.silent + counts.silent,
        champion_stopped: before.champion_stopped + counts.champion_stopped,
        shadow_stopped: before.shadow_stopped + counts.shadow_stopped,
      });
    },
  };
}
