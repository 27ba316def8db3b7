import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runPlainCommand } from '../shared/cli/command-line';
import { YOUNG_MEMORY } from './young-memory';

const ROOT = join(__dirname, '..');
const JEST = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--selectProjects', 'unit'];

/** Runs a command and returns whether it succeeded; its output is shown at once, or kept until it has failed. */
async function run(words: readonly string[], stdio: 'inherit' | 'pipe'): Promise<boolean> {
  const [command = '', ...args] = words;
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', stdio, stdio] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 && said !== '') console.error(said);
  return code === 0;
}

/**
 * The loop while writing code: lint, types and unit tests at the same time, since each leaves a core idle now and then.
 * Everything that needs a synthesis or a running service is left to `npm test`.
 */
async function main(): Promise<void> {
  const [lint, types, tests] = await Promise.all([
    run(['npm', 'run', '--silent', 'lint'], 'pipe'),
    run(['npm', 'run', '--silent', 'types'], 'pipe'),
    run([process.execPath, YOUNG_MEMORY, ...JEST], 'inherit'),
  ]);
  const failed = Object.entries({ lint, types, tests }).flatMap(([name, ok]) => (ok ? [] : [name]));
  console.log(failed.length === 0 ? 'Lint, types and unit tests pass.' : `Failed: ${failed.join(', ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

runPlainCommand(
  { usage: 'npm run check', about: 'Runs lint, types and unit tests side by side.', next: 'npm test runs everything.' },
  main,
);
