import type { ReplayedLine } from '../../../../training/replay/replay';
import { reportBuilder, reportText } from '../../../../training/replay/replay-report';

const line = (risk_score: number, label: 0 | 1 | null, over: Partial<ReplayedLine> = {}): ReplayedLine => ({
  i: 0,
  t: '2026-01-01T00:00:00.000Z',
  kind: 'transaction',
  split: 'test',
  label,
  risk_score,
  probability: risk_score / 100,
  decision: risk_score >= 85 ? 'block' : risk_score >= 60 ? 'review' : 'allow',
  signals: [],
  model_version: 'm',
  ...over,
});

describe('the report of a replay', () => {
  it('judges each split by itself, and neither `other` nor what has no label', () => {
    const report = reportBuilder();
    for (const [score, label] of [
      [90, 1],
      [70, 0],
      [65, 1],
      [10, 0],
      [5, 0],
    ] as const)
      report.add(line(score, label), `u${score}`);
    report.add(line(99, 0, { split: 'other' }), 'x');
    report.add(line(99, null), 'y');
    report.add(line(50, 1, { split: 'train' }), 'z');
    const splits = report.finish();
    expect(splits.map(({ split, metrics }) => [split, metrics.rows, metrics.fraud])).toEqual([
      ['test', 5, 2],
      ['train', 1, 1],
    ]);
    const [test] = splits;
    expect(test?.metrics.auc).toBeCloseTo(5 / 6, 9);
    expect(test?.metrics.average_precision).toBeCloseTo((1 + 2 / 3) / 2, 9);
    expect(test?.decisions).toEqual([
      { decision: 'allow', fraud: 0, legitimate: 2 },
      { decision: 'review', fraud: 1, legitimate: 1 },
      { decision: 'block', fraud: 1, legitimate: 0 },
    ]);
    const band = test?.metrics.calibration.find(({ from }) => from === 60);
    expect(band).toEqual({ from: 60, to: 70, rows: 1, fraud: 1, predicted: 0.65, observed: 1 });
    expect(reportText(splits)).toContain('Split test: 5 lines, 2 fraud (40.0%)');
  });

  it('counts of the 100 users that score highest on a day those with fraud, each found once', () => {
    const report = reportBuilder();
    for (const day of ['2026-01-01', '2026-01-02']) {
      for (let user = 0; user < 150; user++) {
        const t = `${day}T10:00:00.000Z`;
        // The same ten are fraudsters on both days: on the second they are known.
        report.add(line(user < 10 ? 95 : 50 - user / 10, user < 10 ? 1 : 0, { t }), `u${user}`);
        report.add(line(1, 0, { t }), `u${user}`);
      }
    }
    expect(report.finish()[0]?.card_precision_at_100).toBeCloseTo(0.05, 9);
  });
});
