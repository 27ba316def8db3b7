import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packAndInstall } from '../support/packed-sdk';
import { patient } from '../support/patience';

const ROOT = join(__dirname, '../..');

describe('the device SDK as it is published', () => {
  let consumer: string;
  let packed: string;
  let files: string[];
  beforeAll(() => {
    ({ consumer, packed, files } = packAndInstall('device'));
  }, patient(90_000));
  afterAll(() => rmSync(join(consumer, '..'), { recursive: true }));

  it('has the builds, the types, the licence and the guide, and depends on nothing', () => {
    expect(files.filter((file) => !/^dist\/(esm|cjs)\/[\w-]+\.d\.ts$/.test(file)).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist/cjs/index.js',
      'dist/cjs/package.json',
      'dist/esm/index.js',
      'dist/script/index.js',
      'package.json',
    ]);
    const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ license: 'Apache-2.0', sideEffects: false });
    expect(manifest).not.toHaveProperty('dependencies');
  });

  const node = (file: string, source: string): string => {
    writeFileSync(join(consumer, file), source);
    const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: consumer, encoding: 'utf8' });
    return stdout || stderr;
  };

  it('says in its guide what it collects, word for word', () => {
    const guide = readFileSync(join(packed, 'README.md'), 'utf8');
    const [, table = ''] = guide.split('| Signal | What it is |\n|---|---|\n');
    const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
    const source =
      "import { collectedSignals } from '@fraud-screening/device'; console.log(JSON.stringify(collectedSignals()))";
    const listed: { name: string; what: string }[] = JSON.parse(node('list.mjs', source));
    expect(rows).toEqual(listed.map(({ name, what }) => `| \`${name}\` | ${what} |`));
  });

  it('can be imported and required on a server, which renders pages too', () => {
    const names = 'collectedSignals,deviceFingerprint,deviceSignals,forgetDevice\n';
    const print = 'console.log(Object.keys(sdk).sort().join())';
    expect(node('import.mjs', `import * as sdk from '@fraud-screening/device'; ${print}`)).toBe(names);
    expect(node('require.cjs', `const sdk = require('@fraud-screening/device'); ${print}`)).toBe(names);
  });

  it.each([
    ['an ES module', 'device-types.ts'],
    ['a CommonJS module', 'device-types.cts'],
  ])('has the types it promises for %s', (_name, file) => {
    copyFileSync(join(ROOT, 'test/fixtures/sdk-consumer/device-types.ts'), join(consumer, file));
    const args = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--lib',
      'es2022',
      '--types',
      '',
      '--module',
      'nodenext',
    ];
    const tsc = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...args, file], { cwd: consumer, encoding: 'utf8' });
    expect(tsc.stdout).toBe('');
    expect(tsc.status).toBe(0);
  });
});
