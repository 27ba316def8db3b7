import { readJsonFile, writeJsonFile } from '../json-file';

/** Marks a shard whose last record has been processed. */
export const DONE = 'DONE';

/** How far a mapping has read in each shard of a stream. */
export interface Checkpoints {
  /** True if an earlier run read the same stream. */
  readonly resumed: boolean;
  /** Sequence number of the last completed record, `DONE`, or undefined for a shard never read. */
  get(shardId: string): string | undefined;
  set(shardId: string, position: string): void;
  /** Forgets shards that the stream no longer has. */
  keepOnly(shardIds: readonly string[]): void;
}

interface Stored {
  readonly streamArn: string;
  readonly shards: Readonly<Record<string, string>>;
}

/** Kept in a file, if there is one. */
export function checkpoints(file: string | undefined, streamArn: string): Checkpoints {
  const stored = file === undefined ? undefined : readJsonFile<Stored | undefined>(file, undefined);
  const resumed = stored?.streamArn === streamArn;
  let shards: Readonly<Record<string, string>> = resumed ? stored.shards : {};
  const save = (): void => {
    if (file !== undefined) writeJsonFile(file, { streamArn, shards } satisfies Stored);
  };
  if (!resumed) save();
  return {
    resumed,
    get: (shardId) => shards[shardId],
    set: (shardId, position) => {
      shards = { ...shards, [shardId]: position };
      save();
    },
    keepOnly: (shardIds) => {
      const kept = Object.entries(shards).filter(([id]) => shardIds.includes(id));
      if (kept.length === Object.keys(shards).length) return;
      shards = Object.fromEntries(kept);
      save();
    },
  };
}
