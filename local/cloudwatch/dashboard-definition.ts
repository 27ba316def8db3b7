import type { Stacks } from '../template/resolve-stacks';

/** A line that marks a limit. */
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

/** One widget of a dashboard, as in its definition. */
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

/** The dashboards in the template, as CloudWatch would read them. */
export const dashboardsOf = (stacks: Stacks): readonly Dashboard[] =>
  stacks.ofType('AWS::CloudWatch::Dashboard').map(({ ref, properties }) => ({
    name: ref,
    widgets: (JSON.parse(String(properties.DashboardBody)) as { widgets: readonly Widget[] }).widgets,
  }));
