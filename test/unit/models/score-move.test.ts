import { scoreMove } from '../../../shared/domain/models/evaluation/score-move';

it('says how far the same screenings move, and whose decision flips', () => {
  const before = [5, 5, 50, 70, 90];
  const after = [5, 8, 62, 70, 80];
  expect(scoreMove(before, after)).toEqual({
    ...{ rows: 5, flips: 2, stopped_before: 2, stopped_after: 3 },
    ...{ mean_points: 5, usual_points: 12, most_points: 12, beyond_bound: 0.2 },
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
