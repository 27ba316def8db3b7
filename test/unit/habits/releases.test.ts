import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_VERSION } from '../../../shared/runtime/service-version';

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
  const files = readdirSync(join(ROOT, 'docs/adr')).sort();
  expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, at) => at + 1));
  for (const [at, name] of files.entries()) expect(read(`docs/adr/${name}`)).toMatch(new RegExp(`^# ${at + 1}\\. `));
});
