import type { Series } from '../cloudwatch/graph-series';
import type { Points } from '../cloudwatch/metric-store';

/** A series with the colour it is drawn in. */
export interface DrawnSeries extends Series {
  readonly color: string;
}

/** For series that the definition gives no colour; neighbours differ in hue and lightness. */
const PALETTE = [
  '#3f6fd1',
  '#e2a336',
  '#2e9e6b',
  '#c95fb4',
  '#2a9db0',
  '#d64545',
  '#7b5bd6',
  '#8a6d3b',
  '#6fa8dc',
  '#b5c453',
  '#e08336',
  '#8b95a5',
];

export const hasData = ({ points }: { readonly points: Points }): boolean =>
  points.some((point) => point !== undefined);

/** Series that have something to show, each with its colour. */
export const drawnSeries = (series: readonly Series[]): readonly DrawnSeries[] =>
  series
    .map((each, at) => ({ ...each, color: each.color ?? PALETTE[at % PALETTE.length] ?? '' }))
    .filter((each) => hasData(each));

export const lastOf = (points: Points): number | undefined => points.findLast((point) => point !== undefined);
