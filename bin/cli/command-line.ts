import { parseArgs } from 'node:util';
import { DomainError } from '../../shared/domain/errors';
import { SDK_ENVIRONMENT } from '../../shared/runtime/sdk-environment';

/** A mistake that the user can fix: shown as one sentence, without a stack trace. */
export class UsageError extends Error {}

/** One option of a command; a flag has no example value. */
export interface Option {
  readonly value?: string;
  readonly does: string;
  readonly default?: string;
}

/** What was typed: texts by name, and the flags among the options. */
export interface Given {
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlySet<string>;
}

function helpText(usage: string, about: string, options: Readonly<Record<string, Option>>): string {
  const all: Readonly<Record<string, Option>> = { ...options, help: { does: 'show this help' } };
  const rows = Object.entries(all).map(([name, option]) => {
    const fallback = option.default === undefined ? '' : ` (default ${option.default})`;
    return [`  --${name}${option.value ? ` <${option.value}>` : ''}`, `${option.does}${fallback}`] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return [about, '', `  ${usage}`, '', ...rows.map(([left, right]) => left.padEnd(width) + right)].join('\n');
}

/** Reads the command line; undefined when it only asked for help, which is then printed. */
export function readCommandLine(
  usage: string,
  about: string,
  options: Readonly<Record<string, Option>>,
  args: readonly string[] = process.argv.slice(2),
): Given | undefined {
  const types = Object.fromEntries(
    Object.entries({ ...options, help: { does: '' } as Option }).map(([name, { value }]) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const) },
    ]),
  );
  let values: Record<string, unknown>;
  try {
    ({ values } = parseArgs({ args: [...args], options: types }));
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nTry --help.`);
  }
  if (values.help) {
    console.log(helpText(usage, about, options));
    return undefined;
  }
  const flags = new Set(Object.keys(values).filter((name) => values[name] === true));
  const texts = Object.entries(options)
    .filter(([, { value }]) => value)
    .map(([name, option]) => [name, (values[name] as string | undefined) ?? option.default] as const);
  return { texts: Object.fromEntries(texts), flags };
}

/** A number out of the command line, within its bounds. */
export function numberOf(given: Given, name: string, { min = 0, max = Number.POSITIVE_INFINITY } = {}): number {
  const text = given.texts[name] ?? '';
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number < min || number > max) {
    const bounds = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new UsageError(`--${name} must be a number ${bounds}, not ${text}.`);
  }
  return number;
}

/** Runs a command: a mistake or a refusal prints one sentence, anything else a stack trace; both exit with 1. */
export function runCommand(main: () => Promise<void>): void {
  Object.assign(process.env, SDK_ENVIRONMENT);
  main().catch((error: unknown) => {
    const isOurs = error instanceof UsageError || error instanceof DomainError;
    console.error(isOurs ? error.message : error);
    process.exitCode = 1;
  });
}
