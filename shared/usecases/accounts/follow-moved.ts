/** Dependencies of bringing what comes late. */
export interface FollowMovedDeps<Key> {
  readonly clock: { now(): number };
  readonly wait: (ms: number) => Promise<void>;
  readonly changes: {
    next(): Promise<{ readonly keys: readonly Key[] }>;
    /** The last change of each shard that the overview must count. */
    counted(): ReadonlyMap<string, string>;
  };
  readonly late: {
    isCounted(last: ReadonlyMap<string, string>): Promise<boolean>;
    bringLate(keys: readonly Key[]): Promise<number>;
    addOverview(): Promise<number>;
  };
  readonly onProgress: (brought: number) => void;
}

const POLL_MS = 1_000;
/** Counts follow within about a minute; if they take longer, something is wrong, and the command ends without them. */
const PATIENCE_MS = 10 * 60_000;

/**
 * Brings what the deployment that an account has left still writes for it, until the overview there has counted everything;
 * then adds its counts at the other end. Nobody waits for it. Returns whether it got to the end.
 */
export async function followMoved<Key>(deps: FollowMovedDeps<Key>): Promise<boolean> {
  const { clock, changes, late } = deps;
  const untilMs = clock.now() + PATIENCE_MS;
  let brought = 0;
  do {
    const { keys } = await changes.next();
    brought += await late.bringLate(keys);
    deps.onProgress(brought);
    if (await late.isCounted(changes.counted())) {
      await late.addOverview();
      return true;
    }
    await deps.wait(POLL_MS);
  } while (clock.now() < untilMs);
  return false;
}
