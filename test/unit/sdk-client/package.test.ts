import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { packAndInstall } from '../../support/packed-sdk';
import { patient } from '../../support/patience';

const ROOT = join(__dirname, '../../..');

describe('the client as it is published', () => {
  let consumer: string;
  let packed: string;
  let files: string[];
  beforeAll(() => {
    ({ consumer, packed, files } = packAndInstall('client'));
  }, patient(90_000));
  afterAll(() => rmSync(join(consumer, '..'), { recursive: true }));

  const node = (file: string, source: string): string => {
    writeFileSync(join(consumer, file), source);
    const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: consumer, encoding: 'utf8' });
    return stdout || stderr;
  };

  it('has the builds, the types, the licence and the guide, and nothing else', () => {
    const others = files.filter((file) => !/^dist\/(esm|cjs)\/[\w-]+\.d\.ts$/.test(file));
    expect(others.toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist/cjs/index.js',
      'dist/cjs/package.json',
      'dist/esm/index.js',
      'package.json',
    ]);
    expect(readFileSync(join(packed, 'LICENSE'), 'utf8')).toContain('Apache License');
    expect(JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'))).toMatchObject({
      license: 'Apache-2.0',
      sideEffects: false,
      engines: { node: '>=20' },
    });
  });

  it('depends on nothing', () => {
    const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies']) {
      expect(manifest).not.toHaveProperty(kind);
    }
    for (const build of ['esm', 'cjs']) {
      expect(readFileSync(join(packed, `dist/${build}/index.js`), 'utf8')).not.toMatch(/\brequire\(|\bfrom ['"]/);
    }
  });

  it('can be imported and required', () => {
    const names =
      'API_VERSION,FraudScreening,FraudScreeningError,WebhookVerificationError,constructEvent,memoryNonces,verifyAgent\n';
    const print = 'console.log(Object.keys(sdk).sort().join())';
    expect(node('import.mjs', `import * as sdk from '@fraud-screening/client'; ${print}`)).toBe(names);
    expect(node('require.cjs', `const sdk = require('@fraud-screening/client'); ${print}`)).toBe(names);
  });

  it('needs only what every edge runtime has', async () => {
    const module = { exports: {} as typeof import('../../../sdk/client/src') };
    // No Buffer, no process, no require: the globals that WinterTC asks of all of them.
    const globals = { AbortController, Headers, Response, TextDecoder, TextEncoder, URL, URLSearchParams };
    const timers = { setTimeout, clearTimeout };
    const calls: unknown[] = [];
    const fetch = async (...call: unknown[]) => {
      calls.push(call);
      return new Response('{"webhooks":[]}');
    };
    const context = createContext({ ...globals, ...timers, atob, btoa, crypto, fetch, module });
    runInContext(readFileSync(join(packed, 'dist/cjs/index.js'), 'utf8'), context);
    const { constructEvent, FraudScreening } = module.exports;

    const client = new FraudScreening({ apiKey: ['sk', 'test', 'x'].join('_'), baseUrl: 'https://api.example.com' });
    expect(await client.webhooks.list()).toEqual({ webhooks: [] });
    await client.webhooks.create({ url: 'https://example.com', events: [] });
    expect(calls).toHaveLength(2);
    const refused = constructEvent('{}', { 'webhook-signature': 'v1,x' }, 'whsec_AAAA');
    await expect(refused).rejects.toMatchObject({ reason: 'missing_header' });
  });

  it.each([
    ['an ES module', 'nodenext', 'client-types.ts'],
    ['a CommonJS module', 'nodenext', 'client-types.cts'],
    ['a bundler', 'bundler', 'client-types.ts'],
  ])('has the types it promises for %s', (_name, moduleResolution, file) => {
    copyFileSync(join(ROOT, 'test/fixtures/sdk-consumer/client-types.ts'), join(consumer, file));
    const args = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
    const resolution = ['--module', moduleResolution === 'bundler' ? 'preserve' : 'nodenext'];
    const tsc = spawnSync(
      join(ROOT, 'node_modules/.bin/tsc'),
      [...args, ...resolution, '--moduleResolution', moduleResolution, file],
      { cwd: consumer, encoding: 'utf8' },
    );
    expect(tsc.stdout).toBe('');
    expect(tsc.status).toBe(0);
  });
});
