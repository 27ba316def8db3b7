import { modelAdminWiring } from '../shared/runtime/model-admin-wiring';
import { stageOf } from './admin/stage-options';
import { findAddress } from './admin/target';
import { runCommand } from './cli/command-line';
import { readCommand } from './cli/command-table';
import { MODEL_COMMANDS } from './model/commands';

runCommand(async () => {
  const called = readCommand(MODEL_COMMANDS);
  if (!called) return;
  const { command, given } = called;
  const stage = stageOf(given);
  const address = await findAddress(stage, given.flags.has('aws'));
  console.error(`# ${address.description}, models in ${address.models.bucket}`);
  console.log(await command.run(modelAdminWiring(stage, address), given));
});
