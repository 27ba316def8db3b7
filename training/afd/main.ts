import type { BundledRun } from '../../shared/cli/bundled-run';
import { type CommandTable, readCommand } from '../../shared/cli/command-table';
import { AFD_COMMANDS, type AfdRun } from './commands';

const TABLE: CommandTable<AfdRun> = AFD_COMMANDS;

/** Runs one command of `npm run afd`. */
export async function main(argv: readonly string[], run: BundledRun): Promise<void> {
  const called = readCommand(TABLE, argv);
  if (!called) return;
  console.log(await called.command.run({ ...run, tell: console.error }, called.given));
}
