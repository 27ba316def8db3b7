import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { compileIpTable } from '../lib/bundling/compile-ip-table';
import { BASE_MODEL_FILE } from '../shared/runtime/base-model-file';
import { IP_TABLE_FILE } from '../shared/runtime/ip-table-file';

const ROOT = join(__dirname, '..');
const OUT = join(ROOT, 'dist/training');

/**
 * Runs the `main(argv, directory)` of a file as one bundle, like the deployed code: a TypeScript loader's getters on every
 * import would double the time of a replay. In the directory lie the IP ranges and the base model, as beside a function. Usage: tsx bin/run-bundled.ts training/replay/main.ts [arguments]
 */
async function run(): Promise<void> {
  const [entry = '', ...argv] = process.argv.slice(2);
  const outfile = join(OUT, `${entry.replaceAll('/', '-').replace(/\.ts$/, '')}.js`);
  compileIpTable(join(OUT, IP_TABLE_FILE));
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
  process.setSourceMapsEnabled(true);
  const { main } = require(outfile) as { main: (argv: readonly string[], directory: string) => Promise<void> };
  await main(argv, OUT);
}

run().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
