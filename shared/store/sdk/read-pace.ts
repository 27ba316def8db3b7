/** Waits after a read until others have had their share of the table's capacity. */
export type ReadPace = (readUnits: number) => Promise<unknown>;

export const atOnce: ReadPace = async () => undefined;

/** So many units per second, however many read at once. */
export function readPace(
  unitsPerSecond: number,
  clock: { now(): number },
  wait: (ms: number) => Promise<unknown>,
): ReadPace {
  let freeAtMs = 0;
  return (readUnits) => {
    const nowMs = clock.now();
    freeAtMs = Math.max(freeAtMs, nowMs) + (1000 * readUnits) / unitsPerSecond;
    return wait(freeAtMs - nowMs);
  };
}
