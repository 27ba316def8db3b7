/** CloudWatch's units that we count in. */
export type MetricUnit = 'Count' | 'Milliseconds' | 'Seconds' | 'None';

/** A member of the log line that tells metrics apart; it must be one of few. */
export type MetricDimension = 'model_version';

/** A function by its name below functions/; `every /v1 route` stands for all of them. */
export type Emitter = string;

/** One row of the catalogue: what a figure counts in, who prints it, and what it tells. */
export interface MetricDefinition {
  readonly unit: MetricUnit;
  readonly emitters: readonly Emitter[];
  /** A second dimension beside the stage. @default none: each value of it is one more metric to pay for */
  readonly by?: MetricDimension;
  /** Only sent when it happens or is known. @default on every line of its emitters, 0 included */
  readonly sparse?: true;
  readonly tells: string;
}

export type MetricGroup<Name extends string> = Readonly<Record<Name, MetricDefinition>>;

/** One value on its way into a log line. */
export interface Figure {
  readonly name: string;
  readonly unit: MetricUnit;
  readonly by?: MetricDimension | undefined;
  readonly value: number;
}

/** Keeps the names' exact types, so that a figure that is not in the catalogue does not compile. */
export const defineMetrics = <const Name extends string>(group: MetricGroup<Name>): MetricGroup<Name> => group;

/** Values of a group's metrics; one that is left out is not sent at all. */
export function figuresOf<Name extends string>(
  group: MetricGroup<Name>,
  values: Readonly<Partial<Record<Name, number>>>,
): Figure[] {
  const figures: Figure[] = [];
  for (const name in values) {
    const { unit, by } = group[name];
    figures.push({ name, unit, by, value: values[name] as number });
  }
  return figures;
}
