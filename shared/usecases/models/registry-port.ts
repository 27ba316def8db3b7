import type { ModelFile } from '../../domain/models/model-file';
import type { RegistryState } from '../../domain/models/registry-state';

/** The files of a version, written once and never changed. */
export interface ModelFilesPort {
  /** Stores files; existing ones are left unchanged, so a repeat after a crash is harmless. */
  store(version: string, files: Readonly<Partial<Record<ModelFile, Uint8Array | string>>>): Promise<void>;
  /** @throws Error if the version has no such file */
  file(version: string, file: ModelFile): Promise<Uint8Array>;
  findFile(version: string, file: ModelFile): Promise<Uint8Array | undefined>;
}

/** The registry of models: its state, and the files of every version. */
export interface RegistryPort extends ModelFilesPort {
  state(): Promise<{ readonly state: RegistryState }>;
  /** `decide` is pure: it is called again if another write came first. */
  change(decide: (state: RegistryState) => RegistryState): Promise<RegistryState>;
}
