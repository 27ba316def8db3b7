import type { AlarmBase, IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { CLIENT_ERROR_LIMIT_PERCENT, functionNamed, LATENCY_LIMIT_MS } from '../stage-alarms';
import { math, perSecond, scaled } from '../stage-metrics';
import { alarmRow, COLOUR, graph, heading, limit } from '../widgets';
import type { DashboardParts } from './underneath';

/** What fails and what is slow. One function per endpoint of the specification, and per family of other routes. */
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
