import type { AlarmBase, IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { FLAGGED_LIMIT_PERCENT, LATENCY_LIMIT_MS } from '../stage-alarms';
import { math, perSecond, scaled } from '../stage-metrics';
import { alarmRow, COLOUR, figure, graph, limit } from '../widgets';
import { costPerHour, type DashboardParts } from './underneath';

/** Is it up, is it fast, does it decide normally? */
export function overview(parts: DashboardParts, tellingAlarms: readonly AlarmBase[]): IWidget[][] {
  const { metrics } = parts;
  const requests = metrics.gateway('Count', 'Sum');
  const latency = (statistic: string, label: string, color: string) =>
    metrics.gateway('Latency', statistic, { label, color });
  const reviewed = scaled('100', metrics.ours('Reviewed', 'Average'), { label: 'reviewed', color: COLOUR.doubtful });
  const blocked = scaled('100', metrics.ours('Blocked', 'Average'), { label: 'blocked', color: COLOUR.bad });
  const blue = { label: ' ', color: COLOUR.first };
  return [
    ...alarmRow('What is wrong right now? Each alarm has its section in the runbook', tellingAlarms, 3),
    [
      graph('Is it up? Requests that succeed, %', {
        left: [
          math('100 - 100 * errors / requests', { errors: metrics.gateway('5XXError', 'Sum'), requests }).with({
            label: 'succeed, %',
            color: COLOUR.good,
          }),
        ],
        limits: [limit(99.9, 'objective: 99.9 %')],
        min: 95,
        max: 100,
        height: 7,
      }),
      graph('Is it fast? Time to answer, ms', {
        left: [
          latency('p50', 'half of all', COLOUR.fourth),
          latency('p95', '95 of 100', COLOUR.first),
          latency('p99', '99 of 100', COLOUR.second),
        ],
        limits: [limit(LATENCY_LIMIT_MS, 'too slow')],
        height: 7,
      }),
      graph('Does it decide normally? Share of screenings, %', {
        left: [blocked, reviewed],
        limits: [limit(FLAGGED_LIMIT_PERCENT, 'an attack, or we are wrong')],
        stacked: true,
        height: 7,
      }),
    ],
    [
      figure('Requests a second', perSecond(requests, blue), 4),
      figure('Screenings a second', perSecond(metrics.ours('Screenings', 'Sum'), blue), 4),
      figure('Reviewed, %', reviewed.with({ label: ' ' }), 4),
      figure('Blocked, %', blocked.with({ label: ' ' }), 4),
      figure('Cases that wait', metrics.ours('OpenCases', 'Maximum', { label: ' ', color: COLOUR.second }), 4),
      figure('Dollars an hour', costPerHour(parts).total.with({ label: ' ', color: COLOUR.quiet }), 4),
    ],
  ];
}
