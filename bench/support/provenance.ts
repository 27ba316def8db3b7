import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { withSections } from '../../shared/cli/text-table';

/** The commit that is checked out, and whether anything was changed since. */
function commitName(): string {
  const git = (...args: string[]): string => {
    try {
      return execFileSync('git', args, {
        cwd: __dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    } catch {
      return '';
    }
  };
  const commit = git('rev-parse', '--short', 'HEAD') || 'unknown commit';
  const changed = git('status', '--porcelain') === '' ? '' : ' with local changes';
  return `${commit}${changed}`;
}

/** Where and when something was measured; without it a report is worthless. */
export function provenance(): string {
  const machine = `${cpus().length} cores, ${process.arch}, Node ${process.versions.node}`;
  return `${new Date().toISOString().slice(0, 10)}, ${commitName()}, ${machine}`;
}

/** Writes results to a file: into their section of a page that has one, otherwise as the whole file. */
export function writeReport(file: string, section: string, markdown: string): void {
  const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const isPage = page.includes(`<!-- ${section} -->`);
  writeFileSync(file, isPage ? withSections(page, { [section]: markdown }) : `${markdown}\n`);
}
