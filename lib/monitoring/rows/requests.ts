import type { AlarmBase, IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { CLIENT_ERROR_LIMIT_PERCENT, functionNamed, LATENCY_LIMIT_MS } from '../stage-alarms';
import { math, perSecond, scaled } from '../stage-metrics';
import { alarmRow, COLOUR, graph, heading, limit } from '../widgets';
import type { DashboardParts } from './underneath';

/** Who fails, and what is slow. One function serves one route, so a function's time is its route's. */
export function requests({ metrics, functions, routes }: DashboardParts, crashes: readonly AlarmBase[]): IWidget[][] {
  const byRoute = (statistic: string) =>
    routes.map((name) => functionNamed(functions, name).lambda.metricDuration({ statistic, label: name }));
  const screening = ['screen-transaction', 'screen-event', 'authorize'];
  return [
    [heading('## Requests: who fails, what is slow?')],
    ...alarmRow('Which function has just crashed? One alarm per function', crashes, 3),
    [
      graph('Whose fault is it? Failures per second', {
        width: 6,
        left: [
          perSecond(metrics.gateway('4XXError', 'Sum'), { label: 'the caller’s (4xx)', color: COLOUR.quiet }),
          perSecond(metrics.gateway('5XXError', 'Sum'), { label: 'ours (5xx), of which', color: COLOUR.bad }),
          perSecond(metrics.ours('Unavailable', 'Sum'), { label: 'a dependency’s (503)', color: COLOUR.doubtful }),
          perSecond(metrics.ours('UnhandledErrors', 'Sum'), { label: 'a bug’s (500)', color: COLOUR.second }),
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
      graph('How many start cold? %; and run at once', {
        width: 6,
        left: [scaled('100', metrics.ours('ColdStarts', 'Average'), { label: 'start cold, %', color: COLOUR.fourth })],
        right: screening.map((name) =>
          functionNamed(functions, name).lambda.metric('ConcurrentExecutions', { statistic: 'Maximum', label: name }),
        ),
      }),
    ],
    [
      graph('How long does each route take? Half of its requests, ms', { left: byRoute('p50') }),
      graph('How long does each route take? 95 of 100 requests, ms', { left: byRoute('p95') }),
      graph('How long does each route take? 99 of 100 requests, ms', {
        left: byRoute('p99'),
        limits: [limit(LATENCY_LIMIT_MS, 'too slow')],
      }),
    ],
  ];
}
