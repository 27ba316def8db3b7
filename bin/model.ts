import { readCommand, runCommand, stageOf } from '../shared/cli/command-line';
import { modelAdminWiring } from '../shared/runtime/model-admin-wiring';
import { findAddress } from './admin/target';
import { MODEL_COMMANDS } from './model/commands';

runCommand(async () => {
  const called = readCommand(MODEL_COMMANDS);
  if (!called) return;
  const { command, given } = called;
  const stage = stageOf(given);
  const address = await findAddress(stage, given.flags.has('aws'));
  const deps = await modelAdminWiring(stage, address);
  console.error(`# ${address.description}, models in ${deps.from}`);
  console.log(await command.run(deps, given));
});
