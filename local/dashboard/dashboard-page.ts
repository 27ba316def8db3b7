import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linearScale } from '../../shared/charts/axes';
import { coordinate, gridLine, type Point, polylinePoints } from '../../shared/charts/svg-path';
import type { AlarmStatus } from '../cloudwatch/alarm-states';
import {
  type Dashboard,
  graphSeries,
  type MetricProperties,
  type Series,
  type Widget,
} from '../cloudwatch/graph-series';
import { BUCKET_MS, type MetricStore, type Points, type Range } from '../cloudwatch/metric-store';
import { get, json, type LocalAnswer, type LocalPage } from '../gateway/local-pages';

const PALETTE = ['#3f6fd1', '#e2a336', '#2e9e6b', '#c95fb4', '#2a9db0', '#d64545', '#7b5bd6', '#8a6d3b', '#8b95a5'];
const LIMIT_COLOUR = '#d64545';
const LEGEND_MOST = 10;
const GRAPH = { width: 480, height: 220, axis: 40 };

interface EvaluatedWidget {
  readonly widget: Widget;
  readonly range: Range;
  readonly series: readonly Series[];
  readonly alarms: readonly AlarmStatus[];
  readonly error?: string;
}

const asset = (name: string): string => readFileSync(join(__dirname, name), 'utf8');
const numbers = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3, notation: 'compact' });
const clockTime = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
const hasData = ({ points }: Series): boolean => points.some((point) => point !== undefined);
const lastOf = (points: Points): number => points.findLast((point) => point !== undefined) ?? 0;
const present = (all: readonly Series[]): number[] =>
  all.flatMap(({ points }) => points.filter((point) => point !== undefined));

const LONGEST_GAP = 3;

/** A line ends where values are missing for long: drawn on, it would say that there were values in between. */
function linesThrough(points: Points): [at: number, value: number][][] {
  const lines: [number, number][][] = [];
  for (const [at, value] of points.entries()) {
    if (value === undefined) continue;
    const last = lines.at(-1);
    if (last && at - (last.at(-1)?.[0] ?? at) <= LONGEST_GAP) last.push([at, value]);
    else lines.push([[at, value]]);
  }
  return lines;
}

/** The lines of one axis, each over its gaps, and the limits that are near enough to be drawn to scale. */
function linesOf(series: readonly Series[], limits: readonly number[]): string {
  const { width, height, axis } = GRAPH;
  const values = present(series);
  const most = Math.max(0, ...values);
  const near = limits.filter((limit) => most === 0 || limit <= 4 * most);
  const top = Math.max(most, ...near) || 1;
  const y = linearScale([Math.min(0, ...values), top], [height - 6, 10]);
  const x = linearScale([0, Math.max(1, (series[0]?.points.length ?? 0) - 1)], [axis, width - axis]);
  const drawn = series.map(({ points, color }) => {
    return linesThrough(points)
      .map((line) => line.map(([at, value]): Point => [x(at), y(value)]))
      .map(([first, ...rest]) =>
        first && rest.length === 0
          ? `<circle cx="${coordinate(first[0])}" cy="${coordinate(first[1])}" r="2" fill="${color}"/>`
          : `<polyline class="line" points="${polylinePoints(first ? [first, ...rest] : [])}" stroke="${color}"/>`,
      )
      .join('');
  });
  const side = series[0]?.axis === 'right' ? `x="${width - axis + 4}"` : `x="${axis - 4}" text-anchor="end"`;
  const ticks = [0, top].map(
    (value) => `<text class="axis" ${side} y="${coordinate(y(value) + 3)}">${numbers.format(value)}</text>`,
  );
  const drawnLimits = near.map((limit) =>
    gridLine([axis, width - axis], y(limit)).replace('class="grid"', `class="limit" stroke="${LIMIT_COLOUR}"`),
  );
  return [...ticks, ...drawn, ...drawnLimits].join('');
}

/** The series with the highest values, then the limits; a dozen quiet ones would hide them. */
function legend(series: readonly Series[], { annotations }: MetricProperties): string {
  const ranked = [...series].sort((a, b) => lastOf(b.points) - lastOf(a.points)).slice(0, LEGEND_MOST);
  const rest = series.length - ranked.length;
  const items = [
    ...ranked.map(
      ({ label, color, points }) =>
        `<i style="background:${color}"></i>${escapeText(label)} <b>${numbers.format(lastOf(points))}</b>`,
    ),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...(annotations?.horizontal ?? []).map(
      ({ label = 'limit', value }) =>
        `<i style="background:${LIMIT_COLOUR}"></i>${escapeText(label)} <b>${numbers.format(value)}</b>`,
    ),
  ];
  return `<ul class="legend">${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

function metricBody({ series: all, error }: EvaluatedWidget, properties: MetricProperties): string {
  if (error) return `<p class="empty">Cannot be drawn: ${escapeText(error)}</p>`;
  const series = all
    .map((each, at) => ({ ...each, color: each.color ?? PALETTE[at % PALETTE.length] ?? '' }))
    .filter(hasData);
  const [first] = series;
  if (!first) return '<p class="empty">No data yet.</p>';
  if (properties.view === 'singleValue') return `<p class="single-value">${numbers.format(lastOf(first.points))}</p>`;
  if (properties.view === 'bar') return legend(series, properties);
  const [left, right] = (['left', 'right'] as const).map((axis) => series.filter((each) => each.axis === axis));
  const limits = (properties.annotations?.horizontal ?? []).map(({ value }) => value);
  const heard = series.map(({ label, points }) => `${label} ${numbers.format(lastOf(points))}`).join(', ');
  const lines = `${linesOf(left ?? [], limits)}${right?.length ? linesOf(right, []) : ''}`;
  return `<svg class="graph" viewBox="0 0 ${GRAPH.width} ${GRAPH.height}" role="img" aria-label="${escapeText(`${properties.title}: ${heard}`)}">${lines}</svg>${legend(series, properties)}`;
}

/** The target of an alarm's link: your own runbook at its address, ours in the documentation that the local run serves. */
export function runbookLink(description: string): string {
  const [, page = '', section = ''] = /Runbook: (\S+)#([\w-]+)$/.exec(description) ?? [];
  return /^https?:/.test(page) ? `${page}#${section}` : `docs/runbook.html#${section}`;
}

const STATES = { ALARM: 'in alarm', OK: 'ok', INSUFFICIENT_DATA: 'no data yet' } as const;

const alarmList = (alarms: readonly AlarmStatus[]): string =>
  Object.entries(STATES)
    .flatMap(([state, word]) =>
      alarms
        .filter((alarm) => alarm.state === state)
        .map(({ name, description }) => {
          const shown = escapeText(name.replace(/^fraud-screening-[a-z]+-/, ''));
          return `<li class="${state.toLowerCase()}"><a href="${escapeText(runbookLink(description))}" title="${escapeText(description)}"><i></i>${shown} <small>${word}</small></a></li>`;
        }),
    )
    .join('');

/** One widget as HTML, at its position in the grid. Text widgets are headings and notices. */
function drawWidget(evaluated: EvaluatedWidget): string {
  const { widget, series, alarms } = evaluated;
  const area = `style="grid-column:${widget.x + 1}/span ${widget.width};grid-row:${widget.y + 1}/span ${widget.height}"`;
  if (widget.type === 'text') {
    const heading = escapeText(widget.properties.markdown.replace(/^#+ */, ''));
    return `<h2 ${area}>${heading.replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')}</h2>`;
  }
  const [count, body] =
    widget.type === 'alarm'
      ? [alarms.length, `<ul class="alarms">${alarmList(alarms)}</ul>`]
      : [series.filter(hasData).length, metricBody(evaluated, widget.properties)];
  const title = escapeText(widget.properties.title ?? '');
  return `<section class="widget" data-widget="${widget.type}" data-series="${count}" ${area}><h3 title="${title}">${title}</h3>${body}</section>`;
}

const MINUTE_MS = 60_000;

/** How far back the page looks, and at what resolution: CloudWatch's periods of a minute would show a short run as one dot. */
const RANGES: Readonly<Record<string, { readonly ms: number; readonly periodMs: number; readonly name: string }>> = {
  '5m': { ms: 5 * MINUTE_MS, periodMs: BUCKET_MS, name: '5 minutes' },
  '15m': { ms: 15 * MINUTE_MS, periodMs: 2 * BUCKET_MS, name: '15 minutes' },
  '1h': { ms: 60 * MINUTE_MS, periodMs: 6 * BUCKET_MS, name: 'an hour' },
  '3h': { ms: 180 * MINUTE_MS, periodMs: MINUTE_MS, name: '3 hours' },
};
const DEFAULT_RANGE = '15m';

export interface DashboardPageDeps {
  readonly dashboards: readonly Dashboard[];
  readonly store: MetricStore;
  readonly alarms: (nowMs: number) => readonly AlarmStatus[];
  readonly now: () => number;
}

function rangeEnding(nowMs: number, { ms, periodMs }: { readonly ms: number; readonly periodMs: number }): Range {
  const toMs = Math.ceil(nowMs / periodMs) * periodMs;
  return { fromMs: toMs - ms, toMs, periodMs };
}

/** A single value or a bar over the whole time is one period; a value with a sparkline has many. */
const rangeOf = (widget: Widget, range: Range): Range =>
  widget.type === 'metric' && widget.properties.setPeriodToTimeRange
    ? { ...range, periodMs: range.toMs - range.fromMs }
    : range;

function evaluate(
  { store }: DashboardPageDeps,
  widget: Widget,
  whole: Range,
  states: readonly AlarmStatus[],
): EvaluatedWidget {
  const range = rangeOf(widget, whole);
  const empty = { widget, range, series: [] as readonly Series[], alarms: [] as readonly AlarmStatus[] };
  if (widget.type === 'alarm') {
    return { ...empty, alarms: states.filter(({ arn }) => widget.properties.alarms.includes(arn)) };
  }
  if (widget.type === 'text') return empty;
  try {
    return { ...empty, series: graphSeries(store, widget.properties, range) };
  } catch (error) {
    return { ...empty, error: (error as Error).message };
  }
}

function page(dashboard: Dashboard, widgets: readonly EvaluatedWidget[], chosen: string, nowMs: number): string {
  const links = Object.entries(RANGES).map(
    ([id, { name }]) => `<a href="?range=${id}"${id === chosen ? ' aria-current="page"' : ''}>${name}</a>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeText(dashboard.name)}</title><link rel="icon" href="data:,"><style>${asset('page.css')}</style></head><body><header><h1>${escapeText(dashboard.name)}</h1><small>as the template defines it, with the metrics of this run · ${clockTime(nowMs)} UTC</small><nav aria-label="Time shown">${links.join('')}</nav></header><main>${widgets.map(drawWidget).join('')}</main><script>${asset('page.js')}</script></body></html>`;
}

/** `/_local/dashboard` draws the dashboard of the template; `/_local/dashboard.json` has its data. */
export function dashboardPages(deps: DashboardPageDeps): readonly LocalPage[] {
  const [dashboard] = deps.dashboards;
  const none = (): LocalAnswer => json({ message: 'The template has no dashboard.' }, 404);
  const evaluated = (chosen: string): readonly EvaluatedWidget[] => {
    const nowMs = deps.now();
    const range = rangeEnding(nowMs, RANGES[chosen] ?? { ms: 0, periodMs: BUCKET_MS });
    const states = deps.alarms(nowMs);
    return dashboard?.widgets.map((widget) => evaluate(deps, widget, range, states)) ?? [];
  };
  const chosenIn = (query: URLSearchParams): string => {
    const wanted = query.get('range') ?? DEFAULT_RANGE;
    return wanted in RANGES ? wanted : DEFAULT_RANGE;
  };
  return [
    get(/^dashboard$/, (_groups, query) => {
      if (!dashboard) return none();
      const chosen = chosenIn(query);
      const body = page(dashboard, evaluated(chosen), chosen, deps.now());
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        // The page loads nothing from anywhere else, no matter what a label contains.
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:",
      };
      return { status: 200, headers, body };
    }),
    get(/^dashboard\.json$/, (_groups, query) => (dashboard ? json(evaluated(chosenIn(query))) : none())),
    get(/^alarms$/, () => json(deps.alarms(deps.now()))),
  ];
}
