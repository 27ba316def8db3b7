import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../../shared/domain/stage';

/** The file that a stage keeps under `.local` while it runs on this machine, with its data on disk or in memory. */
export const findRunFile = (root: string, stage: Stage): string | undefined =>
  [stage, `${stage}-in-memory`].map((name) => join(root, name, 'run.json')).find((file) => existsSync(file));
