import { type Given, type Options, parseArguments, UsageError } from './command-line';
import { terminalWidth, wrapColumns, wrapText } from './wrap-text';

export interface Command<Deps> {
  readonly usage: string;
  readonly does: string;
  readonly run: (deps: Deps, given: Given) => Promise<string>;
}

export interface CommandTable<Deps> {
  readonly program: string;
  readonly about: string;
  readonly usage?: string;
  readonly options: Options;
  readonly commands: Readonly<Record<string, Command<Deps>>>;
  readonly next: string;
}

export interface CalledCommand<Deps> {
  readonly command: Command<Deps>;
  readonly given: Given;
}

function tableHelp<Deps>({ program, about, usage: call, commands, next }: CommandTable<Deps>): string {
  const rows = Object.values(commands).map(({ usage, does }) => [`  ${usage}`, does] as const);
  const width = terminalWidth();
  const head = call ?? `${program} -- COMMAND [--stage sandbox|production] [--aws]`;
  const parts = [wrapText(head, width, 2), wrapText(about, width), wrapColumns(rows, width)];
  return [...parts, wrapText(`Next: ${next}`, width)].join('\n\n');
}

/** The command that was typed; undefined if it only asked for help, which is then printed. */
export function readCommand<Deps>(
  table: CommandTable<Deps>,
  args: readonly string[] = process.argv.slice(2),
): CalledCommand<Deps> | undefined {
  const given = parseArguments(table.options, true, args);
  const [first = 'help', second = ''] = given.words;
  if (given.flags.has('help') || first === 'help') {
    console.log(tableHelp(table));
    return undefined;
  }
  const name = [`${first} ${second}`, first].find((words) => Object.hasOwn(table.commands, words));
  const command = name === undefined ? undefined : table.commands[name];
  if (name === undefined || !command) {
    throw new UsageError(`No command "${`${first} ${second}`.trim()}".\n\n${tableHelp(table)}`);
  }
  return { command, given: { ...given, words: given.words.slice(name.split(' ').length) } };
}
