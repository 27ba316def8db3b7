import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AlarmStatus } from '../cloudwatch/alarm-states';
import { type Dashboard, graphSeries, type Series, type Widget } from '../cloudwatch/graph-series';
import { BUCKET_MS, type MetricStore, type Range } from '../cloudwatch/metric-store';
import { json, type LocalAnswer, type LocalPage } from '../gateway/local-pages';
import { clockTime, escapeText } from './draw-graph';
import { drawWidget, type EvaluatedWidget } from './draw-widget';

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
