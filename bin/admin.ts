import { parseArgs } from 'node:util';
import { DomainError } from '../shared/domain/errors';
import { STAGES } from '../shared/domain/stage';
import { COMMANDS, helpText } from './admin/commands';
import { findTarget, UsageError } from './admin/target';

const OPTIONS = {
  stage: { type: 'string', default: 'sandbox' },
  aws: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  label: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  'review-threshold': { type: 'string' },
  'block-threshold': { type: 'string' },
  'tracked-attributes': { type: 'string' },
  table: { type: 'string' },
  'overlap-hours': { type: 'string' },
  overwrite: { type: 'boolean', default: false },
} as const;

async function main(): Promise<void> {
  const { values, positionals } = parse();
  const [noun = 'help', verb = '', ...rest] = positionals;
  if (values.help || noun === 'help') {
    console.log(helpText());
    return;
  }
  const command = COMMANDS[`${noun} ${verb}`];
  if (!command) throw new UsageError(`No command "${noun} ${verb}".\n\n${helpText()}`);
  const stage = STAGES.find((known) => known === values.stage);
  if (!stage) throw new UsageError(`--stage is one of ${STAGES.join(', ')}`);
  const target = await findTarget(stage, values.aws);
  console.error(`# ${target.description}`);
  const { aws: _aws, help: _help, overwrite, ...options } = values;
  const flags = new Set(overwrite ? ['overwrite'] : []);
  console.log(await command.run(target.deps, { positionals: rest, options, flags }));
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
