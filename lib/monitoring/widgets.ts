import { Duration } from 'aws-cdk-lib';
import {
  type AlarmBase,
  AlarmStatusWidget,
  AlarmStatusWidgetSortBy,
  GraphWidget,
  GraphWidgetView,
  type HorizontalAnnotation,
  type IMetric,
  type IWidget,
  SingleValueWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';

/** What colours mean, on every graph. */
export const COLOUR = {
  good: '#2e9e6b',
  doubtful: '#e2a336',
  bad: '#d64545',
  first: '#3f6fd1',
  second: '#7b5bd6',
  third: '#c95fb4',
  fourth: '#2a9db0',
  quiet: '#8b95a5',
} as const;

export interface GraphProps {
  readonly left: readonly IMetric[];
  readonly right?: readonly IMetric[];
  /** Lines that mark where good ends. */
  readonly limits?: readonly HorizontalAnnotation[];
  readonly stacked?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly max?: number;
  readonly min?: number;
}

const DASHBOARD_WIDTH = 24;

/** A graph over time; its title is a question, and its limits are drawn. */
export const graph = (title: string, props: GraphProps): IWidget =>
  new GraphWidget({
    title,
    left: [...props.left],
    right: [...(props.right ?? [])],
    leftAnnotations: [...(props.limits ?? [])],
    leftYAxis: { min: props.min ?? 0, showUnits: false, ...(props.max === undefined ? {} : { max: props.max }) },
    rightYAxis: { min: 0, showUnits: false },
    stacked: props.stacked ?? false,
    width: props.width ?? DASHBOARD_WIDTH / 3,
    height: props.height ?? 6,
    period: Duration.minutes(1),
    liveData: true,
  });

/** One bar per metric over the whole time range. */
export const bars = (title: string, metrics: readonly IMetric[], width: number, height: number): IWidget =>
  new GraphWidget({
    title,
    left: [...metrics],
    view: GraphWidgetView.BAR,
    setPeriodToTimeRange: true,
    width,
    height,
    period: Duration.minutes(1),
  });

/** The current value of a metric, with a sparkline. */
export const singleValue = (title: string, metric: IMetric, width: number): IWidget =>
  new SingleValueWidget({ title, metrics: [metric], sparkline: true, width, height: 3, period: Duration.minutes(1) });

/** The states of these alarms, most recent change first; nothing where there are none. */
export const alarmRow = (title: string, alarms: readonly AlarmBase[], height: number): IWidget[][] => {
  const sortBy = AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP;
  const widget = () => new AlarmStatusWidget({ title, alarms: [...alarms], sortBy, width: DASHBOARD_WIDTH, height });
  return alarms.length > 0 ? [[widget()]] : [];
};

/** A heading for the rows below it. */
export const heading = (markdown: string): IWidget => new TextWidget({ markdown, width: DASHBOARD_WIDTH, height: 1 });

/** Where good ends. */
export const limit = (value: number, label: string): HorizontalAnnotation => ({ value, label, color: COLOUR.bad });
