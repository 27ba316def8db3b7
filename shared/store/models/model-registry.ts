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

// Rivals are one scheduled function, and people at a keyboard.
const MAX_ROUNDS = 5;

/** A state that several may change, in one object. While there is none, it is the empty state, without an ETag. */
export function sharedState<State extends { readonly format: 1 }>(objects: ObjectStore, key: string, empty: State) {
  interface Tagged {
    readonly state: State;
    readonly etag: string | undefined;
  }

  /** 'unchanged' only if an ETag was given and still matches. */
  async function stateSince(knownEtag: string | undefined): Promise<Tagged | 'unchanged'> {
    const found = await objects.get(key, knownEtag);
    if (found === 'unchanged') return found;
    if (!found) return { state: empty, etag: undefined };
    const state = JSON.parse(Buffer.from(found.body).toString()) as State;
    if (state.format !== 1) throw new Error(`${key} has format ${String(state.format)}; this code reads 1`);
    return { state, etag: found.etag };
  }

  async function state(): Promise<Tagged> {
    const read = await stateSince(undefined);
    if (read === 'unchanged') throw new Error('S3 answered "unchanged" to a request without a tag');
    return read;
  }

  return {
    stateSince,
    state,

    /**
     * Changes the state to what `decide` makes of it. If somebody else writes in between, `decide` is called again with
     * the newer state. It must be pure; anything it throws reaches the caller.
     */
    async change(decide: (state: State) => State): Promise<State> {
      for (let round = 1; round <= MAX_ROUNDS; round++) {
        const { state: before, etag } = await state();
        const next = decide(before);
        if (next === before) return before;
        const condition = etag === undefined ? ({ absent: true } as const) : { etag };
        if (await objects.put(key, JSON.stringify(next), condition)) return next;
      }
      throw unavailable(new Error(`${key} changed ${MAX_ROUNDS} times while it was being written`));
    },
  };
}

const registryState = (objects: ObjectStore, prefix: string) =>
  sharedState<RegistryState>(objects, prefix + STATE_KEY, EMPTY_REGISTRY);

export function modelRegistryReader(objects: ObjectStore, prefix = '') {
  const { stateSince, state } = registryState(objects, prefix);

  async function findFile(version: string, file: ModelFile): Promise<Uint8Array | undefined> {
    const found = await objects.get(prefix + fileKey(version, file));
    return found === 'unchanged' ? undefined : found?.body;
  }

  return {
    stateSince,
    state,
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
  return {
    ...modelRegistryReader(objects, prefix),
    change: registryState(objects, prefix).change,

    /** Stores a version's files; existing ones stay as they are, so repeating it after a crash is harmless. */
    async store(version: string, files: Readonly<Partial<Record<ModelFile, Uint8Array | string>>>): Promise<void> {
      for (const [file, body] of Object.entries(files)) {
        await objects.put(prefix + fileKey(version, file as ModelFile), body, { absent: true });
      }
    },
  };
}

export type ModelRegistry = ReturnType<typeof modelRegistry>;
