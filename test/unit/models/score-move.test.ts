import { MOST_POINTS_MOVED, scoreMove } from '../../../shared/domain/models/evaluation/score-move';
import { isComparable, isFirmScale, judgeExpected, judgeMove } from '../../../shared/domain/models/training-rule';

it('says how far the same screenings move, and whose decision flips', () => {
  const before = [5, 5, 50, 70, 90];
  const after = [5, 8, 62, 70, 80];
  expect(scoreMove(before, after)).toEqual({
    ...{ rows: 5, flips: 2, stopped_before: 2, stopped_after: 3 },
    ...{ mean_points: 5, usual_points: 12, most_points: 12, beyond_bound: 0.2, beyond_wide_bound: 0 },
  });
});

it('counts a screening for as many as it stands for', () => {
  const move = scoreMove([5, 5], [6, 65], [97, 3]);
  expect(move).toMatchObject({ rows: 100, flips: 3, stopped_after: 3, usual_points: 1, most_points: 60 });
  expect(move.beyond_bound).toBeCloseTo(0.03);
  expect(move.mean_points).toBeCloseTo((97 + 180) / 100);
});

it('has no opinion of nothing', () => {
  expect(scoreMove([], [])).toMatchObject({
    rows: 0,
    mean_points: 0,
    usual_points: 0,
    most_points: 0,
    beyond_bound: 0,
  });
});

describe('the bound at a promotion', () => {
  const moved = (count: number, points: number) => {
    const before = new Array<number>(100).fill(20);
    return scoreMove(
      before,
      before.map((score, i) => (i < count ? score + points : score)),
    );
  };

  it('lets any number of scores move by as many points as are allowed', () => {
    expect(judgeMove(moved(100, MOST_POINTS_MOVED), 0, true)).toMatchObject({ passed: true });
    expect(judgeMove(moved(100, MOST_POINTS_MOVED + 1), 0, true)).toMatchObject({ passed: false });
  });

  it('lets one screening in twenty move further, and the fraud twice over', () => {
    expect(judgeMove(moved(5, 60), 0, true).passed).toBe(true);
    expect(judgeMove(moved(6, 60), 0, true).passed).toBe(false);
    expect(judgeMove(moved(9, 60), 0.02, true).passed).toBe(true);
    expect(judgeMove(moved(10, 60), 0.02, true)).toMatchObject({
      passed: false,
      checks: [{ name: 'scores stay comparable', wanted: 'at most 9.0% move by more than 10 points' }],
    });
  });

  it('is wider for a champion that is wrong, or young: nobody is stuck with it', () => {
    expect(judgeMove(moved(50, 25), 0, false).passed).toBe(true);
    expect(judgeMove(moved(50, 26), 0, false)).toMatchObject({
      passed: false,
      checks: [{ wanted: 'at most 5.0% move by more than 25 points' }],
    });
    const knew = (fraud: number) => ({ card: { labels: { fraud } } });
    const right = { champion: 100, challenger: 100, actual: 100 };
    expect(isFirmScale(knew(100), knew(140), right)).toBe(true);
    expect(isFirmScale(knew(100), knew(150), right)).toBe(false);
    expect(isFirmScale(knew(100), knew(140), { ...right, champion: 160 })).toBe(false);
    expect(isFirmScale(knew(100), knew(140), { ...right, actual: 0 })).toBe(true);
  });

  it('holds between models that learned from labels: signals have another scale', () => {
    const line = { slope: 1, intercept: 0 };
    expect(isComparable(undefined)).toBe(false);
    expect(isComparable({ calibration: { ...line, role: 'nudge' } })).toBe(false);
    expect(isComparable({ calibration: { ...line, role: 'replace' } })).toBe(true);
  });
});

describe('the fraud that a model expects of the newest weeks', () => {
  it('is at most three times the actual, and at least a third of it', () => {
    expect(judgeExpected({ champion: 100, challenger: 299, actual: 100 }).passed).toBe(true);
    expect(judgeExpected({ champion: 100, challenger: 301, actual: 100 }).passed).toBe(false);
    expect(judgeExpected({ champion: 100, challenger: 33, actual: 100 }).passed).toBe(false);
  });

  it('may be as far off as what the champion expects: in a burst, nobody is right', () => {
    expect(judgeExpected({ champion: 20, challenger: 17, actual: 100 }).passed).toBe(true);
    expect(judgeExpected({ champion: 20, challenger: 15, actual: 100 })).toMatchObject({
      passed: false,
      checks: [{ found: '15.0 expected, 100.0 actual; the champion expected 20.0' }],
    });
    expect(judgeExpected({ champion: 5, challenger: 5, actual: 0 }).passed).toBe(true);
  });
});
