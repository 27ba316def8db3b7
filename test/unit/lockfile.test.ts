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

// Released only when its own model changes, so it has no version in common with the others. Only tests use it.
const LAST_RELEASED_EARLIER = '@aws-sdk/client-frauddetector';

describe('package.json', () => {
  it('pins every dependency exactly', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(String(version)))).toEqual([]);
  });

  it('takes every AWS client in one version, and nothing of the SDK twice', () => {
    const ofAws = Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([name]) => /^@aws-sdk\/(client|lib)-/.test(name) && name !== LAST_RELEASED_EARLIER,
    );
    expect(ofAws.length).toBeGreaterThan(5);
    expect([...new Set(ofAws.map(([, version]) => version))]).toHaveLength(1);
    // Packages with their own series (credentials, marshalling): ours is the copy that the clients use.
    const nested = Object.keys(lock.packages).filter((path) =>
      /node_modules\/.*node_modules\/@(aws-sdk|smithy)\//.test(path),
    );
    expect(nested).toEqual([]);
  });
});
