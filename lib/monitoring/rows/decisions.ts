import { type IWidget, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { SIGNALS } from '../../../shared/domain/screening/signals';
import { signalMetric } from '../../../shared/metrics/screening-metrics';
import { METRIC_NAMESPACE, STAGE_DIMENSION } from '../../../shared/runtime/embedded-metrics';
import { BACKLOG_LIMIT_SECONDS, DEGRADED_LIMIT_PERCENT } from '../stage-alarms';
import { math, type StageMetrics, scaled } from '../stage-metrics';
import { bars, COLOUR, graph, heading, limit } from '../widgets';
import type { DashboardParts } from './underneath';

/** From no risk to much of it. */
const RAMP = [
  '#2e9e6b',
  '#57ad5f',
  '#86ba56',
  '#b5c453',
  '#e0c453',
  '#e2a336',
  '#e08336',
  '#dc633c',
  '#d64545',
  '#a3203f',
];
const HOURS = 3_600;
const CASE_LIFE_HOURS = 168;

/** Population-stability index: the usual reading is that below 0.1 nothing has changed, and above 0.25 much has. */
export const DRIFT_LIMIT = 0.25;

/** Trimmed counts: CloudWatch takes what lies above the first number and not above the second. */
const countBetween = (metrics: StageMetrics, name: 'RiskScore' | 'ScoreDecile', low: number | '', high: number) =>
  metrics.ours(name, `TC(${low}:${high})`);

/** Ten bands of the score, each as a share. */
function scoreBands(metrics: StageMetrics): MathExpression[] {
  const all = metrics.ours('RiskScore', 'SampleCount');
  return RAMP.map((color, band) => {
    const [from, to] = [band * 10, band === 9 ? 100 : band * 10 + 9];
    const counted = { [`band${band}`]: countBetween(metrics, 'RiskScore', band === 0 ? '' : from - 1, to), all };
    return math(`100 * band${band} / all`, counted).with({ label: `${from}–${to}`, color });
  });
}

/**
 * How far scores have moved from those of the training. Each tenth should hold a tenth; half a screening is added to
 * every one, so that an empty tenth has a logarithm.
 */
export function scoreDrift(metrics: StageMetrics): MathExpression {
  const tenths = Array.from({ length: 10 }, (_, at) => `d${at}`);
  const share = (id: string) => `((${id} + 0.5) / (SUM(METRICS("d")) + 5))`;
  const terms = tenths.map((id) => `(${share(id)} - 0.1) * LOG(10 * ${share(id)})`);
  const counts = tenths.map((id, at) => [id, countBetween(metrics, 'ScoreDecile', at + 0.5, at + 1.5)] as const);
  return math(terms.join(' + '), Object.fromEntries(counts));
}

/** What it decides, why, and who waits for a decision. */
export function decisions({ metrics }: DashboardParts): IWidget[][] {
  const search = `{${METRIC_NAMESPACE},${STAGE_DIMENSION},model_version} MetricName="ScreeningsByModel" ${STAGE_DIMENSION}="${metrics.stage}"`;
  const byModel = new MathExpression({ expression: `SEARCH('${search}', 'Sum', 60)`, label: '' });
  return [
    [heading('## Decisions: what does it see, and does it still see what it learnt?')],
    [
      graph('How are scores distributed? Share of screenings by score, %', {
        left: scoreBands(metrics),
        stacked: true,
        max: 100,
        width: 12,
        height: 8,
      }),
      bars(
        'Which signals fire? Screenings in the time shown',
        SIGNALS.map(({ name }) => metrics.ours(signalMetric(name), 'Sum', { label: name })),
        12,
        8,
      ),
    ],
    [
      graph('Which model decides? Screenings a minute', { left: [byModel], stacked: true }),
      graph('Has the traffic drifted from what the model learnt? Index (PSI)', {
        left: [scoreDrift(metrics).with({ label: 'drift of scores', color: COLOUR.second })],
        limits: [{ value: 0.1, label: 'look at it', color: COLOUR.doubtful }, limit(DRIFT_LIMIT, 'train again')],
      }),
      graph('Are screenings complete? Made without a history, %', {
        left: [
          scaled('100', metrics.ours('DegradedScreenings', 'Average'), {
            label: 'degraded, %',
            color: COLOUR.doubtful,
          }),
        ],
        right: [
          metrics.ours('FailedSignals', 'Sum', { label: 'signals that threw', color: COLOUR.bad }),
          metrics.ours('ModelRefreshFailures', 'Sum', { label: 'models that did not load', color: COLOUR.second }),
        ],
        limits: [limit(DEGRADED_LIMIT_PERCENT, 'too many')],
      }),
    ],
    [
      graph('How many cases wait for an analyst?', {
        left: [metrics.ours('OpenCases', 'Maximum', { label: 'open cases', color: COLOUR.second })],
      }),
      graph('How long has the oldest case waited, hours?', {
        left: [
          scaled(`1 / ${HOURS}`, metrics.ours('OldestCaseAge', 'Maximum'), {
            label: 'the oldest',
            color: COLOUR.doubtful,
          }),
        ],
        limits: [limit(CASE_LIFE_HOURS, 'expires')],
      }),
      graph('Do expiries keep up? Behind by seconds', {
        left: [metrics.ours('CaseBacklogAge', 'Maximum', { label: 'behind, s', color: COLOUR.fourth })],
        right: [metrics.ours('CasesSwept', 'Sum', { label: 'expired', color: COLOUR.quiet })],
        limits: [limit(BACKLOG_LIMIT_SECONDS, 'the sweep is stuck')],
      }),
    ],
  ];
}
