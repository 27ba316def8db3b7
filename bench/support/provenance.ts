import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The commit that is checked out, and whether anything was changed since. */
export function commitName(): string {
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
