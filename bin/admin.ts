import { ADMIN_COMMANDS } from './admin/commands';
import { stageOf } from './admin/stage-options';
import { findTarget } from './admin/target';
import { runCommand } from './cli/command-line';
import { readCommand } from './cli/command-table';

runCommand(async () => {
  const called = readCommand(ADMIN_COMMANDS);
  if (!called) return;
  const { command, given } = called;
  const target = await findTarget(stageOf(given), given.flags.has('aws'));
  console.error(`# ${target.description}`);
  console.log(await command.run(target.deps, given));
});
