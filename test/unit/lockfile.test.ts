import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingOptional } from '../../bin/complete-lockfile';

const lock = JSON.parse(readFileSync(join(__dirname, '../../package-lock.json'), 'utf8'));
const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));

describe('package-lock.json', () => {
  it('has the optional packages of every platform: run `npm run lockfile` after installing something', () => {
    expect([...missingOptional(lock.packages).keys()]).toEqual([]);
  });

  it('names no registry', () => {
    expect(JSON.stringify(lock)).not.toContain('"resolved"');
  });
});

describe('package.json', () => {
  it('pins every dependency exactly', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(String(version)))).toEqual([]);
  });
});
