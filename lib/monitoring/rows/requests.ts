import type { AlarmBase, IWidget, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { ATTEMPT_RESULTS, attemptNumber } from '../../../shared/metrics/delivery-metrics';
import { type PriceName, priceOf, US_EAST_1 } from '../../prices';
import {
  CLIENT_ERROR_LIMIT_PERCENT,
  DUE_LIMIT_SECONDS,
  FLAGGED_LIMIT_PERCENT,
  functionNamed,
  LATENCY_LIMIT_MS,
  RELAY_LIMIT_MS,
  type StageAlarmsProps,
} from '../stage-alarms';
import { alarmRow, COLOUR, graph, heading, limit, math, perSecond, scaled, singleValue } from '../widgets';

/** Failures and latency. One function per endpoint of the specification, and per family of other routes. */
export function requests({ metrics, functions, routes }: DashboardParts, crashes: readonly AlarmBase[]): IWidget[][] {
  const byRoute = (statistic: string) =>
    routes.map((name) => functionNamed(functions, name).lambda.metricDuration({ statistic, label: name }));
  const screening = ['screen-transaction', 'screen-event', 'authorize'];
  return [
    [heading('## Requests: what fails, what is slow?')],
    ...alarmRow('Which function has just crashed? One alarm per function', crashes, 5),
    [
      graph('Whose fault is it? Failures per second', {
        width: 6,
        left: [
          perSecond(metrics.gateway('4XXError', 'Sum'), { label: 'caller (4xx)', color: COLOUR.quiet }),
          perSecond(metrics.gateway('5XXError', 'Sum'), { label: 'service (5xx), of which', color: COLOUR.bad }),
          perSecond(metrics.ours('Unavailable', 'Sum'), { label: 'dependency (503)', color: COLOUR.doubtful }),
          perSecond(metrics.ours('UnhandledErrors', 'Sum'), { label: 'bug (500)', color: COLOUR.second }),
        ],
      }),
      graph('Who is refused? Share of requests, %', {
        left: [
          math('100 * refused / requests', {
            refused: metrics.gateway('4XXError', 'Sum'),
            requests: metrics.gateway('Count', 'Sum'),
          }).with({ label: 'refused (4xx)', color: COLOUR.doubtful }),
        ],
        limits: [limit(CLIENT_ERROR_LIMIT_PERCENT, 'too many, for an hour')],
        max: 100,
        width: 6,
      }),
      graph('Which function crashes?', {
        width: 6,
        left: [...functions].map(([name, { live }]) => live.metricErrors({ label: name })),
        stacked: true,
      }),
      graph('How many cold starts? %, concurrency', {
        width: 6,
        left: [scaled('100', metrics.ours('ColdStarts', 'Average'), { label: 'cold starts, %', color: COLOUR.fourth })],
        right: screening.map((name) =>
          functionNamed(functions, name).lambda.metric('ConcurrentExecutions', { statistic: 'Maximum', label: name }),
        ),
      }),
    ],
    [
      graph('How long does each function take? p50, ms', { left: byRoute('p50') }),
      graph('How long does each function take? p95, ms', { left: byRoute('p95') }),
      graph('How long does each function take? p99, ms', {
        left: byRoute('p99'),
        limits: [limit(LATENCY_LIMIT_MS, 'too slow')],
      }),
    ],
  ];
}

export interface DashboardParts extends StageAlarmsProps {
  readonly routes: readonly string[];
}

const MEMORY_GB = 1;
const SECONDS_PER_HOUR = 3_600;

/** List price of one unit in dollars, in the first and most expensive tier. */
const price = (name: PriceName): string => decimal(priceOf(US_EAST_1[name], 1));

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

/** Is it up, is it fast, does it decide normally? */
export function overview(parts: DashboardParts, tellingAlarms: readonly AlarmBase[]): IWidget[][] {
  const { metrics } = parts;
  const requests = metrics.gateway('Count', 'Sum');
  const latency = (statistic: string, label: string, color: string) =>
    metrics.gateway('Latency', statistic, { label, color });
  const blocked = metrics.percentFrom('block').with({ label: 'blocked', color: COLOUR.bad });
  const reviewed = math('flagged - blocked', {
    flagged: metrics.percentFrom('review'),
    blocked: metrics.percentFrom('block'),
  }).with({ label: 'sent to review', color: COLOUR.doubtful });
  const blue = { label: ' ', color: COLOUR.first };
  return [
    ...alarmRow('What is wrong right now? Each alarm has a runbook section', tellingAlarms, 4),
    [
      graph('Is it up? Successful requests, %', {
        left: [
          math('100 - 100 * errors / requests', { errors: metrics.gateway('5XXError', 'Sum'), requests }).with({
            label: 'successful, %',
            color: COLOUR.good,
          }),
        ],
        limits: [limit(99.9, 'objective: 99.9%')],
        min: 95,
        max: 100,
        height: 7,
      }),
      graph('Is it fast? Response time, ms', {
        left: [
          latency('p50', 'p50', COLOUR.fourth),
          latency('p95', 'p95', COLOUR.first),
          latency('p99', 'p99', COLOUR.second),
        ],
        limits: [limit(LATENCY_LIMIT_MS, 'too slow')],
        height: 7,
      }),
      graph('Does it decide normally? Share of screenings, %', {
        left: [blocked, reviewed],
        limits: [limit(FLAGGED_LIMIT_PERCENT, 'attack or scoring fault')],
        stacked: true,
        height: 7,
      }),
    ],
    [
      singleValue('Requests per second', perSecond(requests, blue), 4),
      singleValue('Screenings per second', perSecond(metrics.screenings(), blue), 4),
      singleValue('Sent to review, %', reviewed.with({ label: ' ' }), 4),
      singleValue('Blocked, %', blocked.with({ label: ' ' }), 4),
      singleValue('Open cases', metrics.ours('OpenCases', 'Maximum', { label: ' ', color: COLOUR.second }), 4),
      singleValue('Dollars per hour', costPerHour(parts).total.with({ label: ' ', color: COLOUR.quiet }), 4),
    ],
  ];
}

export function delivery({ metrics, queues, functions }: DashboardParts): IWidget[][] {
  const depth = (queue: 'fresh' | 'retries' | 'relayFailures' | 'dead', label: string, color: string) =>
    queues[queue].metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', label, color });
  const relay = functionNamed(functions, 'relay-events').lambda;
  return [
    [heading('## Webhooks: do merchants get their events?')],
    [
      graph('Do events reach merchants? Delivered, %', {
        left: [
          metrics.ours('DeliveryAttempts', `PR(:${attemptNumber('delivered', true) + 0.5})`, {
            label: 'successful, %',
            color: COLOUR.good,
          }),
        ],
        right: [
          perSecond(metrics.ours('DeliveryAttempts', 'SampleCount'), {
            label: 'delivery attempts per second',
            color: COLOUR.quiet,
          }),
          perSecond(metrics.ours('DeliveryLatency', 'SampleCount'), {
            label: 'first attempts per second',
            color: COLOUR.first,
          }),
        ],
        max: 100,
      }),
      graph('How fast is the first attempt? ms', {
        left: [
          metrics.ours('DeliveryLatency', 'p50', { label: 'p50', color: COLOUR.fourth }),
          metrics.ours('DeliveryLatency', 'p95', { label: 'p95', color: COLOUR.first }),
          metrics.ours('DeliveryDuration', 'p95', { label: 'of which the receiver, p95', color: COLOUR.quiet }),
        ],
        limits: [limit(2_000, 'promised p99')],
      }),
      graph('How many retries, timeouts and failures?', {
        left: [
          math(
            'SUM(METRICS())',
            Object.fromEntries(ATTEMPT_RESULTS.map((result) => [result, metrics.attempted(result, 'retry')])),
          ).with({ label: 'retries', color: COLOUR.doubtful }),
          metrics.attempted('timeout').with({ label: 'timeouts', color: COLOUR.second }),
          metrics.attempted('given_up').with({ label: 'given up', color: COLOUR.bad }),
          metrics.ours('EndpointsDisabled', 'Sum', { label: 'endpoints disabled', color: COLOUR.third }),
        ],
      }),
    ],
    [
      graph('How deep are the queues?', {
        left: [
          depth('fresh', 'first attempts', COLOUR.first),
          depth('retries', 'retries', COLOUR.doubtful),
          depth('relayFailures', 'not relayed', COLOUR.second),
          depth('dead', 'dead letters', COLOUR.bad),
        ],
      }),
      graph('Is the relay behind? Record age, ms', {
        left: [relay.metric('IteratorAge', { statistic: 'Maximum', label: 'oldest', color: COLOUR.first })],
        right: [
          metrics.ours('RelayFailures', 'Sum', { label: 'relay failures', color: COLOUR.bad }),
          metrics.ours('RelayHealed', 'Sum', { label: 'recovered', color: COLOUR.good }),
        ],
        limits: [limit(RELAY_LIMIT_MS, 'too far behind')],
      }),
      graph('Is a delivery overdue? Seconds', {
        left: [metrics.ours('OldestDueDelivery', 'Maximum', { label: 'overdue, s', color: COLOUR.doubtful })],
        right: [
          metrics.ours('QueueMessagesSwept', 'Sum', { label: 'queued by the sweep', color: COLOUR.quiet }),
          metrics.ours('QueueMessagesUnsent', 'Sum', { label: 'refused by SQS', color: COLOUR.bad }),
        ],
        limits: [limit(DUE_LIMIT_SECONDS, 'sweep is stuck')],
      }),
    ],
  ];
}
