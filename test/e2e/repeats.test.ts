import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { besideBusyCore } from '../support/busy-core';
import { startLocalRun, stopLocalRun } from '../support/local-run';
import { expectOneEffect, type Repeats, sendRepeats } from '../support/repeats';
import { sized } from '../support/sized';

const ROUNDS = sized(10, 1);
const REPEATS = 50;

/** Nothing has run yet in this run: every function begins with its cold start, 50 requests at once. */
async function onColdFunctions(act: () => Promise<Repeats>): Promise<Repeats> {
  const shared = process.env.LOCAL_RUN_DIR;
  const dataDir = mkdtempSync(join(tmpdir(), 'cold-functions-'));
  const { child } = await startLocalRun(dataDir);
  process.env.LOCAL_RUN_DIR = dataDir;
  try {
    return await act();
  } finally {
    process.env.LOCAL_RUN_DIR = shared;
    await stopLocalRun(child);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

describe('50 requests at once with one Idempotency-Key count once on every entity', () => {
  const rounds = Array.from({ length: ROUNDS }, (_, at) => at + 1);

  it.each(rounds)(
    'on cold functions, round %i',
    async () => {
      expectOneEffect(await onColdFunctions(() => sendRepeats(REPEATS)));
    },
    300_000,
  );

  it.each(rounds)(
    'on cold functions beside a busy core, round %i',
    async () => {
      expectOneEffect(await onColdFunctions(() => besideBusyCore(() => sendRepeats(REPEATS))));
    },
    300_000,
  );
});
