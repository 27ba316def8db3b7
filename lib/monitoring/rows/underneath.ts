import type { IWidget, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type PriceName, US_EAST_1 } from '../../prices';
import { functionNamed, type StageAlarmsProps } from '../stage-alarms';
import { math, perSecond } from '../stage-metrics';
import { COLOUR, graph, heading } from '../widgets';

/** The sources of the dashboard. */
export interface DashboardParts extends StageAlarmsProps {
  /** The functions that serve routes below /v1. */
  readonly routes: readonly string[];
}

const MEMORY_GB = 1;
const SECONDS_PER_HOUR = 3_600;

/** List price of one unit in dollars, in the first and most expensive tier. */
const price = (name: PriceName): string => decimal(US_EAST_1[name].tiers[0].usd);

/** A number as metric math reads it: the `e` of 1.25e-7 would be a metric. */
const decimal = (value: number): string => value.toFixed(15).replace(/0+$/, '');

/** The cost of an hour at the current rate, at us-east-1 list prices, without storage and CloudWatch. */
export function costPerHour({ metrics, table, functions }: DashboardParts) {
  const sums = (statistic: string, prefix: string) =>
    Object.fromEntries(
      [...functions.values()].map(({ lambda }, at) => [`${prefix}${at}`, lambda.metricDuration({ statistic })]),
    );
  const hourly = (dollars: string, of: Record<string, Metric>): MathExpression => {
    const [first = ''] = Object.keys(of);
    return math(`${SECONDS_PER_HOUR} / PERIOD(${first}) * ${dollars}`, of);
  };
  const requests = { requests: metrics.gateway('Count', 'Sum') };
  const units = (kind: 'Read' | 'Write', id: string) => ({
    [id]: table.metric(`Consumed${kind}CapacityUnits`, { statistic: 'Sum' }),
  });
  const gbSeconds = `SUM(METRICS("ms")) / 1000 * ${MEMORY_GB} * ${price('lambdaGbSecond')}`;
  const lines = {
    gateway: { dollars: `${price('apiRequest')} * requests`, of: requests },
    functions: {
      dollars: `(${gbSeconds} + SUM(METRICS("runs")) * ${price('lambdaRequest')})`,
      of: { ...sums('Sum', 'ms'), ...sums('SampleCount', 'runs') },
    },
    writes: { dollars: `${price('tableWrite')} * written`, of: units('Write', 'written') },
    reads: { dollars: `${price('tableRead')} * read`, of: units('Read', 'read') },
  };
  const each = Object.fromEntries(Object.entries(lines).map(([name, { dollars, of }]) => [name, hourly(dollars, of)]));
  return { each, total: math(`SUM([${Object.keys(each).join(', ')}])`, each) };
}

/** Lambda and DynamoDB: whether they keep up, and their cost. */
export function underneath(parts: DashboardParts): IWidget[][] {
  const { metrics, table, functions } = parts;
  const consumed = (kind: 'Read' | 'Write') => table.metric(`Consumed${kind}CapacityUnits`, { statistic: 'Sum' });
  const throttled = (kind: 'Read' | 'Write', label: string, color: string) =>
    table.metric(`${kind}ThrottleEvents`, { statistic: 'Sum', label, color });
  const refused = (name: string, color: string) =>
    functionNamed(functions, name).lambda.metricThrottles({ label: name, color });
  const { each } = costPerHour(parts);
  const cost = (name: keyof typeof each, label: string, color: string) => each[name]?.with({ label, color });
  const costs = [
    cost('gateway', 'API Gateway', COLOUR.first),
    cost('functions', 'Lambda', COLOUR.doubtful),
    cost('writes', 'DynamoDB, writes', COLOUR.second),
    cost('reads', 'DynamoDB, reads', COLOUR.fourth),
  ].flatMap((line) => (line ? [line] : []));
  return [
    [heading('## Infrastructure: does it keep up, and what does it cost?')],
    [
      graph('Is the table keeping up? Units per second', {
        left: [
          perSecond(consumed('Write'), { label: 'written', color: COLOUR.second }),
          perSecond(consumed('Read'), { label: 'read', color: COLOUR.fourth }),
        ],
        right: [
          throttled('Write', 'throttled writes', COLOUR.bad),
          throttled('Read', 'throttled reads', COLOUR.doubtful),
        ],
        width: 6,
      }),
      graph('Is Lambda throttled?', {
        left: [
          refused('screen-transaction', COLOUR.bad),
          refused('screen-event', COLOUR.doubtful),
          refused('authorize', COLOUR.second),
        ],
        width: 6,
      }),
      graph('Is the overview counting? Age, ms', {
        left: [
          functionNamed(functions, 'tally-overview').lambda.metric('IteratorAge', {
            statistic: 'Maximum',
            label: 'oldest',
            color: COLOUR.first,
          }),
        ],
        right: [metrics.ours('ChangesSkipped', 'Sum', { label: 'skipped', color: COLOUR.bad })],
        width: 6,
      }),
      graph('What does an hour cost? $', {
        left: costs,
        stacked: true,
        width: 6,
      }),
    ],
  ];
}
