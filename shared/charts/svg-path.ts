export type Point = readonly [x: number, y: number];

/** A tenth of a unit is finer than the eye can see, and keeps pages small. */
export const coordinate = (value: number): string => value.toFixed(1);

const pair = ([x, y]: Point): string => `${coordinate(x)},${coordinate(y)}`;

export const polylinePoints = (points: readonly Point[]): string => points.map(pair).join(' ');

export const gridLine = ([left, right]: readonly [number, number], y: number): string =>
  `<line class="grid" x1="${left}" x2="${right}" y1="${coordinate(y)}" y2="${coordinate(y)}"/>`;

export interface Stacked {
  readonly from: number;
  readonly to: number;
}

export function stackValues(values: readonly number[]): readonly Stacked[] {
  let sum = 0;
  return values.map((value) => {
    const from = sum;
    sum += value;
    return { from, to: sum };
  });
}
