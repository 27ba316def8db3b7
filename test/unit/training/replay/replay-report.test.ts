import type { ReplayedLine } from '../../../../training/replay/replay';
import { reportBuilder, reportText } from '../../../../training/replay/replay-report';
import { worstWeeks } from '../../../../training/replay/week-report';

const line = (risk_score: number, label: 0 | 1 | null, over: Partial<ReplayedLine> = {}): ReplayedLine => ({
  i: 0,
  at_ms: Date.parse('2026-01-01'),
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

  it('tells the worst week, and what each model expected', () => {
    const report = reportBuilder();
    for (let n = 0; n < 400; n++) {
      const isSecondWeek = n >= 200;
      const at_ms = Date.parse(isSecondWeek ? '2026-01-14' : '2026-01-07');
      const model_version = isSecondWeek ? 'm2' : 'm1';
      const score = n % 100 === 0 ? 90 : isSecondWeek && n % 20 === 1 ? 70 : 1;
      report.add(line(score, n === 0 || n === 200 ? 1 : 0, { at_ms, model_version }), `u${n}`);
    }
    const [split] = report.finish();
    expect(split?.weeks.map(({ week, honest, honest_blocked }) => [week, honest, honest_blocked])).toEqual([
      ['2026-01-05', 199, 1],
      ['2026-01-12', 199, 1],
    ]);
    expect(worstWeeks(split?.weeks ?? [])).toEqual({
      honest_blocked: { week: '2026-01-05', share: 1 / 199 },
      honest_reviewed: { week: '2026-01-12', share: 10 / 199 },
      block_precision: { week: '2026-01-05', share: 0.5 },
    });
    expect(split?.models.map(({ version, lines, fraud }) => [version, lines, fraud])).toEqual([
      ['m1', 200, 1],
      ['m2', 200, 1],
    ]);
    expect(split?.models[0]?.expected).toBeCloseTo(2 * 0.9 + 198 * 0.01, 9);
    expect(reportText(split ? [split] : [])).toMatch(/honest reviewed +5.03% +2026-01-12/);
  });

  it('counts of the 100 users that score highest on a day those with fraud, each found once', () => {
    const report = reportBuilder();
    for (const day of ['2026-01-01', '2026-01-02']) {
      for (let user = 0; user < 150; user++) {
        const at_ms = Date.parse(`${day}T10:00:00Z`);
        // The same ten are fraudsters on both days: on the second they are known.
        report.add(line(user < 10 ? 95 : 50 - user / 10, user < 10 ? 1 : 0, { at_ms }), `u${user}`);
        report.add(line(1, 0, { at_ms }), `u${user}`);
      }
    }
    expect(report.finish()[0]?.card_precision_at_100).toBeCloseTo(0.05, 9);
  });
});
