import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SdkPackage } from '../../bin/sdk/build-package';

const ROOT = join(__dirname, '../..');

const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error ?? stdout + stderr}`);
  return stdout;
};

/** Maximum size of a tarball: each is downloaded by everybody who installs it. */
const MOST_BYTES: Readonly<Record<SdkPackage, number>> = { client: 64_000, device: 12_000, mcp: 20_000 };

interface Tarball {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Builds and packs a package into a folder, and writes what npm says of it next to the tarball. */
function pack(name: SdkPackage, folder: string): void {
  const source = join(folder, 'package');
  mkdirSync(source, { recursive: true });
  run(process.execPath, ['--import', 'tsx', join(ROOT, 'bin/build-sdk.ts'), name, source], ROOT);
  for (const file of ['package.json', 'README.md']) copyFileSync(join(ROOT, 'sdk', name, file), join(source, file));
  const said = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], source);
  writeFileSync(join(folder, 'packed.json'), said);
}

/** The folder with the packed package: packed once per test run, where there is a folder for what all suites share. */
function packedOnce(name: SdkPackage, house: string): string {
  const { PACKED_SDKS: shelf } = process.env;
  const kept = shelf && join(shelf, name);
  if (kept && existsSync(kept)) return kept;
  const own = mkdtempSync(join(shelf ?? house, `${name}-`));
  pack(name, own);
  if (!kept) return own;
  try {
    renameSync(own, kept);
  } catch (error) {
    // Another suite was faster: what it packed comes from the same files.
    if (!existsSync(kept)) throw error;
    rmSync(own, { recursive: true });
  }
  return kept;
}

/** The package as `npm publish` would send it, and no larger than it may be, installed in the folder of somebody who depends on it. */
export function packAndInstall(name: SdkPackage): { consumer: string; files: string[]; packed: string } {
  const house = mkdtempSync(join(tmpdir(), `sdk-${name}-`));
  const folder = packedOnce(name, house);
  const [tarball] = JSON.parse(readFileSync(join(folder, 'packed.json'), 'utf8')) as [Tarball];
  if (tarball.size > MOST_BYTES[name])
    throw new Error(`The tarball of ${name} has ${tarball.size} bytes; at most ${MOST_BYTES[name]} are allowed.`);
  const consumer = join(house, 'consumer');
  const packed = join(consumer, 'node_modules/@fraud-screening', name);
  mkdirSync(packed, { recursive: true });
  run('tar', ['-xzf', join(folder, tarball.filename), '-C', packed, '--strip-components=1'], house);
  writeFileSync(join(consumer, 'package.json'), '{ "private": true, "type": "module" }\n');
  return { consumer, packed, files: tarball.files.map(({ path }) => path) };
}
