import { readCommand, runCommand, stageOf } from '../shared/cli/command-line';
import { ADMIN_COMMANDS } from './admin/commands';
import { findTarget } from './admin/target';

runCommand(async () => {
  const called = readCommand(ADMIN_COMMANDS);
  if (!called) return;
  const { command, given } = called;
  const target = await findTarget(stageOf(given), given.flags.has('aws'));
  console.error(`# ${target.description}`);
  console.log(await command.run(target.deps, given));
});
