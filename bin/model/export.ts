import { needWord } from '../../shared/cli/command-line';
import { reviewsIn } from '../../shared/domain/models/label-reviews';
import { championFor } from '../../shared/domain/models/registry-state';
import { openArtefact } from '../../shared/usecases/models/model-files';
import { exportRows } from '../../training/export/export-rows';
import type { ModelCommand } from './arguments';

/** Writes the training rows to a folder, for training elsewhere. */
export const exportTraining: ModelCommand['run'] = async ({ registry, labels, clock, stage }, given) => {
  const folder = needWord(given, 0, 'folder for the rows');
  const { state } = await registry.state();
  const named = championFor(state, stage)?.version;
  const { rows, parts, wasContinued } = await exportRows(
    {
      ...{ stage, clock, labels, reviews: reviewsIn(state) },
      parent: named ? await openArtefact(registry, named) : undefined,
      onPart: (done) => console.error(`${done} rows …`),
    },
    folder,
  );
  return [
    `${rows} rows in ${parts} parts${wasContinued ? ', continued after an interruption' : ''}; ${folder}/manifest.json describes them.`,
    `python3 training/python/train.py ${folder} --out candidates   trains on them with LightGBM`,
  ].join('\n');
};
