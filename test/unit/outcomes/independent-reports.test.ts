import { independentReports } from '../../../shared/domain/outcomes/processors/independent-reports';
import type { ReportedOutcome } from '../../../shared/domain/outcomes/processors/notification';

const report = (source_id: string, ...references: string[]): ReportedOutcome => ({
  ...{ type: 'chargeback', source_id, references, occurred_at: '2026-03-02T00:00:00Z' },
});
const grouped = (...reports: ReportedOutcome[]) =>
  independentReports(reports).map((group) => group.map(({ source_id, references }) => `${source_id} ${references}`));

it('reports of different payments are independent', () => {
  expect(grouped(report('d1', 'p1'), report('d2', 'p2'))).toEqual([['d1 p1'], ['d2 p2']]);
  expect(grouped()).toEqual([]);
});

it('reports that share a dispute or a reference stay together, in their order', () => {
  expect(grouped(report('d1', 'p1'), report('d2', 'p2'), report('d1', 'p3'))).toEqual([['d2 p2'], ['d1 p1', 'd1 p3']]);
  const linking = [report('d1', 'p1'), report('d2', 'p2'), report('d3', 'p2', 'p1'), report('d4', 'p4')];
  expect(grouped(...linking)).toEqual([['d1 p1', 'd2 p2', 'd3 p2,p1'], ['d4 p4']]);
});
