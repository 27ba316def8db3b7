import type { AlarmBase, IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { FLAGGED_LIMIT_PERCENT, LATENCY_LIMIT_MS } from '../stage-alarms';
import { math, perSecond } from '../stage-metrics';
import { alarmRow, COLOUR, graph, limit, singleValue } from '../widgets';
import { costPerHour, type DashboardParts } from './underneath';

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
