import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROUTES } from '../../shared/routes';
import { newAccount } from '../support/api';
import type { FuzzOrder, FuzzReport } from '../support/fuzz/fuzz-built-functions';
import { localRun } from '../support/local-run';
import { GENEROUS_BUDGETS } from '../support/patience';
import { sized } from '../support/sized';
import { assemblyUnderTest } from '../support/synthesize-once';

const ROOT = join(__dirname, '../..');
const CASES_PER_ROUTE = sized(2_000, 60);
const SEED = 20261114;
const MADE_FROM_BODIES: ReadonlySet<string> = new Set(['screen-transaction', 'screen-event', 'create-webhook']);

describe(`${CASES_PER_ROUTE} generated requests per route, straight to the built handlers`, () => {
  let reports: Map<string, FuzzReport>;

  beforeAll(async () => {
    const run = localRun();
    const order: FuzzOrder = {
      run,
      logDir: join(run.dataDir, 'logs'),
      assembly: assemblyUnderTest(),
      keys: await Promise.all(Array.from({ length: 8 }, async () => (await newAccount('fuzz')).key)),
      casesPerRoute: CASES_PER_ROUTE,
      seed: SEED,
    };
    const script = ['--import', 'tsx', 'test/support/fuzz/fuzz-built-functions.ts', JSON.stringify(order)];
    const child = spawn(process.execPath, script, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...GENEROUS_BUDGETS },
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).toBe(0);
    const lines = said.trim().split('\n');
    reports = new Map(lines.map((line) => JSON.parse(line) as FuzzReport).map((report) => [report.operation, report]));
  }, 1_800_000);

  it.each(ROUTES.map(({ method, path, operation }) => [`${method} ${path}`, operation] as const))(
    '22: %s: no 5xx, every answer as OpenAPI says',
    (_name, operation) => {
      const { handled, done, wrong } = reports.get(operation) as FuzzReport;
      expect(wrong).toEqual([]);
      // A few paths (`..`) are another route to every URL parser; most of them are among the first that are generated.
      expect(handled).toBeGreaterThan(0.8 * CASES_PER_ROUTE);
      // Where a body alone decides, many must be right: what is refused at the door tests the door only.
      if (MADE_FROM_BODIES.has(operation)) expect(done).toBeGreaterThanOrEqual(0.05 * CASES_PER_ROUTE);
    },
  );
});
