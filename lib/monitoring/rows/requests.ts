import type { IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { functionNamed, LATENCY_LIMIT_MS } from '../stage-alarms';
import { perSecond, scaled } from '../stage-metrics';
import { COLOUR, graph, heading, limit } from '../widgets';
import type { DashboardParts } from './underneath';

/** What fails and what is slow. Each route has its own function, so a function's duration is its route's. */
export function requests({ metrics, functions, routes }: DashboardParts): IWidget[][] {
  const byRoute = (statistic: string) =>
    routes.map((name) => functionNamed(functions, name).lambda.metricDuration({ statistic, label: name }));
  const screening = ['screen-transaction', 'screen-event', 'authorize'];
  return [
    [heading('## Requests: what fails, what is slow?')],
    [
      graph('Whose fault is it? Failed requests per second', {
        left: [
          perSecond(metrics.gateway('4XXError', 'Sum'), { label: 'caller (4xx)', color: COLOUR.quiet }),
          perSecond(metrics.gateway('5XXError', 'Sum'), { label: 'service (5xx), of which', color: COLOUR.bad }),
          perSecond(metrics.ours('Unavailable', 'Sum'), { label: 'dependency (503)', color: COLOUR.doubtful }),
          perSecond(metrics.ours('UnhandledErrors', 'Sum'), { label: 'bug (500)', color: COLOUR.second }),
        ],
      }),
      graph('Which function crashes? Errors, including memory and timeouts', {
        left: [...functions].map(([name, { live }]) => live.metricErrors({ label: name })),
        stacked: true,
      }),
      graph('How many cold starts? %, and concurrent executions', {
        left: [scaled('100', metrics.ours('ColdStarts', 'Average'), { label: 'cold starts, %', color: COLOUR.fourth })],
        right: screening.map((name) =>
          functionNamed(functions, name).lambda.metric('ConcurrentExecutions', { statistic: 'Maximum', label: name }),
        ),
      }),
    ],
    [
      graph('How long does each route take? p50, ms', { left: byRoute('p50') }),
      graph('How long does each route take? p95, ms', { left: byRoute('p95') }),
      graph('How long does each route take? p99, ms', {
        left: byRoute('p99'),
        limits: [limit(LATENCY_LIMIT_MS, 'too slow')],
      }),
    ],
  ];
}
