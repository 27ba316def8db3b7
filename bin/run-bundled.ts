import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { compileIntelligence } from '../lib/bundling/compile-intelligence';
import { BASE_MODEL_FILE } from '../shared/runtime/base-model-file';
import { INTELLIGENCE_FILE } from '../shared/runtime/intelligence-file';
import { SDK_ENVIRONMENT } from '../shared/runtime/sdk-environment';

const ROOT = join(__dirname, '..');
const OUT = join(ROOT, 'dist/training');

const CALL_MAIN = `const [file, directory, ...argv] = process.argv.slice(1);
require(file).main(argv, { directory, nowMs: Date.now() }).catch((error) => {
  console.error(error.code === 'ENOENT' ? \`No such file: \${error.path}. Check the path; --help shows an example.\` : error.message);
  process.exitCode = 1;
});`;
/** Room for the short-lived objects of a screening, and inlining of its many small functions: each saves 3% of a replay. */
const NODE_OPTIONS = [
  '--enable-source-maps',
  '--max-semi-space-size=64',
  '--max-inlined-bytecode-size-cumulative=2000',
];

/**
 * Runs the `main(argv, run)` of a file as one bundle, like the deployed code: a TypeScript loader's getters on every
 * import would double the time of a replay. It runs in a separate process, which starts with a clean heap. The directory
 * holds the IP ranges and the base model, as next to a deployed function.
 * Usage: tsx bin/run-bundled.ts training/replay/main.ts [arguments]
 */
function run(): void {
  const [entry = '', ...argv] = process.argv.slice(2);
  const outfile = join(OUT, `${entry.replaceAll('/', '-').replace(/\.ts$/, '')}.js`);
  compileIntelligence(join(OUT, INTELLIGENCE_FILE));
  const baseModel = join(ROOT, 'shared/runtime', BASE_MODEL_FILE);
  if (existsSync(baseModel)) copyFileSync(baseModel, join(OUT, BASE_MODEL_FILE));
  buildSync({
    entryPoints: [join(ROOT, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const { status } = spawnSync(process.execPath, [...NODE_OPTIONS, '-e', CALL_MAIN, outfile, OUT, ...argv], {
    stdio: 'inherit',
    env: { ...process.env, ...SDK_ENVIRONMENT },
  });
  process.exitCode = status ?? 1;
}

run();
