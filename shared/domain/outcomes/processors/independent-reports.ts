import type { ReportedOutcome } from './notification';

/**
 * Groups of reports that have nothing to do with each other and may be recorded at the same time; the reports of a group
 * keep their order. Those that share a reference or a dispute are about one payment, and would only get in each other's
 * way.
 */
export function independentReports(reports: readonly ReportedOutcome[]): ReportedOutcome[][] {
  let groups: { readonly names: ReadonlySet<string>; readonly positions: readonly number[] }[] = [];
  for (const [position, { references, source_id }] of reports.entries()) {
    const names = [...references, `source ${source_id}`];
    const shared = groups.filter((group) => names.some((name) => group.names.has(name)));
    const joined = {
      names: new Set([...shared.flatMap((group) => [...group.names]), ...names]),
      positions: [...shared.flatMap((group) => group.positions), position].sort((a, b) => a - b),
    };
    groups = [...groups.filter((group) => !shared.includes(group)), joined];
  }
  return groups.map(({ positions }) => reports.filter((_, position) => positions.includes(position)));
}
