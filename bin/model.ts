import { modelAdminWiring } from '../shared/runtime/model-admin-wiring';
import { parseWords, stageOf } from './admin/command';
import { findAddress } from './admin/target';
import { runCommand, UsageError } from './cli/command-line';
import { COMMANDS, helpText } from './model/commands';

const OPTIONS = {
  stage: { type: 'string', default: 'sandbox' },
  aws: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  reason: { type: 'string' },
  out: { type: 'string' },
  open: { type: 'boolean', default: false },
} as const;

async function main(): Promise<void> {
  const { values, positionals } = parseWords(OPTIONS);
  const [verb = 'help', ...rest] = positionals;
  if (values.help || verb === 'help') {
    console.log(helpText());
    return;
  }
  const command = COMMANDS[verb];
  if (!command) throw new UsageError(`No command "${verb}".\n\n${helpText()}`);
  const stage = stageOf(values.stage);
  const address = await findAddress(stage, values.aws);
  console.error(`# ${address.description}, models in ${address.models.bucket}`);
  const { reason, out, open } = values;
  console.log(await command.run(modelAdminWiring(stage, address), { words: rest, reason, out, open }));
}

runCommand(main);
