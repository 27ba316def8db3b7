import { drawGraph } from '../../../local/dashboard/draw-graph';

const range = { fromMs: 0, toMs: 600_000, periodMs: 10_000 };
const dotsOf = (points: readonly (number | undefined)[]): number => {
  const series = { label: 'x', color: '#000', axis: 'left' as const, points };
  return drawGraph([series], {}, range, { width: 400, height: 200, label: 'x' }).split('<circle').length - 1;
};
const sixty = (value: (at: number) => number | undefined) => Array.from({ length: 60 }, (_, at) => value(at));

it('draws sparse values as points: a line through them would say that there were values in between', () => {
  expect(dotsOf(sixty((at) => (at % 4 === 0 ? 1 : undefined)))).toBe(15);
});

it('draws a value between two gaps as a point, and the rest as a line', () => {
  expect(dotsOf(sixty((at) => (at === 30 || at === 32 || at === 33 ? undefined : 1)))).toBe(1);
  expect(dotsOf(sixty(() => 1))).toBe(0);
});
