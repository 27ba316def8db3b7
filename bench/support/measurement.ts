import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { withSections } from '../../shared/cli/text-table';

export interface Measurement {
  readonly what: string;
  readonly found: string;
  readonly aim?: string;
}

const numberIn = (text: string): number => Number.parseFloat(text.replaceAll(',', '').replace(/^[^\d.-]+/, ''));

/** Whether a value misses a target such as `≤ 40 µs`; one that is not a number misses none. */
export function isMissed({ found, aim = '' }: Measurement): boolean {
  const by = numberIn(found) - numberIn(aim);
  return aim.startsWith('≤') ? by > 0 : aim.startsWith('≥') && by < 0;
}

/** The value below which this percentage of the sorted values lies (nearest rank). */
export function percentile(sorted: readonly number[], per: number): number {
  return sorted[Math.max(0, Math.ceil((per / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export function summary(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    count: sorted.length,
    p50: percentile(sorted, 50),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: sorted.at(-1) ?? Number.NaN,
  };
}

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
