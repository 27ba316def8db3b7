import { replayPicture } from '../../../../training/replay/replay-picture';
import type { SplitReport } from '../../../../training/replay/replay-report';

const week = (day: string, honest_blocked: number) => ({
  ...{ week: day, honest: 100, honest_blocked, honest_reviewed: 2 * honest_blocked, fraud_blocked: 5 },
});
const period = (version: string, expected: number, fraud: number) => ({ version, lines: 500, expected, fraud });
const split = (given: Pick<SplitReport, 'weeks' | 'models'>) => given as SplitReport;
const splits = [
  split({ weeks: [week('2026-01-05', 0), week('2026-01-12', 3)], models: [period('model-a', 10, 10)] }),
  split({
    weeks: [week('2026-01-12', 1), week('2026-01-19', 0)],
    models: [period('model-a', 5, 20), period('<model & "b">', 12, 0)],
  }),
];
const move = {
  ...{ rows: 1000, flips: 2, stopped_before: 8, stopped_after: 10 },
  ...{ mean_points: 3.2, usual_points: 7, most_points: 44, beyond_bound: 0.02, beyond_wide_bound: 0 },
};

describe('the picture of a replay', () => {
  const picture = replayPicture(splits, [{ at: '2026-01-13', version: 'model-a', move }]);

  it('shows each model once, with what it expected of all splits', () => {
    expect(picture.match(/>model-a</g)).toHaveLength(2);
    // 15 expected, 30 actual.
    expect(picture).toContain('>0.50<');
    expect(picture).toContain('>no fraud<');
  });

  it('shows every week once, and how far scores moved', () => {
    const points = [...picture.matchAll(/<polyline class="line blocked" points="([^"]*)"/g)].map(([, list]) => list);
    expect(points).toHaveLength(1);
    expect(points[0]?.split(' ')).toHaveLength(3);
    expect(picture).toContain('2026-01-13');
    expect(picture).toContain('2 of 1000');
  });

  it('is drawn within its frame, without anything that is not a number, and escapes names', () => {
    expect(picture).not.toMatch(/NaN|undefined|Infinity/);
    expect(picture).toContain('&lt;model &amp; &quot;b&quot;&gt;');
    const [, width] = /viewBox="0 0 (\d+) \d+"/.exec(picture) ?? [];
    for (const [, x, wide] of picture.matchAll(/<rect[^>]* x="([\d.]+)"[^>]* width="([\d.]+)"/g)) {
      expect(Number(x) + Number(wide)).toBeLessThanOrEqual(Number(width));
    }
  });

  it('leaves out what there is none of', () => {
    const alone = replayPicture([split({ weeks: [week('2026-01-05', 0)], models: [period('base', 1, 1)] })], []);
    expect(alone).toContain('Expected and actual fraud');
    expect(alone).not.toContain('polyline');
    expect(alone).not.toContain('each change of model<');
  });
});
