import { printFailure } from '../shared/cli/command-line';
import { SDK_ENVIRONMENT } from '../shared/runtime/sdk-environment';
import type { LocalOptions } from './options';
import { type LocalRun, startLocal } from './start-local';

function stopOnSignals(run: Promise<LocalRun>): void {
  let stopping = false;
  const stop = (): void => {
    // A second Ctrl-C means now.
    if (stopping) process.exit(1);
    stopping = true;
    console.log('\nStopping');
    run
      .then((started) => started.stop())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

/** The command line around a run: progress with elapsed time, a greeting, signals, and errors in one sentence. */
export async function runUntilStopped(
  options: () => LocalOptions | undefined,
  greet: (run: LocalRun, options: LocalOptions) => Promise<void>,
): Promise<void> {
  // Lambda's clock is UTC; threads take it from the process.
  process.env.TZ = 'UTC';
  Object.assign(process.env, SDK_ENVIRONMENT);
  const started = performance.now();
  const print = (line: string): void =>
    console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
  try {
    const chosen = options();
    if (!chosen) return;
    const run = startLocal({ print, ...chosen });
    stopOnSignals(run);
    const running = await run;
    print('Ready');
    await greet(running, chosen).catch(async (error: unknown) => {
      await running.stop();
      throw error;
    });
  } catch (error) {
    printFailure(error);
    process.exit(1);
  }
}
