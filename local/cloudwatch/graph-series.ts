import type { Stacks } from '../template/resolve-stack';
import { evaluateMath, type MathValue } from './metric-math';
import { type MetricId, type MetricStore, type Points, type Range, searchMetrics } from './metric-store';

export interface Series {
  readonly label: string;
  readonly color: string | undefined;
  readonly axis: 'left' | 'right';
  readonly points: Points;
}

interface Entry {
  readonly options: MetricOptions;
  readonly metric: MetricId | undefined;
}

function entryOf(graphed: GraphedMetric): Entry {
  const options = graphed.find((part): part is MetricOptions => typeof part === 'object') ?? {};
  const [namespace, name, ...pairs] = graphed.filter((part): part is string => typeof part === 'string');
  if (namespace === undefined || name === undefined) return { options, metric: undefined };
  const dimensions: Record<string, string> = {};
  for (let at = 0; at + 1 < pairs.length; at += 2) dimensions[pairs[at] ?? ''] = pairs[at + 1] ?? '';
  return { options, metric: { namespace, name, dimensions } };
}

export function graphSeries(store: MetricStore, properties: MetricProperties, range: Range): readonly Series[] {
  const entries = (properties.metrics ?? []).map(entryOf);
  const length = Math.max(0, Math.ceil((range.toMs - range.fromMs) / range.periodMs));

  const evaluated = ({ options, metric }: Entry): MathValue => {
    if (metric) return store.points(metric, options.stat ?? properties.stat ?? 'Average', range);
    const expression = options.expression ?? '';
    return evaluateMath(expression, {
      length,
      periodMs: range.periodMs,
      series: (id) => {
        const entry = entries.find(({ options: other }) => other.id === id);
        if (!entry) throw new Error(`${expression} refers to ${id}, which is not in the graph`);
        return evaluated(entry);
      },
      metrics: (containing) =>
        entries
          .filter((entry) => entry.metric && (entry.options.id ?? '').includes(containing))
          .map((entry) => evaluated(entry) as Points),
    });
  };

  const seriesOf = (entry: Entry): readonly Series[] => {
    const { options, metric } = entry;
    const look = { color: options.color, axis: options.yAxis ?? 'left' } as const;
    if (options.expression?.startsWith('SEARCH(')) {
      return searchMetrics(store, options.expression).map(({ found, stat, label }) => ({
        ...look,
        label,
        points: store.points(found, stat, range),
      }));
    }
    const value = evaluated(entry);
    const label = options.label?.trim() || (metric?.name ?? options.label ?? options.expression ?? '');
    if (typeof value === 'number') return [{ ...look, label, points: Array.from({ length }, () => value) }];
    if ('list' in value) throw new Error(`${options.expression} is more than one series`);
    return [{ ...look, label, points: value }];
  };

  return entries.filter(({ options }) => options.visible !== false).flatMap(seriesOf);
}

export interface Annotation {
  readonly value: number;
  readonly label?: string;
  readonly color?: string;
}

/** A metric of a graph: namespace, name, dimensions in pairs, options; or an expression. */
export type GraphedMetric = readonly (string | MetricOptions)[];

export interface MetricOptions {
  readonly id?: string;
  readonly expression?: string;
  readonly label?: string;
  readonly color?: string;
  readonly stat?: string;
  readonly visible?: boolean;
  readonly yAxis?: 'left' | 'right';
}

export interface AxisOptions {
  readonly min?: number;
  readonly max?: number;
}

export interface MetricProperties {
  readonly title?: string;
  readonly view?: 'timeSeries' | 'singleValue' | 'bar';
  readonly stacked?: boolean;
  readonly stat?: string;
  readonly setPeriodToTimeRange?: boolean;
  readonly metrics?: readonly GraphedMetric[];
  readonly annotations?: { readonly horizontal?: readonly Annotation[] };
  readonly yAxis?: { readonly left?: AxisOptions; readonly right?: AxisOptions };
}

interface GridArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Widget = GridArea &
  (
    | { readonly type: 'metric'; readonly properties: MetricProperties }
    | { readonly type: 'alarm'; readonly properties: { readonly title?: string; readonly alarms: readonly string[] } }
    | { readonly type: 'text'; readonly properties: { readonly markdown: string } }
  );

export interface Dashboard {
  readonly name: string;
  readonly widgets: readonly Widget[];
}

export const dashboardsOf = (stacks: Stacks): readonly Dashboard[] =>
  stacks.ofType('AWS::CloudWatch::Dashboard').map(({ ref, properties }) => ({
    name: ref,
    widgets: (JSON.parse(String(properties.DashboardBody)) as { widgets: readonly Widget[] }).widgets,
  }));
