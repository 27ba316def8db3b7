import { parseArgs } from 'node:util';
import { DomainError } from '../shared/domain/errors';
import { STAGES } from '../shared/domain/stage';
import { modelAdminWiring } from '../shared/runtime/model-admin-wiring';
import { findAddress, UsageError } from './admin/target';
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
  const { values, positionals } = parse();
  const [verb = 'help', ...rest] = positionals;
  if (values.help || verb === 'help') {
    console.log(helpText());
    return;
  }
  const command = COMMANDS[verb];
  if (!command) throw new UsageError(`No command "${verb}".\n\n${helpText()}`);
  const stage = STAGES.find((known) => known === values.stage);
  if (!stage) throw new UsageError(`--stage is one of ${STAGES.join(', ')}`);
  const address = await findAddress(stage, values.aws);
  console.error(`# ${address.description}, models in ${address.models.bucket}`);
  const { reason, out, open } = values;
  console.log(await command.run(modelAdminWiring(stage, address), { words: rest, reason, out, open }));
}

function parse() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

// The SDK reminds Node 20 of its end of support at every start; deployed functions run on Node 24.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

main().catch((error: unknown) => {
  const isOurs = error instanceof UsageError || error instanceof DomainError;
  console.error(isOurs ? error.message : error);
  process.exitCode = 1;
});
