/** The CloudWatch units that we use. */
export type MetricUnit = 'Count' | 'Milliseconds' | 'Seconds' | 'None';

/** A field of the log line that splits a metric; it must have few values. */
export type MetricDimension = 'model_version';

/** A function by its name below functions/; `every /v1 route` stands for all route functions. */
export type Emitter = string;

/** One row of the catalogue: a metric's unit, who emits it, and what it means. */
export interface MetricDefinition {
  readonly unit: MetricUnit;
  readonly emitters: readonly Emitter[];
  /** A second dimension besides the stage. @default none: each of its values is one more metric to pay for */
  readonly by?: MetricDimension;
  /** Only sent when it happens or is known. @default on every line of its emitters, including 0 */
  readonly sparse?: true;
  readonly tells: string;
}

export type MetricGroup<Name extends string> = Readonly<Record<Name, MetricDefinition>>;

/** One value of a metric on its way into a log line. */
export interface MetricValue {
  readonly name: string;
  readonly unit: MetricUnit;
  readonly by?: MetricDimension | undefined;
  readonly value: number;
}

/** Keeps the exact types of the names, so that a metric that is not in the catalogue does not compile. */
export const defineMetrics = <const Name extends string>(group: MetricGroup<Name>): MetricGroup<Name> => group;

/** Values of a group's metrics; any that are left out are not sent at all. */
export function metricValues<Name extends string>(
  group: MetricGroup<Name>,
  values: Readonly<Partial<Record<Name, number>>>,
): MetricValue[] {
  const metrics: MetricValue[] = [];
  for (const name in values) {
    const { unit, by } = group[name];
    metrics.push({ name, unit, by, value: values[name] as number });
  }
  return metrics;
}
