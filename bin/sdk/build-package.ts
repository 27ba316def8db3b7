import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, buildSync } from 'esbuild';

const ROOT = join(__dirname, '../..');

const PACKAGES = {
  client: { formats: ['esm', 'cjs'] },
  // It is sent to every visitor, so every byte counts; `script` is for a page without a bundler.
  device: { formats: ['esm', 'cjs', 'script'], minify: true },
  // A command: nobody imports it, so it has no types.
  mcp: { formats: ['bin'] },
} as const;

export type SdkPackage = keyof typeof PACKAGES;

export const SDK_PACKAGES = Object.keys(PACKAGES) as SdkPackage[];

type Format = (typeof PACKAGES)[SdkPackage]['formats'][number];

const FORMAT: Record<Format, BuildOptions> = {
  esm: { format: 'esm' },
  cjs: { format: 'cjs' },
  script: { format: 'iife', globalName: 'FraudScreeningDevice' },
  // Our own client is part of it; the packages that its manifest names are not.
  bin: { format: 'esm', platform: 'node', packages: 'external', banner: { js: '#!/usr/bin/env node' } },
};

export interface BuiltFile {
  readonly file: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

const scriptOptions = (name: SdkPackage, format: Format): BuildOptions => ({
  entryPoints: [join(ROOT, 'sdk', name, format === 'bin' ? 'src/main.ts' : 'src/index.ts')],
  bundle: true,
  minify: 'minify' in PACKAGES[name],
  // Neither Node's modules nor polyfills: anything outside the language must be global.
  platform: 'neutral',
  target: 'es2022',
  logLevel: 'error',
  ...FORMAT[format],
});

const gzipBytes = (text: string | Uint8Array): number => gzipSync(text, { level: 9 }).length;

export function packageGzipBytes(name: SdkPackage): number {
  const { outputFiles } = buildSync({ ...scriptOptions(name, 'esm'), write: false });
  return gzipBytes(outputFiles[0]?.contents ?? '');
}

/** Writes the scripts of a package to `dist` in its folder, or in `outDir`; returns them with their sizes. */
export async function buildScripts(name: SdkPackage, outDir = join(ROOT, 'sdk', name)): Promise<BuiltFile[]> {
  rmSync(join(outDir, 'dist'), { recursive: true, force: true });
  const files: BuiltFile[] = [];
  for (const format of PACKAGES[name].formats) {
    await build({ ...scriptOptions(name, format), outfile: join(outDir, 'dist', format, 'index.js') });
    files.push(sizeOf(outDir, `dist/${format}/index.js`));
  }
  return files;
}

/** Writes `dist` and the licence of a package into its folder, or to `outDir`; returns the scripts with their sizes. */
export async function buildPackage(name: SdkPackage, outDir = join(ROOT, 'sdk', name)): Promise<BuiltFile[]> {
  const files = await buildScripts(name, outDir);
  for (const format of PACKAGES[name].formats) {
    const folder = join(outDir, 'dist', format);
    if (format === 'esm' || format === 'cjs') writeTypes(join(ROOT, 'sdk', name), folder);
    // The packages are of type module, which require() must not assume.
    if (format === 'cjs') writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  }
  copyFileSync(join(ROOT, 'LICENSE'), join(outDir, 'LICENSE'));
  return files;
}

/** Declarations by tsc. Node's own resolution requires the extension that our sources leave out. */
function writeTypes(source: string, folder: string): void {
  const args = ['-p', source, '--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder];
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tsc: ${stdout}`);
  // The compiler leaves declarations that are sources where they are.
  const declarations = readdirSync(join(source, 'src')).filter((each) => each.endsWith('.d.ts'));
  for (const file of declarations) copyFileSync(join(source, 'src', file), join(folder, file));
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.d.ts'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replace(/(from|import)( ?\(?)'(\.\/[\w-]+)'/g, "$1$2'$3.js'"));
  }
}

function sizeOf(outDir: string, file: string): BuiltFile {
  const text = readFileSync(join(outDir, file));
  return { file, bytes: text.length, gzipBytes: gzipBytes(text) };
}
