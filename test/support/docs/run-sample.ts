import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

/** Writes a sample in TypeScript as the JavaScript that Node runs: without a loader, which takes longer than the sample. */
export function writeSample(consumer: string, name: string, source: string): string {
  const file = `${name}.mjs`;
  writeFileSync(join(consumer, file), transformSync(source, { loader: 'ts', format: 'esm', target: 'node20' }).code);
  return file;
}

/** Runs a sample where the package is installed; what it printed, line by line. */
export function runSample(consumer: string, source: string, env: NodeJS.ProcessEnv): string[] {
  const file = writeSample(consumer, 'sample', source);
  const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: consumer, env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}
