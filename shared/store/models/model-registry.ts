import { unavailable } from '../../domain/errors';
import type { ModelFile } from '../../domain/models/model-file';
import { EMPTY_REGISTRY, type RegistryState } from '../../domain/models/registry-state';
import type { Stage } from '../../domain/stage';
import type { ObjectStore } from '../sdk/object-store';

/** Where a stage's registry begins in the bucket that both stages share. Sandbox may write nothing outside its own. */
export const registryPrefix = (stage: Stage): string => (stage === 'production' ? '' : `${stage}/`);

export const STATE_KEY = 'registry.json';

/** The files of a version; written once, never changed. */
export const MODEL_FILES = {
  artefact: 'artefact.bin',
  text: 'model.txt',
  metadata: 'metadata.json',
  evaluation: 'evaluation.json',
  shadow: 'shadow-evaluation.json',
} as const satisfies Record<ModelFile, string>;

export const ALL_MODEL_FILES = 'models/*';

const fileKey = (version: string, file: ModelFile): string => `models/${version}/${MODEL_FILES[file]}`;

/** The registry's state with its ETag; an empty bucket has the empty state and no ETag. */
export interface TaggedState {
  readonly state: RegistryState;
  readonly etag: string | undefined;
}

// Rivals are one scheduled function, and people at a keyboard.
const MAX_ROUNDS = 5;

export function modelRegistryReader(objects: Pick<ObjectStore, 'get'>, prefix = '') {
  /** 'unchanged' only if an ETag was given and still matches. */
  async function stateSince(knownEtag: string | undefined): Promise<TaggedState | 'unchanged'> {
    const found = await objects.get(prefix + STATE_KEY, knownEtag);
    if (found === 'unchanged') return found;
    if (!found) return { state: EMPTY_REGISTRY, etag: undefined };
    const state = JSON.parse(Buffer.from(found.body).toString()) as RegistryState;
    if (state.format !== 1) throw new Error(`The registry has format ${String(state.format)}; this code reads 1`);
    return { state, etag: found.etag };
  }
  async function findFile(version: string, file: ModelFile): Promise<Uint8Array | undefined> {
    const found = await objects.get(prefix + fileKey(version, file));
    return found === 'unchanged' ? undefined : found?.body;
  }

  return {
    stateSince,

    async state(): Promise<TaggedState> {
      const read = await stateSince(undefined);
      if (read === 'unchanged') throw new Error('S3 answered "unchanged" to a request without a tag');
      return read;
    },

    findFile,

    /** @throws Error when the version has no such file */
    async file(version: string, file: ModelFile): Promise<Uint8Array> {
      const found = await findFile(version, file);
      if (!found) throw new Error(`The registry has no ${prefix}${fileKey(version, file)}`);
      return found;
    },
  };
}

export function modelRegistry(objects: ObjectStore, prefix = '') {
  const reader = modelRegistryReader(objects, prefix);
  return {
    ...reader,

    /** Stores a version's files; existing ones stay as they are, so repeating it after a crash is harmless. */
    async store(version: string, files: Readonly<Partial<Record<ModelFile, Uint8Array | string>>>): Promise<void> {
      for (const [file, body] of Object.entries(files)) {
        await objects.put(prefix + fileKey(version, file as ModelFile), body, { absent: true });
      }
    },

    /**
     * Changes the state to what `decide` makes of it. If somebody else writes in between, `decide` is called again with
     * the newer state. It must be pure; anything it throws reaches the caller.
     */
    async change(decide: (state: RegistryState) => RegistryState): Promise<RegistryState> {
      for (let round = 1; round <= MAX_ROUNDS; round++) {
        const { state, etag } = await reader.state();
        const next = decide(state);
        if (next === state) return state;
        const condition = etag === undefined ? ({ absent: true } as const) : { etag };
        if (await objects.put(prefix + STATE_KEY, JSON.stringify(next), condition)) return next;
      }
      throw unavailable(new Error(`The registry changed ${MAX_ROUNDS} times while it was being written`));
    },
  };
}

export type ModelRegistry = ReturnType<typeof modelRegistry>;
