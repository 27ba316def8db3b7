export type MetricUnit = 'Count' | 'Milliseconds' | 'Seconds' | 'None';

/** A field of the log line that splits a metric; it must have few values. */
export type MetricDimension = 'model_version';

/** A function by its name below functions/; `every /v1 route` stands for all route functions. */
export type Emitter = string;

export interface MetricDefinition {
  readonly unit: MetricUnit;
  readonly emitters: readonly Emitter[];
  /** A second dimension besides the stage. @default none: each of its values is one more metric to pay for */
  readonly by?: MetricDimension;
  /**
   * Only sent when it happens or is known. `rare`: and in an ordinary month it does not, because something is wrong or an
   * account uses what few use; a 0 is never sent, since CloudWatch charges for each hour in which a metric has a value.
   * @default on every line of its emitters, including 0
   */
  readonly sparse?: true | 'rare';
  readonly tells: string;
}

export type MetricGroup<Name extends string> = Readonly<Record<Name, MetricDefinition>>;

export interface MetricValue {
  readonly name: string;
  readonly unit: MetricUnit;
  readonly by?: MetricDimension | undefined;
  /** Several values count as several samples. */
  readonly value: number | readonly number[];
}

/** A metric as it is written: in counts, and of all emitters of its group, unless it says otherwise. */
type Written = Omit<MetricDefinition, 'emitters' | 'unit'> & Partial<Pick<MetricDefinition, 'emitters' | 'unit'>>;

/** Metrics of these functions. The exact types of the names stay: a metric that is not in the catalogue does not compile. */
export const defineMetrics = <const Name extends string>(
  emitters: readonly Emitter[],
  group: Readonly<Record<Name, Written>>,
): MetricGroup<Name> =>
  Object.fromEntries(
    Object.entries<Written>(group).map(([name, written]) => [name, { unit: 'Count', emitters, ...written }]),
  ) as MetricGroup<Name>;

/** Values of a group's metrics; any that are left out are not sent at all, nor is a 0 of one that is rare. */
export function metricValues<Name extends string>(
  group: MetricGroup<Name>,
  values: Readonly<Partial<Record<Name, MetricValue['value']>>>,
): MetricValue[] {
  const metrics: MetricValue[] = [];
  for (const name in values) {
    const { unit, by, sparse } = group[name];
    const value = values[name] as MetricValue['value'];
    if (value !== 0 || sparse !== 'rare') metrics.push({ name, unit, by, value });
  }
  return metrics;
}
