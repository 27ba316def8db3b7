import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPlainCommand } from '../shared/cli/command-line';

/*
 * `npm ci` refuses a lockfile that lacks a platform's optional package, and npm omits one when the registry it
 * asked does not carry it (for example, a single-platform mirror). This adds what is missing, by the exact version the
 * package asks for and the platform in its name, so that the lockfile works everywhere.
 */
interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

const FILE = join(__dirname, '../package-lock.json');
const SYSTEMS = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'netbsd', 'openbsd', 'sunos', 'aix', 'openharmony'];
const PROCESSORS = ['arm64', 'x64', 'ia32', 'riscv64', 'ppc64', 's390x', 'loong64', 'mips64el', 'wasm32', 'arm'];

/** Optional packages that something in the lockfile asks for and that it does not have. */
export function missingOptional(packages: Readonly<Record<string, Locked>>): Map<string, string> {
  const missing = new Map<string, string>();
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const isThere = `node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages;
      if (!isThere) missing.set(name, version);
    }
  }
  return missing;
}

function platformOf(name: string): object {
  const system = SYSTEMS.find((known) => name.includes(known)) ?? (name === 'fsevents' ? 'darwin' : undefined);
  const processor = PROCESSORS.find((known) => name.includes(known));
  if (!system && !processor) throw new Error(`${name} does not name a platform: add it to the lockfile by hand`);
  return {
    ...(system ? { os: [system] } : {}),
    ...(processor ? { cpu: [processor] } : {}),
    ...(name.includes('musl') ? { libc: ['musl'] } : {}),
  };
}

function complete(): void {
  const lock = JSON.parse(readFileSync(FILE, 'utf8')) as { packages: Record<string, Locked> };
  const missing = missingOptional(lock.packages);
  for (const [name, version] of missing) {
    lock.packages[`node_modules/${name}`] = { version, dev: true, optional: true, ...platformOf(name) };
  }
  const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
  console.log(`${missing.size} packages added`);
}

if (require.main === module) {
  runPlainCommand(
    {
      usage: 'npm run lockfile',
      about: 'Adds the optional packages of other platforms to package-lock.json, so that npm ci works everywhere.',
      next: 'npm test, then commit package.json and package-lock.json together.',
    },
    complete,
  );
}
