import { Worker } from 'node:worker_threads';

/** Keeps one core busy, as `yes > /dev/null` would, while `run` runs. */
export async function besideBusyCore<Result>(run: () => Promise<Result>): Promise<Result> {
  const worker = new Worker('for (;;) {}', { eval: true });
  try {
    return await run();
  } finally {
    await worker.terminate();
  }
}
