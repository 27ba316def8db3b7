import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { needWord, UsageError } from '../../shared/cli/command-line';
import { decodeArtefact, encodeArtefact } from '../../shared/domain/models/artefact-blob';
import { importLightgbm } from '../../shared/domain/models/import-lightgbm';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { register } from '../../shared/domain/models/registry-state';
import { openModel } from '../../shared/domain/models/scoring-model';
import { parseDescription } from '../../shared/schemas/model-description';
import { type MadeModel, storeModel } from '../../shared/usecases/models/model-files';
import { causeOf, type ModelCommand } from './arguments';

/** A folder that `npm run import` or `training/python/train.py` wrote, or a text model that LightGBM wrote. */
export function readModel(path: string): MadeModel {
  if (!existsSync(path)) throw new UsageError(`No such file or folder: ${path}`);
  const isFolder = statSync(path).isDirectory();
  try {
    const text = readFileSync(isFolder ? join(path, 'model.txt') : path, 'utf8');
    const artefact = isFolder ? artefactIn(path, text) : importLightgbm(text);
    // A model that cannot be opened must not be registered.
    openModel(artefact);
    return { artefact, text };
  } catch (error) {
    throw new UsageError(`${path} is not a usable model: ${(error as Error).message}`);
  }
}

/** Our own trainer writes the whole artefact; others write what LightGBM's text does not say about itself. */
function artefactIn(folder: string, text: string): ModelArtefact {
  const whole = join(folder, 'artefact.bin');
  if (existsSync(whole)) return decodeArtefact(readFileSync(whole));
  const artefact = importLightgbm(text, parseDescription(readFileSync(join(folder, 'model.json'), 'utf8')));
  // Written and read once, so that what cannot be stored is refused here.
  return decodeArtefact(encodeArtefact(artefact));
}

/** Adds your own model to the registry, as a candidate. */
export const add: ModelCommand['run'] = async (deps, given) => {
  const made = readModel(needWord(given, 0, 'folder or file'));
  const { version } = made.artefact;
  const cause = causeOf(deps, given, 'added by hand');
  await storeModel(deps.registry, made, { source: 'import', created_at: cause.at, judged: null });
  await deps.registry.change((state) => register(state, version, 'import', cause));
  return [
    `${version} is a candidate.`,
    `npm run model -- evaluate ${version}   compares it with the champion`,
    `npm run model -- shadow ${version}     scores alongside the champion until the promotion rule decides`,
  ].join('\n');
};
