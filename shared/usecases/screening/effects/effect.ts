import type { Screened } from '../decide-screening';

export const NO_WRITES: readonly Promise<unknown>[] = [];

/** Something that the second trip of a screening writes. All effects start at once. */
export interface Effect<Ports> {
  readonly name: string;
  /** Whether the screening stands without it. If not, a write that fails fails the screening. */
  readonly mayBeLost: boolean;
  /** Starts its writes, and returns them; none if there is nothing to write. */
  write(ports: Ports, screened: Screened, limitMs: number): readonly Promise<unknown>[];
  /** Takes back what it wrote, since the result was not stored. Only called if all its writes succeeded. */
  undo?(ports: Ports, screened: Screened): Promise<unknown>;
  /** Ports that keep nothing, for replays and tests that do without this effect. */
  readonly standIn: Ports;
}
