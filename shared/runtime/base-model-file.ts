import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeArtefact } from '../domain/models/artefact-blob';
import type { ModelArtefact } from '../domain/models/model-artefact';

export const BASE_MODEL_FILE = 'base-model.bin';

/**
 * The model that ships: the champion while the registry names none. Undefined if the signals alone are the base. It was checked
 * when the code was bundled.
 */
export function loadBaseModel(directory: string): ModelArtefact | undefined {
  const file = join(directory, BASE_MODEL_FILE);
  return existsSync(file) ? decodeArtefact(readFileSync(file), true) : undefined;
}
