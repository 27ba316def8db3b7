import { parseArgs } from 'node:util';
import { DomainError } from '../domain/errors';
import { STAGES, type Stage } from '../domain/stage';
import { SDK_ENVIRONMENT } from '../runtime/sdk-environment';
import { terminalWidth, wrapColumns, wrapText } from './wrap-text';

/** A mistake that the user can fix: shown as one sentence, without a stack trace. */
export class UsageError extends Error {}

export interface Option {
  readonly value?: string;
  readonly does: string;
  readonly default?: string;
  readonly short?: string;
  readonly isList?: boolean;
}

export type Options = Readonly<Record<string, Option>>;

/** The parsed arguments: strings and lists of strings by name, flags, and positional words. */
export interface Given {
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly flags: ReadonlySet<string>;
  readonly words: readonly string[];
}

export interface CommandLine {
  readonly usage: string;
  readonly about: string;
  readonly options: Options;
  readonly takesWords?: boolean;
  readonly notes?: string;
  readonly next: string;
}

const HELP: Options = { help: { does: 'show this help' } };

function helpText({ usage, about, options, notes, next }: CommandLine): string {
  const rows = Object.entries({ ...options, ...HELP }).map(([name, option]) => {
    const fallback = option.default === undefined ? '' : ` (default ${option.default})`;
    const short = option.short ? `-${option.short}, ` : '';
    return [`  ${short}--${name}${option.value ? ` <${option.value}>` : ''}`, `${option.does}${fallback}`] as const;
  });
  const width = terminalWidth();
  const below = [notes, `Next: ${next}`].filter((text) => text).map((text) => `\n${wrapText(`${text}`, width)}`);
  return [wrapText(about, width), '', wrapText(`  ${usage}`, width, 2), '', wrapColumns(rows, width), ...below].join(
    '\n',
  );
}

export function parseArguments(options: Options, takesWords: boolean, args: readonly string[]): Given {
  const config = Object.fromEntries(
    Object.entries({ ...options, ...HELP }).map(([name, { value, short, isList = false }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), multiple: isList, ...(short ? { short } : {}) },
    ]),
  );
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options: config, allowPositionals: takesWords });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nTry --help.`);
  }
  const { values, positionals: words } = parsed;
  const flags = new Set(Object.keys(values).filter((name) => values[name] === true));
  const valued = Object.entries(options).filter(([, { value }]) => value);
  const texts = valued
    .filter(([, { isList }]) => !isList)
    .map(([name, option]) => [name, (values[name] as string | undefined) ?? option.default] as const);
  const lists = valued
    .filter(([, { isList }]) => isList)
    .map(([name]) => [name, (values[name] as string[] | undefined) ?? []] as const);
  return { texts: Object.fromEntries(texts), lists: Object.fromEntries(lists), flags, words };
}

/** Parses the command line; undefined if it only asked for help, which is then printed. */
export function readCommandLine(line: CommandLine, args: readonly string[] = process.argv.slice(2)): Given | undefined {
  const given = parseArguments(line.options, line.takesWords ?? false, args);
  if (!given.flags.has('help')) return given;
  console.log(helpText(line));
  return undefined;
}

export function numberOf(given: Given, name: string, { min = 0, max = Number.POSITIVE_INFINITY } = {}): number {
  const text = given.texts[name] ?? '';
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number < min || number > max) {
    const bounds = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new UsageError(`--${name} must be a number ${bounds}, not ${text}.`);
  }
  return number;
}

export function needWord({ words }: Given, position: number, what: string): string {
  const word = words[position];
  if (!word) throw new UsageError(`Missing argument: ${what}.\nTry --help.`);
  return word;
}

/** A mistake or a refusal as one sentence; undefined for anything else, which is a bug. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof UsageError || error instanceof DomainError) return error.message;
  const { code, path } = (error ?? {}) as { readonly code?: string; readonly path?: string };
  if (code === 'ENOENT' && path) return `No such file: ${path}. Check the path; --help shows an example.`;
  if (code === 'EISDIR') return `${path ?? 'This'} is a directory; name a file.`;
  return undefined;
}

export function printFailure(error: unknown): void {
  console.error(failureText(error) ?? error);
}

export function runPlainCommand(line: Omit<CommandLine, 'options'>, main: () => Promise<void> | void): void {
  runCommand(async () => {
    if (readCommandLine({ ...line, options: {} })) await main();
  });
}

/** A command that fails exits with 1. */
export function runCommand(main: () => Promise<void>): void {
  Object.assign(process.env, SDK_ENVIRONMENT);
  main().catch((error: unknown) => {
    printFailure(error);
    process.exitCode = 1;
  });
}

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

export const STAGE_OPTIONS: Options = {
  stage: { value: 'name', does: 'sandbox or production', default: 'sandbox' },
  aws: { does: 'act on the deployed stack, with your AWS credentials and region' },
};

export function stageOf({ texts }: Given): Stage {
  const stage = STAGES.find((known) => known === texts.stage);
  if (!stage) throw new UsageError(`--stage must be one of ${STAGES.join(', ')}`);
  return stage;
}

/** Passed by `bin/run-bundled.ts` to the `main` of a file, after its arguments. */
export interface BundledRun {
  /** The directory of the IP ranges and the base model, laid out as next to a deployed function. */
  readonly directory: string;
  readonly nowMs: number;
}
