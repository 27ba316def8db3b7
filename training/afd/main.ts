import type { BundledRun } from '../../bin/cli/bundled-run';
import { scoreTable } from './score-table';

export async function main(_argv: readonly string[], { directory }: BundledRun): Promise<void> {
  console.log(await scoreTable(directory));
}
