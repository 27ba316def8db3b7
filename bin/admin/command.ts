import { type Target, UsageError } from './target';

/** What was typed after the command's words. */
export interface Arguments {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlySet<string>;
}

/** One row of the command line; `help` is printed from these. */
export interface Command {
  readonly usage: string;
  readonly does: string;
  readonly run: (deps: Target['deps'], args: Arguments) => Promise<string>;
}

/** A positional argument that must be there. */
export function need(args: Arguments, position: number, what: string): string {
  const value = args.positionals[position];
  if (!value) throw new UsageError(`Name the ${what}. See npm run admin -- help`);
  return value;
}
