import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linearScale } from '../../shared/charts/axes';
import { areaPath, coordinate, linePath, type Place } from '../../shared/charts/svg-path';
import type { AlarmStatus } from '../cloudwatch/alarm-states';
import { type Dashboard, graphSeries, type Series, type Widget } from '../cloudwatch/graph-series';
import { BUCKET_MS, type MetricStore, type Range } from '../cloudwatch/metric-store';
import { json, type LocalAnswer, type LocalPage } from '../gateway/local-pages';
import {
  clockTime,
  type DrawnSeries,
  drawGraph,
  drawnSeries,
  escapeText,
  hasData,
  lastOf,
  type Size,
  shortNumber,
} from './draw-graph';

// The grid of page.css on a wide screen: 24 columns and rows of 42 px, gaps of 10, and the padding of a widget.
const COLUMN_PX = 61;
const ROW_PX = 52;
const GAP_PX = 10;
const PADDING = { x: 28, y: 18 };
const LEGEND_MOST = 10;
const TITLE_PX = 24;
const LEGEND_PX = 17;
const SPARK_PX = 30;

/** A widget with its data. */
export interface EvaluatedWidget {
  readonly widget: Widget;
  readonly range: Range;
  readonly series: readonly Series[];
  readonly alarms: readonly AlarmStatus[];
  /** Why it cannot be drawn. */
  readonly error?: string;
}

const gridArea = ({ x, y, width, height }: Widget): string =>
  `style="grid-column:${x + 1}/span ${width};grid-row:${y + 1}/span ${height}"`;

/** The series with the highest values; a dozen quiet ones would hide them. */
function legend(series: readonly DrawnSeries[]): string {
  const ranked = [...series].sort((a, b) => (lastOf(b.points) ?? 0) - (lastOf(a.points) ?? 0));
  const shown = series.length <= LEGEND_MOST ? series : ranked.slice(0, LEGEND_MOST);
  const items = shown.map(
    ({ label, color, points, axis }) =>
      `<li><i style="background:${color}"></i>${escapeText(label)}${axis === 'right' ? ' →' : ''} <b>${shortNumber(lastOf(points) ?? 0)}</b></li>`,
  );
  const rest = series.length - shown.length;
  return `<ul class="legend">${items.join('')}${rest > 0 ? `<li>and ${rest} more</li>` : ''}</ul>`;
}

function bars(series: readonly DrawnSeries[], { width, label }: Size): string {
  const ranked = series
    .map((each) => ({ label: each.label, value: lastOf(each.points) ?? 0 }))
    .sort((a, b) => b.value - a.value);
  const most = Math.max(1, ...ranked.map(({ value }) => value));
  const step = 17;
  const labelPx = 190;
  const lengthOf = linearScale([0, most], [0, width - labelPx - 60]);
  const rows = ranked.map(({ label, value }, at) => {
    const length = Math.max(1, lengthOf(value));
    return `<text class="bar-label" x="${labelPx - 8}" y="${at * step + 12}" text-anchor="end">${escapeText(label)}</text><rect class="bar" x="${labelPx}" y="${at * step + 2}" width="${coordinate(length)}" height="12" rx="2"/><text class="axis" x="${coordinate(labelPx + length + 6)}" y="${at * step + 12}">${shortNumber(value)}</text>`;
  });
  return `<svg class="bars" viewBox="0 0 ${width} ${Math.max(1, ranked.length) * step + 4}" role="img" aria-label="${escapeText(label)}">${rows.join('')}</svg>`;
}

function singleValue([first]: readonly DrawnSeries[], { width, label }: Size): string {
  const height = SPARK_PX;
  if (!first) return '';
  const values = first.points.map((point) => point ?? 0);
  const x = linearScale([0, values.length - 1], [0, width]);
  const y = linearScale([Math.min(...values), Math.max(...values)], [height - 2, 4]);
  const line = values.map((value, at): Place => [x(at), y(value)]);
  const floor: readonly Place[] = [
    [0, height],
    [width, height],
  ];
  return `<p class="single-value">${shortNumber(lastOf(first.points) ?? 0)}</p><svg class="spark" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${escapeText(label)}"><path class="area" d="${areaPath(line, floor)}" fill="${first.color}"/><path class="line" d="${linePath(line)}" stroke="${first.color}"/></svg>`;
}

/** Where an alarm's description links to: your own runbook at its address, ours in the documentation that the local run serves. */
export function runbookLink(description: string): string {
  const [, page = '', section = ''] = /Runbook: (\S+)#([\w-]+)$/.exec(description) ?? [];
  return /^https?:/.test(page) ? `${page}#${section}` : `docs/runbook.html#${section}`;
}

const STATE_WORD = { OK: 'ok', ALARM: 'in alarm', INSUFFICIENT_DATA: 'no data yet' } as const;

function alarmList(alarms: readonly AlarmStatus[]): string {
  const first = (state: AlarmStatus['state']): number => (state === 'ALARM' ? 0 : state === 'OK' ? 1 : 2);
  const items = [...alarms]
    .sort((a, b) => first(a.state) - first(b.state))
    .map(({ name, state, description }) => {
      const shown = escapeText(name.replace(/^fraud-screening-[a-z]+-/, ''));
      return `<li class="${state.toLowerCase()}"><a href="${escapeText(runbookLink(description))}" title="${escapeText(description)}"><i></i>${shown} <small>${STATE_WORD[state]}</small></a></li>`;
    });
  return `<ul class="alarms">${items.join('')}</ul>`;
}

/** The data that the page's script needs to show values under the pointer. */
function tooltipData(series: readonly DrawnSeries[], { fromMs, periodMs }: Range): string {
  const times = series[0]?.points.map((_, at) => clockTime(fromMs + at * periodMs, true)) ?? [];
  const rows = series.map(({ label, color, points }) => ({
    label,
    color,
    values: points.map((point) => (point === undefined ? null : shortNumber(point))),
  }));
  return `<script type="application/json">${JSON.stringify({ times, rows }).replace(/</g, '\\u003c')}</script>`;
}

function metricBody(evaluated: EvaluatedWidget, widget: Extract<Widget, { type: 'metric' }>): string {
  const { properties, width, height } = widget;
  const series = drawnSeries(evaluated.series);
  if (evaluated.error) return `<p class="empty">Cannot be drawn: ${escapeText(evaluated.error)}</p>`;
  if (series.length === 0) return '<p class="empty">No data yet.</p>';
  const px = { width: width * COLUMN_PX - GAP_PX - PADDING.x, height: height * ROW_PX - GAP_PX - PADDING.y };
  const heard = series.map(({ label, points }) => `${label} ${shortNumber(lastOf(points) ?? 0)}`);
  const size = { ...px, label: `${properties.title}: ${heard.join(', ')}` };
  if (properties.view === 'bar') return bars(series, size);
  if (properties.view === 'singleValue') return singleValue(series, size);
  const legendRows = Math.min(3, Math.ceil((Math.min(series.length, LEGEND_MOST + 1) * 120) / px.width));
  const graphHeight = px.height - TITLE_PX - legendRows * LEGEND_PX;
  const graph = drawGraph(series, properties, evaluated.range, { ...size, height: graphHeight });
  return `${graph}${legend(series)}${tooltipData(series, evaluated.range)}`;
}

/** Text widgets are headings and notices: this is all the Markdown that they have. */
const headingText = (markdown: string): string =>
  escapeText(markdown.replace(/^#+ */, '')).replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>');

/** One widget as HTML, at its position in the grid. */
export function drawWidget(evaluated: EvaluatedWidget): string {
  const { widget, series, alarms } = evaluated;
  switch (widget.type) {
    case 'text':
      return `<h2 ${gridArea(widget)}>${headingText(widget.properties.markdown)}</h2>`;
    case 'alarm':
      return `<section class="widget" data-widget="alarm" data-series="${alarms.length}" ${gridArea(widget)}><h3 title="${escapeText(widget.properties.title ?? '')}">${escapeText(widget.properties.title ?? '')}</h3>${alarmList(alarms)}</section>`;
    case 'metric':
      return `<section class="widget ${widget.properties.view ?? 'timeSeries'}" data-widget="metric" data-series="${series.filter(hasData).length}" ${gridArea(widget)}><h3 title="${escapeText(widget.properties.title ?? '')}">${escapeText(widget.properties.title ?? '')}</h3>${metricBody(evaluated, widget)}</section>`;
  }
}

const asset = (name: string): string => readFileSync(join(__dirname, name), 'utf8');

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
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeText(dashboard.name)}</title><link rel="icon" href="data:,"><style>${asset('page.css')}</style></head><body><header><h1>${escapeText(dashboard.name)}</h1><small>as the template defines it, with the metrics of this run · ${clockTime(nowMs, true)} UTC</small><nav aria-label="Time shown">${links.join('')}</nav></header><main>${widgets.map(drawWidget).join('')}</main><script>${asset('page.js')}</script></body></html>`;
}

/** `/_local/dashboard` draws the dashboard of the template; `/_local/dashboard.json` has what it draws. */
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
    {
      method: 'GET',
      path: /^dashboard$/,
      answer: (_groups, query) => {
        if (!dashboard) return none();
        const chosen = chosenIn(query);
        const body = page(dashboard, evaluated(chosen), chosen, deps.now());
        const headers = {
          'content-type': 'text/html; charset=utf-8',
          // Whatever a label contains, the page loads nothing from anywhere else.
          'content-security-policy':
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:",
        };
        return { status: 200, headers, body };
      },
    },
    {
      method: 'GET',
      path: /^dashboard\.json$/,
      answer: (_groups, query) => (dashboard ? json(evaluated(chosenIn(query))) : none()),
    },
    { method: 'GET', path: /^alarms$/, answer: () => json(deps.alarms(deps.now())) },
  ];
}
