import { EMPTY_TALLY, type ShadowTally } from '../../domain/models/registry-state';
import type { ScreeningObservation } from '../screening/screen-subject';

/** Dependencies of counting shadow scores. */
export interface TallyShadowDeps {
  readonly clock: { now(): number };
  readonly tallies: { add(version: string, counts: ShadowTally, nowMs: number): Promise<void> };
}

// One write per environment every half minute, whatever the traffic.
const WRITE_EVERY_MS = 30_000;

/**
 * Counts in memory and adds to the table now and then. An environment's last counts are lost when it ends: the
 * tally says what share of traffic would be stopped, not how much traffic there was.
 */
export function shadowTally({ clock, tallies }: TallyShadowDeps) {
  let version: string | undefined;
  let counts = EMPTY_TALLY;
  let writtenMs = Number.NEGATIVE_INFINITY;
  return {
    count({ record, shadow }: ScreeningObservation): void {
      if (shadow === undefined) return;
      if (shadow.version !== version) {
        version = shadow.version;
        counts = EMPTY_TALLY;
      }
      counts = {
        screened: counts.screened + 1,
        silent: counts.silent + Number(shadow.decision === null),
        champion_stopped: counts.champion_stopped + Number(record.automated_decision !== 'allow'),
        shadow_stopped: counts.shadow_stopped + Number(shadow.decision !== null && shadow.decision !== 'allow'),
      };
    },

    /** Writes the counts when it is time to; nobody waits for it, and counts that fail to be written are lost. */
    write(): void {
      const nowMs = clock.now();
      if (version === undefined || counts.screened === 0 || nowMs - writtenMs < WRITE_EVERY_MS) return;
      const counted = counts;
      counts = EMPTY_TALLY;
      writtenMs = nowMs;
      tallies.add(version, counted, nowMs).catch(() => undefined);
    },
  };
}
