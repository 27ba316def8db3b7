import { parseWords, stageOf } from './admin/command';
import { COMMANDS, helpText } from './admin/commands';
import { findTarget } from './admin/target';
import { runCommand, UsageError } from './cli/command-line';

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
  const { values, positionals } = parseWords(OPTIONS);
  const [noun = 'help', verb = '', ...rest] = positionals;
  if (values.help || noun === 'help') {
    console.log(helpText());
    return;
  }
  const command = COMMANDS[`${noun} ${verb}`];
  if (!command) throw new UsageError(`No command "${noun} ${verb}".\n\n${helpText()}`);
  const stage = stageOf(values.stage);
  const target = await findTarget(stage, values.aws);
  console.error(`# ${target.description}`);
  const { aws: _aws, help: _help, overwrite, ...options } = values;
  const flags = new Set(overwrite ? ['overwrite'] : []);
  console.log(await command.run(target.deps, { positionals: rest, options, flags }));
}

runCommand(main);
