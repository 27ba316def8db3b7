import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Runs TypeScript as it is, in the folder of somebody who has no build of their own. */
export const TSX = pathToFileURL(join(__dirname, '../../node_modules/tsx/dist/loader.mjs')).href;

/** Runs a sample where the package is installed; what it printed, line by line. */
export function runSample(consumer: string, source: string, env: NodeJS.ProcessEnv): string[] {
  writeFileSync(join(consumer, 'sample.ts'), source);
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', TSX, 'sample.ts'], {
    cwd: consumer,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}
