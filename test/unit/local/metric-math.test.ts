import { evaluateMath } from '../../../local/cloudwatch/metric-math';
import type { Points } from '../../../local/cloudwatch/metric-store';

const SERIES: Readonly<Record<string, Points>> = {
  a: [1, 2, undefined, 4],
  b: [10, undefined, 30, 0],
  d1: [1, 1, undefined, 1],
  d2: [2, undefined, undefined, 2],
};
const evaluate = (text: string) =>
  evaluateMath(text, {
    series: (id) => {
      const found = SERIES[id];
      if (!found) throw new Error(`no ${id}`);
      return found;
    },
    metrics: (containing) => Object.keys(SERIES).flatMap((id) => (id.includes(containing) ? [SERIES[id] ?? []] : [])),
    periodMs: 60_000,
    length: 4,
  });
const none = undefined;

describe('metric math', () => {
  it.each<[string, unknown]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3 ^ 2', 27],
    ['-2 + 3', 1],
    ['10 - 2 - 3', 5],
    ['1.5e-3 * 2', 0.003],
    ['1 < 2 AND 2 <= 2 OR 0', 1],
    ['1 == 2 || 3 != 3', 0],
    ['a + b', [11, none, none, 4]],
    ['100 * a / b', [10, none, none, none]],
    ['FILL(a, 0)', [1, 2, 0, 4]],
    ['FILL(a, 0) + FILL(b, 5)', [11, 7, 30, 4]],
    ['IF(b >= 10, a, 0)', [1, none, none, 0]],
    ['IF(a > 1, 1, 0)', [0, 1, none, 1]],
    ['SUM(a)', 7],
    ['MAX(b)', 30],
    ['SUM([a, b])', [11, 2, 30, 4]],
    ['SUM(METRICS("d"))', [3, 1, none, 3]],
    ['SUM(METRICS())', [14, 3, 30, 7]],
    ['AVG([a, b])', [5.5, 2, 30, 2]],
    ['a / PERIOD(a)', [1 / 60, 2 / 60, none, 4 / 60]],
    ['LOG(1)', 0],
    ['ABS(a - b)', [9, none, none, 4]],
  ])('%s', (text, expected) => {
    expect(evaluate(text)).toEqual(expected);
  });

  it('applies an operator to each of several series', () => {
    expect(evaluate('METRICS("d") * 2')).toEqual({
      list: [
        [2, 2, none, 2],
        [4, none, none, 4],
      ],
    });
  });

  it.each(['a +', '(a', 'a b', 'FORECAST(a)', 'x', '"a" + 1', 'IF(a)', '#'])('refuses %s, aloud', (text) => {
    expect(() => evaluate(text)).toThrow();
  });
});
