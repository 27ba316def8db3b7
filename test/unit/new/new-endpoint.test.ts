import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UNWIRED } from '../../../bin/new/endpoint-files';
import { endpointNames } from '../../../bin/new/endpoint-names';
import { routeIndex } from '../../../bin/new/route-index';

const ROOT = join(__dirname, '../../..');
const ROUTES = join(ROOT, 'shared/routes');
const TSX = join(ROOT, 'node_modules/tsx/dist/cli.mjs');

it.each([
  ['GET', '/v1/things/{id}', 'get-thing', ['id']],
  ['GET', '/v1/things', 'list-things', []],
  ['post', '/v1/things', 'create-thing', []],
  ['PUT', '/v1/users/{user_id}/risk-policies', 'update-risk-policy', ['user_id']],
  ['DELETE', '/v1/things/{id}', 'delete-thing', ['id']],
])('%s %s is %s', (method, path, operation, params) => {
  expect(endpointNames(method, path)).toMatchObject({ operation, params });
});

it.each([
  ['PATCH', '/v1/things', /GET, POST, PUT, DELETE/],
  ['GET', '/things', /looks like/],
  ['GET', '/v1/{id}', /nothing but parameters/],
])('%s %s is refused', (method, path, why) => {
  expect(() => endpointNames(method, path)).toThrow(why);
});

it('the route index is fresh: `npm run generate` writes it', () => {
  const index = readFileSync(join(ROUTES, 'index.ts'), 'utf8');
  expect(routeIndex(ROUTES, index)).toBe(index);
});

it('no endpoint is left without its store', () => {
  const folder = join(ROOT, 'functions/http');
  const unwired = readdirSync(folder).filter((file) => readFileSync(join(folder, file), 'utf8').includes(UNWIRED));
  expect(unwired).toEqual([]);
});

describe('a new endpoint', () => {
  const copy = mkdtempSync(join(tmpdir(), 'new-endpoint-'));
  const inCopy = (...args: string[]) => execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
  const make = (...args: string[]) =>
    spawnSync(process.execPath, [TSX, join(ROOT, 'bin/new.ts'), 'endpoint', ...args, '--root', copy], {
      encoding: 'utf8',
    });

  /** Files of a folder that differ from ours, or that we have not: lint has seen all others. */
  const changedIn = (folder: string): string[] =>
    readdirSync(join(copy, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((file) => statSync(join(copy, file)).isFile())
      .filter(
        (file) =>
          !existsSync(join(ROOT, file)) || !readFileSync(join(copy, file)).equals(readFileSync(join(ROOT, file))),
      );

  beforeAll(() => {
    for (const part of ['shared', 'functions', 'lib', 'bin', 'tsconfig.json', 'biome.json', '.biome', 'package.json']) {
      cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it('compiles, is linted, and has its row in every table', () => {
    expect(make('GET', '/v1/things/{id}')).toMatchObject({ status: 0, stderr: '' });
    expect(make('POST', '/v1/users/{user_id}/risk-policies', '--in', 'accounts')).toMatchObject({ status: 0 });
    inCopy(TSX, 'bin/write-route-index.ts');
    expect(readFileSync(join(copy, 'shared/routes/index.ts'), 'utf8')).toContain('  getThingRoute,\n');
    const files = ['functions/http/get-thing.ts', 'functions/http/create-risk-policy.ts', 'lib/function-access.ts'];
    writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify({ extends: './tsconfig.json', include: files }));
    inCopy('node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1', '-p', 'tsconfig.new.json');
    const written = ['shared', 'functions', 'lib'].flatMap(changedIn);
    expect(written).toEqual(
      expect.arrayContaining(['shared/routes/index.ts', 'functions/http/get-thing.ts', 'lib/function-access.ts']),
    );
    inCopy('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...written);
  });

  it('overwrites nothing', () => {
    expect(make('GET', '/v1/cases/{id}')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Nothing was written'),
    });
  });
});
