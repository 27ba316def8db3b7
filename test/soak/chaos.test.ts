import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BAD_DAY } from '../../bench/chaos/faults';
import { runChaos } from '../../bench/chaos/run-chaos';
import { sized } from '../support/sized';

// `npm run chaos` is the long form, over ten thousand.
const SCREENINGS = sized(500, 120);

const directory = mkdtempSync(join(tmpdir(), 'chaos-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('on a bad day every 200 is durable, every promised webhook comes, and nothing is half written', async () => {
  const { findings, evidence, faults, refusedWebhooks } = await runChaos({
    screenings: SCREENINGS,
    accounts: 2,
    seed: 20261114,
    concurrency: 4,
    // So few screenings need more crashes than a bad day has, for one to be certain.
    rates: { ...BAD_DAY, crash: 0.04 },
    refusedShare: 0.2,
    port: 0,
    directory,
    say: () => undefined,
    show: () => undefined,
  });
  expect(findings).toEqual([]);
  // It was a bad day indeed, and there was something to lose.
  expect(refusedWebhooks).toBeGreaterThan(5);
  for (const kind of ['delay', 'throttle', 'error', 'reset', 'lostAnswer', 'conflict', 'duplicate', 'crash']) {
    expect([kind, (faults.get(kind) ?? 0) > 0]).toEqual([kind, true]);
  }
  expect(evidence.asked.length).toBeGreaterThanOrEqual(SCREENINGS);
  expect(evidence.told.length).toBeGreaterThan(SCREENINGS / 2);
}, 900_000);
