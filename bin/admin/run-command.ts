import { type ParseArgsConfig, parseArgs } from 'node:util';
import { DomainError } from '../../shared/domain/errors';
import { STAGES, type Stage } from '../../shared/domain/stage';
import { UsageError } from './target';

/** What was typed; a mistake in it is the person's, and said in a sentence. */
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
  if (!stage) throw new UsageError(`--stage is one of ${STAGES.join(', ')}`);
  return stage;
}

/** Runs a command line: mistakes are one sentence, anything else is shown whole. */
export function runCommand(main: () => Promise<void>): void {
  // The SDK reminds Node 20 of its end of support at every start; deployed functions run on Node 24.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  main().catch((error: unknown) => {
    const isOurs = error instanceof UsageError || error instanceof DomainError;
    console.error(isOurs ? error.message : error);
    process.exitCode = 1;
  });
}
