import fc from 'fast-check';
import { asPercent, evenSteps, linearScale, roundSteps, roundUpTo } from '../../../shared/charts/axes';
import { gridLine, polylinePoints, stackValues } from '../../../shared/charts/svg-path';

const finite = fc.integer({ min: -1_000_000, max: 1_000_000 });

describe('a scale', () => {
  it('maps the ends to the ends, also backwards', () => {
    const y = linearScale([10, 20], [200, 100]);
    expect([10, 15, 20, 25].map(y)).toEqual([200, 150, 100, 50]);
  });

  it('keeps the order of values', () => {
    fc.assert(
      fc.property(finite, finite, finite, finite, (low, width, a, b) => {
        const x = linearScale([low, low + Math.abs(width) + 1], [0, 300]);
        expect(Math.sign(x(a) - x(b))).toBe(Math.sign(a - b));
      }),
    );
  });

  it('puts a value that is alone at the start', () => expect(linearScale([7, 7], [40, 300])(7)).toBe(40));
});

describe('the steps of an axis', () => {
  it.each([
    [0, 1, [0, 0.25, 0.5, 0.75, 1]],
    [0, 87, [0, 25, 50, 75]],
    [0, 0.3, [0, 0.1, 0.2, 0.3]],
    [-50, 50, [-50, -25, 0, 25, 50]],
    [13, 42, [20, 30, 40]],
    [5, 5, [5]],
  ])('from %d to %d are round', (min, max, steps) => expect(roundSteps(min, max)).toEqual(steps));

  it('lie within the axis, equally far apart, neither too many nor too few', () => {
    fc.assert(
      fc.property(finite, fc.integer({ min: 1, max: 1_000_000 }), (min, span) => {
        const steps = roundSteps(min, min + span);
        const [first = Number.NaN, second = Number.NaN] = steps;
        expect(first).toBeGreaterThanOrEqual(min);
        expect(steps.at(-1)).toBeLessThanOrEqual(min + span);
        steps.forEach((step, at) => {
          expect(step).toBeCloseTo(first + at * (at === 0 ? 0 : second - first), 6);
        });
        expect(steps.length).toBeGreaterThanOrEqual(2);
        expect(steps.length).toBeLessThanOrEqual(5);
      }),
    );
  });

  it('divide a span into equal parts', () => {
    expect(evenSteps(0, 1, 4)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(evenSteps(0, 100, 5)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(evenSteps(60, 0, 2)).toEqual([60, 30, 0]);
  });
});

it('rounds up to the smallest number that is round and allowed', () => {
  const factors = [1, 2, 5];
  expect([1, 1.5, 3, 0.03, 400, 600].map((value) => roundUpTo(factors, value))).toEqual([1, 2, 5, 0.05, 500, 1000]);
  expect(roundUpTo(factors, 3, (round) => round % 2 === 0)).toBe(10);
});

describe('places', () => {
  const upper = [
    [0, 5.04],
    [10, 1],
  ] as const;

  it('become lines', () => {
    expect(polylinePoints(upper)).toBe('0.0,5.0 10.0,1.0');
    expect(gridLine([42, 390], 17)).toBe('<line class="grid" x1="42" x2="390" y1="17.0" y2="17.0"/>');
  });

  it('that do not exist draw nothing', () => {
    expect(polylinePoints([])).toBe('');
  });
});

it('stacks values without a gap', () => {
  expect(stackValues([3, 0, 2])).toEqual([
    { from: 0, to: 3 },
    { from: 3, to: 3 },
    { from: 3, to: 5 },
  ]);
  expect(stackValues([])).toEqual([]);
});

it('writes a share as a length', () => expect([0, 0.25, 1].map(asPercent)).toEqual(['0%', '25%', '100%']));
