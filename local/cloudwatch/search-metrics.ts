import type { MetricId, MetricStore } from './metric-store';

export interface Found {
  readonly found: MetricId;
  readonly stat: string;
  /** What distinguishes it from the others: the values of the dimensions that the search did not fix. */
  readonly label: string;
}

/**
 * `SEARCH('{Namespace,dimension,…} MetricName="…" dimension="…"', 'Sum', 60)`: the metrics that have exactly these
 * dimensions and these values. CloudWatch knows more forms; the local run refuses them.
 */
export function searchMetrics(store: MetricStore, expression: string): readonly Found[] {
  const [, schema = '', terms = '', stat = ''] =
    /^SEARCH\('\{([^}]+)\}((?: \w+="[^"]*")*)', '([^']+)', \d+\)$/.exec(expression) ?? [];
  if (!schema) throw new Error(`the local run does not understand ${expression}`);
  const [namespace, ...dimensions] = schema.split(',');
  const wanted = new Map([...terms.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]));
  const fits = (metric: MetricId): boolean =>
    metric.namespace === namespace &&
    Object.keys(metric.dimensions).sort().join() === [...dimensions].sort().join() &&
    [...wanted].every(([key, value]) => value === (key === 'MetricName' ? metric.name : metric.dimensions[key]));
  const labelOf = (metric: MetricId): string =>
    dimensions.flatMap((key) => (wanted.has(key) ? [] : [metric.dimensions[key] ?? ''])).join(' ');
  return store
    .known()
    .filter(fits)
    .map((found) => ({ found, stat, label: labelOf(found) }));
}
