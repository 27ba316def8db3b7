import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const SUPPORT = join(ROOT, 'test/support');

/** Suites that run one after the other in one process, as those of a worker do. */
function run(suites: Readonly<Record<string, string>>) {
  const house = mkdtempSync(join(tmpdir(), 'suites-'));
  const config = {
    rootDir: house,
    testMatch: [`${house}/*.test.ts`],
    transform: { '\\.ts$': join(SUPPORT, 'esbuild-transform.cjs') },
    testEnvironment: join(SUPPORT, 'bare-environment.cjs'),
    runtime: join(SUPPORT, 'shared-modules-runtime.cjs'),
    testTimeout: 1_000,
    globalSetup: `${house}/setup.cjs`,
  };
  try {
    for (const [name, text] of Object.entries(suites)) writeFileSync(join(house, name), text);
    writeFileSync(join(house, 'jest.config.json'), JSON.stringify(config));
    const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', join(house, 'jest.config.json')];
    const env = { ...process.env, FORCE_COLOR: '0' };
    return spawnSync(process.execPath, [...jest, '--runInBand'], { encoding: 'utf8', cwd: house, env }).stderr;
  } finally {
    rmSync(house, { recursive: true });
  }
}

// Every suite does to the worker what a later suite must not notice.
const suite = (name: string) => `
  import { counter } from './counter';
  import data from './data';
  it('${name} finds its own modules as they were written', () => {
    counter.value += 1;
    expect([counter.value, data]).toEqual([1, 'from TypeScript']);
  });
  it('${name} finds the environment as it was', () => {
    expect([process.env.LEFT_BEHIND, process.cwd() === '/', typeof Math.max()]).toEqual([undefined, false, 'number']);
    process.env.LEFT_BEHIND = 'yes';
    process.chdir('/');
    jest.spyOn(Math, 'max').mockImplementation(() => 'replaced' as never);
  });`;

const said = run({
  // A hook for TypeScript that is still there, and transforms nothing any more.
  'setup.cjs': `
    const { _extensions } = require('node:module');
    const loadScript = _extensions['.js'];
    module.exports = () => {
      _extensions['.ts'] = (module, file) => loadScript(module, file);
    };`,
  'counter.ts': 'export const counter: { value: number } = { value: 0 };',
  'data.ts': "export default 'from TypeScript';",
  'data.json': '"from JSON"',
  'a.test.ts': suite('a'),
  'b.test.ts': suite('b'),
  'c.test.ts': `
    it('takes too long', () => new Promise(() => {}));
    it('fails', () => {
      const first: number = 1;

      expect(first).toBe(2);
    });
    it('breaks later', async () => {
      setTimeout(() => { throw new Error('nobody awaits this'); }, 1);
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    it('asks for more time', () => new Promise((resolve) => setTimeout(resolve, 1_300)), 20_000);`,
});

describe('suites that share a process', () => {
  it('do not share our own modules, the environment or what they replaced', () => {
    expect(said).toContain('PASS ./a.test.ts');
    expect(said).toContain('PASS ./b.test.ts');
    expect(said).toMatch(/Tests: +3 failed, 5 passed, 8 total/);
  });

  it('fail as jest’s own do: too slow, at the line of the source, or by an error nobody awaited', () => {
    expect(said).toContain('Exceeded timeout of 1000 ms');
    expect(said).toContain('(c.test.ts:6:21)');
    expect(said).toContain('nobody awaits this');
  });
});
