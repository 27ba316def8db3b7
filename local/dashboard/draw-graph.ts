import { evenSteps, linearScale, roundSteps } from '../../shared/charts/axes';
import { areaPath, coordinate, gridLine, linePath, type Place, stackValues } from '../../shared/charts/svg-path';
import type { Annotation, AxisOptions, MetricProperties, Series } from '../cloudwatch/graph-series';
import type { Points, Range } from '../cloudwatch/metric-store';

/** A number in short form: three digits, thousands as k, no needless decimals. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${trim(value / 1e6, 3)} M`;
  if (size >= 10_000) return `${trim(value / 1e3, 3)} k`;
  if (size >= 1_000) return Math.round(value).toLocaleString('en-US');
  if (size >= 100) return trim(value, 4);
  if (size >= 1) return trim(value, 3);
  return size === 0 ? '0' : trim(value, 2);
}

const trim = (value: number, digits: number): string => {
  const text = value.toPrecision(digits);
  return text.includes('e') ? Number(text).toExponential() : String(Number(text));
};

/** `14:05`, and with seconds where minutes do not tell points apart; UTC, as CloudWatch's default. */
export const clockTime = (ms: number, withSeconds = false): string =>
  new Date(ms).toISOString().slice(11, withSeconds ? 19 : 16);

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for HTML and SVG. */
export const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

export interface Size {
  readonly width: number;
  readonly height: number;
  /** What it shows, for screen readers. */
  readonly label: string;
}

interface Scale {
  readonly ticks: readonly number[];
  y(value: number): number;
  /** Whether a value lies on it. */
  holds(value: number): boolean;
}

const MARGIN = { top: 8, right: 10, bottom: 20, left: 42 };
const RIGHT_AXIS = 40;
const LIMIT_COLOUR = '#d64545';

/** Where on the page an axis begins and ends. */
interface AxisSpan {
  readonly bottom: number;
  readonly top: number;
}

/** From the lowest value that matters to the highest, limits included if they are not far away. */
function scaleOf(values: readonly number[], axis: AxisOptions, limits: readonly number[], span: AxisSpan): Scale {
  const highest = Math.max(0, ...values);
  const near = limits.filter((limit) => highest === 0 || limit <= 4 * highest);
  const min = axis.min ?? Math.min(0, ...values);
  const top = axis.max ?? (Math.max(highest, ...near) * 1.08 || 1);
  const low = Math.min(min, ...(axis.max === undefined ? [] : values));
  const y = linearScale([low, top], [span.bottom, span.top]);
  return {
    ticks: roundSteps(low, Math.max(top, low + 1e-9)),
    y: (value) => y(Math.min(value, top)),
    holds: (value) => value >= low && value <= top,
  };
}

/** Few values, far apart: a line through them would say that there were values in between. */
function isSparse(points: Points): boolean {
  const present = points.filter((point) => point !== undefined).length;
  return present < points.length / 3;
}

/** Lines continue over gaps, as CloudWatch draws them; sparse series have dots only. */
const lineOver = (points: Points, x: (at: number) => number, y: (value: number) => number): string =>
  isSparse(points)
    ? ''
    : linePath(points.flatMap((point, at): Place[] => (point === undefined ? [] : [[x(at), y(point)]])));

/** Sparse series are drawn as dots; in others, a value between two gaps is a dot, because a line would not show it. */
function dots(series: DrawnSeries, x: (at: number) => number, y: (value: number) => number): string {
  const { points } = series;
  const present = points.filter((point) => point !== undefined).length;
  const hasDots = present <= 12 || isSparse(points);
  const standsAlone = (at: number): boolean => points[at - 1] === undefined && points[at + 1] === undefined;
  return points
    .flatMap((point, at) =>
      point === undefined || !(hasDots || standsAlone(at))
        ? []
        : [`<circle cx="${coordinate(x(at))}" cy="${coordinate(y(point))}" r="2.2" fill="${series.color}"/>`],
    )
    .join('');
}

/** Each series on top of those before it; a gap in all of them is a gap. */
function stack(series: readonly DrawnSeries[]): ReadonlyArray<{ readonly low: number[]; readonly high: Points }> {
  const length = series[0]?.points.length ?? 0;
  const isGap = Array.from({ length }, (_, at) => series.every(({ points }) => points[at] === undefined));
  const columns = isGap.map((_, at) => stackValues(series.map(({ points }) => points[at] ?? 0)));
  return series.map((_, number) => ({
    low: columns.map((column) => column[number]?.from ?? 0),
    high: columns.map((column, at) => (isGap[at] ? undefined : column[number]?.to)),
  }));
}

function areaOver(
  { low, high }: { readonly low: readonly number[]; readonly high: Points },
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  const at = high.flatMap((value, index) => (value === undefined ? [] : [index]));
  // A single point has no width: it is drawn half a step wide on both sides.
  const half = at.length === 1 ? (x(1) - x(0)) / 2 : 0;
  return areaPath(
    at.map((index) => [x(index) - half, y(high[index] ?? 0)]),
    at.map((index) => [x(index) + half, y(low[index] ?? 0)]),
  );
}

function annotation({ value, label = '', color }: Annotation, scale: Scale, left: number, right: number): string {
  const y = coordinate(scale.y(value));
  const drawn = color ?? LIMIT_COLOUR;
  return `<line class="limit" x1="${left}" x2="${right}" y1="${y}" y2="${y}" stroke="${drawn}"/><text class="limit-label" x="${right - 2}" y="${Number(y) - 3}" fill="${drawn}">${escapeText(label)}</text>`;
}

/** A limit too high to draw to scale without flattening everything else: shown as text, with an arrow. */
const farAnnotation = ({ value, label = '', color }: Annotation, right: number, y: number): string =>
  `<text class="limit-label far" x="${right - 2}" y="${y}" fill="${color ?? LIMIT_COLOUR}">↑ ${escapeText(label)} (${shortNumber(value)})</text>`;

function timeAxis({ fromMs, toMs }: Range, width: number, x: (ms: number) => number, y: number): string {
  const steps = Math.max(2, Math.floor(width / 110));
  return evenSteps(fromMs, toMs, steps)
    .map((ms, step) => {
      const anchor = step === 0 ? 'start' : step === steps ? 'end' : 'middle';
      return `<text class="axis" x="${coordinate(x(ms))}" y="${y}" text-anchor="${anchor}">${clockTime(ms)}</text>`;
    })
    .join('');
}

/** A graph over time as SVG: grid, series, limits, axes. */
export function drawGraph(
  series: readonly DrawnSeries[],
  properties: MetricProperties,
  range: Range,
  size: Size,
): string {
  const { width, height, label } = size;
  const onRight = series.filter(({ axis }) => axis === 'right');
  const onLeft = series.filter(({ axis }) => axis === 'left');
  const left = MARGIN.left;
  const right = width - (onRight.length > 0 ? RIGHT_AXIS : MARGIN.right);
  const [top, bottom] = [MARGIN.top, height - MARGIN.bottom];
  const length = Math.max(1, ...series.map(({ points }) => points.length));
  const time = linearScale([range.fromMs, range.toMs], [left, right]);
  const x = (at: number): number => time(range.fromMs + (at + 0.5) * range.periodMs);

  const stacked = properties.stacked ? stack(onLeft) : undefined;
  const valuesOf = (all: readonly Points[]): number[] =>
    all.flat().filter((value): value is number => value !== undefined);
  const limits = properties.annotations?.horizontal ?? [];
  const leftValues = valuesOf(stacked ? stacked.map(({ high }) => high) : onLeft.map(({ points }) => points));
  const leftScale = scaleOf(
    leftValues,
    properties.yAxis?.left ?? {},
    limits.map(({ value }) => value),
    { bottom, top },
  );
  const rightScale = scaleOf(valuesOf(onRight.map(({ points }) => points)), properties.yAxis?.right ?? {}, [], {
    bottom,
    top,
  });

  const grid = leftScale.ticks
    .map((tick) => {
      const y = leftScale.y(tick);
      return `${gridLine([left, right], y)}<text class="axis" x="${left - 5}" y="${Number(coordinate(y)) + 3.5}" text-anchor="end">${shortNumber(tick)}</text>`;
    })
    .join('');
  const rightAxis =
    onRight.length === 0
      ? ''
      : rightScale.ticks
          .map(
            (tick) =>
              `<text class="axis right" x="${right + 5}" y="${coordinate(rightScale.y(tick) + 3.5)}">${shortNumber(tick)}</text>`,
          )
          .join('');
  const areas = (stacked ?? [])
    .map((band, at) => `<path class="area" d="${areaOver(band, x, leftScale.y)}" fill="${onLeft[at]?.color}"/>`)
    .join('');
  const line = (each: DrawnSeries, { y }: Scale, extra: string): string =>
    `<path class="line${extra}" d="${lineOver(each.points, x, y)}" stroke="${each.color}"/>${dots(each, x, y)}`;
  const lines = [
    ...(stacked ? [] : onLeft.map((each) => line(each, leftScale, ''))),
    ...onRight.map((each) => line(each, rightScale, ' on-right')),
  ].join('');
  const [inSight, beyond] = [true, false].map((wanted) =>
    limits.filter(({ value }) => leftScale.holds(value) === wanted),
  );
  const drawnLimits = [
    ...(inSight ?? []).map((each) => annotation(each, leftScale, left, right)),
    ...(beyond ?? []).map((each, at) => farAnnotation(each, right, top + 12 + at * 13)),
  ].join('');
  return `<svg class="graph" viewBox="0 0 ${width} ${height}" data-left="${left}" data-right="${right}" data-count="${length}" role="img" aria-label="${escapeText(label)}">${grid}${rightAxis}${timeAxis(range, right - left, time, height - 4)}${areas}${lines}${drawnLimits}<line class="cursor" y1="${top}" y2="${bottom}"/></svg>`;
}

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
