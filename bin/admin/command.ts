import { type ParseArgsConfig, parseArgs } from 'node:util';
import { STAGES, type Stage } from '../../shared/domain/stage';
import { UsageError } from '../cli/command-line';
import type { Target } from './target';

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
  if (!value) throw new UsageError(`Missing argument: ${what}. See npm run admin -- help`);
  return value;
}

/** The words and options that were typed. */
export function parseWords<Options extends NonNullable<ParseArgsConfig['options']>>(options: Options) {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The stage that was named. */
export function stageOf(name: string | undefined): Stage {
  const stage = STAGES.find((known) => known === name);
  if (!stage) throw new UsageError(`--stage must be one of ${STAGES.join(', ')}`);
  return stage;
}
