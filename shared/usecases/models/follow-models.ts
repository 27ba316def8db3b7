import { championFor, type RegistryState, shadowFor } from '../../domain/models/registry-state';
import type { ScoringModel } from '../../domain/screening/screen';
import type { Stage } from '../../domain/stage';
import type { ModelsInForce, ScreeningModels } from '../screening/screening-models';

/** Dependencies of following the registry. */
export interface FollowModelsDeps {
  readonly stage: Stage;
  readonly clock: { now(): number };
  /** The bundle's model, used while the registry names no champion. */
  readonly base: ScoringModel | undefined;
  readonly registry: {
    stateSince(
      etag: string | undefined,
    ): Promise<{ readonly state: RegistryState; readonly etag: string | undefined } | 'unchanged'>;
    file(version: string, file: 'artefact'): Promise<Uint8Array>;
  };
  /** @throws Error if the bytes are not a model that this code can score with */
  readonly open: (artefact: Uint8Array) => ScoringModel;
  readonly onFailure: (error: unknown) => void;
}

/*
 * A function looks at the registry at most every 30 seconds, alongside a request and not before it:
 *
 *   age of the last look   0 s ─────────── 30 s ─────────── 60 s ────────────►
 *   a request then         scores          looks and        looks and waits for the result, beside its first trip
 *                                          scores at once   to the table and for at most 250 ms
 *
 * So a model that was rolled back scores for a minute at most, and an environment that is in use never waits. One
 * that was idle for longer, or has just started, would otherwise score with an outdated model.
 */
const LOOK_EVERY_MS = 30_000;
const STALE_AFTER_MS = 60_000;
const WAIT_AT_MOST_MS = 250;
/** After a failure, and for a look that never returned (the environment was frozen in the middle of it). */
const TRY_AGAIN_MS = 5_000;

/** Follows the registry from within a function; if anything fails, it keeps the last good models. */
export function modelFollower(deps: FollowModelsDeps): ScreeningModels {
  const { stage, clock, base, registry } = deps;
  let current: ModelsInForce = { champion: base };
  let championVersion: string | undefined;
  let etag: string | undefined;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let nextLookMs = Number.NEGATIVE_INFINITY;

  const open = async (version: string): Promise<ScoringModel> => deps.open(await registry.file(version, 'artefact'));

  /** Loads what is not loaded yet, the champion first: a shadow that does not load must not hold up a rollback. */
  async function follow(state: RegistryState): Promise<void> {
    const champion = championFor(state, stage)?.version;
    const shadow = shadowFor(state, stage)?.version;
    const known = current.shadow?.version === shadow ? current.shadow : undefined;
    if (champion !== championVersion) {
      current = { champion: champion === undefined ? base : await open(champion), shadow: known };
      championVersion = champion;
    }
    const other = shadow === undefined ? undefined : (known ?? { version: shadow, model: await open(shadow) });
    current = { champion: current.champion, shadow: other };
  }

  async function look(startedMs: number): Promise<void> {
    try {
      const read = await registry.stateSince(etag);
      // A look that was frozen for a while may return after a later one.
      if (startedMs < lookedAtMs) return;
      if (read !== 'unchanged') {
        // The tag is kept only if everything could be followed: the next look retries what failed.
        await follow(read.state);
        etag = read.etag;
      }
      lookedAtMs = startedMs;
      nextLookMs = startedMs + LOOK_EVERY_MS;
    } catch (error) {
      deps.onFailure(error);
    }
  }

  return {
    inForce: () => current,
    refresh: () => {
      const nowMs = clock.now();
      if (nowMs < nextLookMs) return undefined;
      nextLookMs = nowMs + TRY_AGAIN_MS;
      const isStale = nowMs - lookedAtMs >= STALE_AFTER_MS;
      const looking = look(nowMs);
      return isStale ? atMost(WAIT_AT_MOST_MS, looking) : undefined;
    },
  };
}

/** A fixed set of models: for replays and tests. */
export const fixedModels = (models: ModelsInForce): ScreeningModels => ({
  inForce: () => models,
  refresh: () => undefined,
});

function atMost(limitMs: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
