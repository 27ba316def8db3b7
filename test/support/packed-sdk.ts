import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SdkPackage } from '../../bin/sdk/build-package';

const ROOT = join(__dirname, '../..');

const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? stdout + stderr}`);
  return stdout;
};

/** What a tarball may weigh: each is downloaded by everybody who installs it. */
const MOST_BYTES: Readonly<Record<SdkPackage, number>> = { client: 64_000, device: 12_000, mcp: 20_000 };

/** The package as `npm publish` would send it, and no larger than it may be, installed in the folder of somebody who depends on it. */
export function packAndInstall(name: SdkPackage): { consumer: string; files: string[]; packed: string } {
  const house = mkdtempSync(join(tmpdir(), `sdk-${name}-`));
  const source = join(house, 'package');
  mkdirSync(source);
  run(process.execPath, ['--import', 'tsx', join(ROOT, 'bin/build-sdk.ts'), name, source], ROOT);
  for (const file of ['package.json', 'README.md']) copyFileSync(join(ROOT, 'sdk', name, file), join(source, file));
  const [tarball] = JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', house], source));
  if (tarball.size > MOST_BYTES[name])
    throw new Error(`The tarball of ${name} has ${tarball.size} bytes; at most ${MOST_BYTES[name]} are allowed.`);
  const consumer = join(house, 'consumer');
  const packed = join(consumer, 'node_modules/@fraud-screening', name);
  mkdirSync(packed, { recursive: true });
  run('tar', ['-xzf', join(house, tarball.filename), '-C', packed, '--strip-components=1'], house);
  writeFileSync(join(consumer, 'package.json'), '{ "private": true, "type": "module" }\n');
  return { consumer, packed, files: tarball.files.map(({ path }: { path: string }) => path) };
}
