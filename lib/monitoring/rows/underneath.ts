import type { IWidget, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type PriceName, US_EAST_1 } from '../../prices';
import { functionNamed, type StageAlarmsProps } from '../stage-alarms';
import { math, perSecond } from '../stage-metrics';
import { COLOUR, graph, heading } from '../widgets';

/** What the dashboard is drawn of. */
export interface DashboardParts extends StageAlarmsProps {
  /** The functions that serve routes below /v1. */
  readonly routes: readonly string[];
}

const MEMORY_GB = 1;
const SECONDS_PER_HOUR = 3_600;

/** Dollars for one, at list price; from the first tier on, which is the dearest. */
const price = (name: PriceName): number => US_EAST_1[name].tiers[0].usd;

/** What an hour at the present pace costs, by the list prices of us-east-1; storage and CloudWatch are not in it. */
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
  const gbSeconds = `SUM(METRICS("ms")) / 1000 * ${MEMORY_GB * price('lambdaGbSecond')}`;
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

/** What it stands on, and what that costs. */
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
    [heading('## Underneath: does what it stands on keep up, and what does it cost?')],
    [
      graph('Does the table keep up? Units a second', {
        left: [
          perSecond(consumed('Write'), { label: 'written', color: COLOUR.second }),
          perSecond(consumed('Read'), { label: 'read', color: COLOUR.fourth }),
        ],
        right: [throttled('Write', 'writes refused', COLOUR.bad), throttled('Read', 'reads refused', COLOUR.doubtful)],
        width: 6,
      }),
      graph('Is Lambda turned away?', {
        left: [
          refused('screen-transaction', COLOUR.bad),
          refused('screen-event', COLOUR.doubtful),
          refused('authorize', COLOUR.second),
        ],
        width: 6,
      }),
      graph('Does the overview count? Changes', {
        left: [metrics.ours('ChangesCounted', 'Sum', { label: 'counted', color: COLOUR.first })],
        right: [metrics.ours('ChangesSkipped', 'Sum', { label: 'left out', color: COLOUR.bad })],
        width: 6,
      }),
      graph('What does an hour cost? Dollars', {
        left: costs,
        stacked: true,
        width: 6,
      }),
    ],
  ];
}
