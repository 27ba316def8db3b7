import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { compileIpTable } from '../lib/bundling/compile-ip-table';

const ROOT = join(__dirname, '..');
const OUT = join(ROOT, 'dist/training');

/**
 * Runs the `main(argv, ipTable)` of a file as one bundle, like the deployed code: a TypeScript loader's getters on every
 * import would double the time of a replay. Usage: tsx bin/run-bundled.ts training/replay/main.ts [arguments]
 */
async function run(): Promise<void> {
  const [entry = '', ...argv] = process.argv.slice(2);
  const outfile = join(OUT, `${entry.replaceAll('/', '-').replace(/\.ts$/, '')}.js`);
  const ipTable = join(OUT, 'ip-table.bin');
  compileIpTable(ipTable);
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
  const { main } = require(outfile) as { main: (argv: readonly string[], ipTable: string) => Promise<void> };
  await main(argv, ipTable);
}

run().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
