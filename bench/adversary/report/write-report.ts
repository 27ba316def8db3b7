import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withTables } from '../../scale/page';
import type { Strategy } from '../play/strategy';
import type { KeptRun } from './history';
import { picture } from './picture';
import { comparisonRows, historyRows, strategyRows } from './tables';

const EMPTY_PAGE = `# The adversary

<!-- strategies -->
<!-- end -->

<!-- comparison -->
<!-- end -->

<!-- history -->
<!-- end -->
`;

/** The files of a report: the page, and beside it the history and the picture. */
export const reportFiles = (page: string) => ({
  page,
  history: page.replace(/\.md$/, '.json'),
  picture: page.replace(/\.md$/, '.svg'),
});

/** The runs that a report has kept so far. */
export function readHistory(file: string): KeptRun[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptRun[]) : [];
}

/** The page with its tables made anew from the history. */
export const withHistory = (page: string, history: readonly KeptRun[], strategies: readonly Strategy[]): string =>
  withTables(page, {
    strategies: strategyRows(strategies),
    comparison: comparisonRows(history, strategies),
    history: historyRows(history),
  });

/** Adds a run to the report: everything that was kept before stays. */
export function writeReport(page: string, run: KeptRun, strategies: readonly Strategy[]): void {
  const files = reportFiles(page);
  const history = [...readHistory(files.history), run];
  writeFileSync(files.history, `${JSON.stringify(history, null, 2)}\n`);
  const before = existsSync(page) ? readFileSync(page, 'utf8') : EMPTY_PAGE;
  writeFileSync(page, withHistory(before, history, strategies));
  writeFileSync(files.picture, picture(history, strategies));
}
