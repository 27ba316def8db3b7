import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSite, SiteError } from '../docs/site/build-site';
import { runPlainCommand, UsageError } from '../shared/cli/command-line';

const OUT = join(__dirname, '../dist/docs');

/** `npm run docs`: the documentation as static files, for any web server; the local run serves it directly. */
function main(): void {
  const site = buildSite();
  rmSync(OUT, { recursive: true, force: true });
  for (const [path, bytes] of site) {
    mkdirSync(dirname(join(OUT, path)), { recursive: true });
    writeFileSync(join(OUT, path), bytes);
  }
  const pages = [...site.keys()].filter((path) => path.endsWith('.html')).length;
  console.log(`Wrote ${pages} pages to ${OUT}. Open index.html, or /_local/docs/ in a local run.`);
}

runPlainCommand(
  {
    usage: 'npm run docs',
    about: 'Writes the documentation to dist/docs, as static files for any web server.',
    next: 'open dist/docs/index.html.',
  },
  () => {
    try {
      main();
    } catch (error) {
      throw error instanceof SiteError ? new UsageError(error.message) : error;
    }
  },
);
