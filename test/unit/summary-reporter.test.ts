import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../support/machine/chromium';

const ROOT = join(__dirname, '../..');

/** A project with one browser test and one test of another layer, run by jest as ours is. */
function runWithout(env: Record<string, string>, more: Record<string, string> = {}) {
  const house = mkdtempSync(join(tmpdir(), 'summary-'));
  const layer = (name: string) => ({
    displayName: name,
    rootDir: house,
    testMatch: [`${house}/${name}/*.test.ts`],
    transform: { '\\.ts$': join(ROOT, 'test/support/esbuild-transform.cjs') },
  });
  const support = JSON.stringify(join(ROOT, 'test/support/machine/chromium'));
  const files = {
    'jest.config.json': JSON.stringify({
      reporters: [
        'default',
        [
          join(ROOT, 'test/support/summary-reporter.cjs'),
          { logDir: join(house, 'logs'), elsewhere: { load: 'npm run load' } },
        ],
      ],
      projects: [layer('unit'), layer('browser'), layer('nightly'), layer('load')],
    }),
    'unit/a.test.ts': "it('adds', () => expect(1 + 1).toBe(2)); it.skip('a sample: needs python3', () => {});",
    'nightly/e.test.ts': "it.skip('a forest: needs lightgbm', () => {});",
    'browser/b.test.ts': `import { describeInBrowser, launchChromium } from ${support};
      describeInBrowser('page', () => { it('opens', async () => { await launchChromium(); }); it('closes', () => {}); });`,
    ...more,
  };
  for (const folder of ['unit', 'browser', 'nightly', 'logs']) mkdirSync(join(house, folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(house, name), text);
  try {
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        join(ROOT, 'node_modules/jest/bin/jest.js'),
        ...['--config', join(house, 'jest.config.json'), '--ignoreProjects', 'load'],
      ],
      { encoding: 'utf8', cwd: house, env: { PATH: '', ...env } },
    );
    return { status, stderr, lastLine: stderr.trimEnd().split('\n').at(-1) };
  } finally {
    rmSync(house, { recursive: true });
  }
}

// One run is looked at from several sides: jest takes seconds to start.
const plain = runWithout({});

describe('on a machine without Chromium', () => {
  it('the rest runs, and the last lines say what was left out, how to get it, and the totals', () => {
    const { status, stderr, lastLine } = plain;

    expect(stderr).toContain('1 passed');
    expect(stderr).toContain('unit/a.test.ts: a sample: needs python3');
    expect(stderr).toContain('nightly/e.test.ts: a forest: needs lightgbm');
    expect(stderr).toContain('test/load: npm run load');
    expect(stderr).toMatch(/2 browser tests in 1 file: .*apt-get install chromium.*CHROMIUM_PATH/);
    expect(lastLine).toBe('1 passed, 0 failed, 4 skipped');
    expect(status).toBe(0);
  });

  it('REQUIRE_BROWSER makes it a failure', () => {
    const { status, stderr } = runWithout({ REQUIRE_BROWSER: 'true' });

    expect(stderr).toContain('No Chromium found');
    expect(status).toBe(1);
  });
});

describe('the last lines', () => {
  it('name the slowest suites', () => {
    expect(plain.stderr).toMatch(/\nSlowest suites:\n {2,}\d+\.\d s {2}\S+\.test\.ts\n/);
  });

  it('say how to run a failed test alone, and where its functions logged', () => {
    const failing = "describe('sums', () => { it(\"isn't (always) right\", () => expect(1 + 1).toBe(3)); });";
    const { status, stderr } = runWithout({}, { 'unit/c.test.ts': failing, 'unit/d.test.ts': "throw new Error('x');" });
    const [, advice = ''] = stderr.split('What to do next:');

    expect(status).toBe(1);
    expect(advice).toContain(
      String.raw`npx jest --selectProjects unit --testPathPatterns unit/c.test.ts -t '^sums isn'\''t \(always\) right$'`,
    );
    expect(advice).toMatch(/--testPathPatterns unit\/d\.test\.ts$/m);
    expect(advice).toContain(`grep -rn '"level":"ERROR"' logs`);
  });

  it('give no advice where nothing failed', () => {
    expect(plain.stderr).not.toContain('What to do next');
  });
});

it('CHROMIUM_PATH goes before what is installed', () => {
  expect(findChromium({ CHROMIUM_PATH: '/opt/chrome', PATH: '/usr/bin' })).toBe('/opt/chrome');
  expect(findChromium({ PATH: '/nowhere' })).toBeUndefined();
});
