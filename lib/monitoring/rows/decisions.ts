import { type IWidget, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { SIGNALS } from '../../../shared/domain/screening/signals';
import { signalNumber } from '../../../shared/metrics/screening-metrics';
import { METRIC_NAMESPACE, STAGE_DIMENSION } from '../../../shared/runtime/embedded-metrics';
import {
  BACKLOG_LIMIT_SECONDS,
  DEGRADED_LIMIT_PERCENT,
  DRIFT_LIMIT,
  degradedPercent,
  INTELLIGENCE_LIMIT_DAYS,
  RANKED_WRONGLY_LIMIT,
  RULE_LIMIT_PERCENT,
} from '../stage-alarms';
import { bars, COLOUR, graph, heading, limit, math, type StageMetrics, scaled } from '../widgets';
import type { DashboardParts } from './requests';

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
const DAYS = 24 * HOURS;
const CASE_LIFE_HOURS = 168;

type Banded = 'RiskScore' | 'ScoreDecile' | 'FiredSignals';

/** Trimmed counts: CloudWatch counts values above the first number up to and including the second. */
const countBetween = (metrics: StageMetrics, name: Banded, low: number | '', high: number) =>
  metrics.ours(name, `TC(${low}:${high})`);

const COLOUR_OF = { block: COLOUR.bad, review: COLOUR.doubtful, challenge: COLOUR.first, allow: COLOUR.good } as const;
const WORST_FIRST = ['block', 'review', 'challenge', 'allow'] as const;

const byDecision = (metrics: StageMetrics): MathExpression[] =>
  WORST_FIRST.map((decision) =>
    math(`${decision} / PERIOD(${decision})`, { [decision]: metrics.decided(decision) }).with({
      label: decision,
      color: COLOUR_OF[decision],
    }),
  );

const byRule = (metrics: StageMetrics): MathExpression =>
  math(
    'SUM(METRICS())',
    Object.fromEntries(WORST_FIRST.map((decision) => [decision, metrics.decidedByRule(decision)])),
  ).with({ label: 'screenings decided by rules', color: COLOUR.quiet });

function scoreBands(metrics: StageMetrics): MathExpression[] {
  const all = metrics.ours('RiskScore', 'SampleCount');
  return RAMP.map((color, band) => {
    const [from, to] = [band * 10, band === 9 ? 100 : band * 10 + 9];
    const counted = { [`band${band}`]: countBetween(metrics, 'RiskScore', band === 0 ? '' : from - 1, to), all };
    return math(`100 * band${band} / all`, counted).with({ label: `${from}–${to}`, color });
  });
}

/**
 * How far scores have moved since training. Each decile should hold a tenth of the screenings; half a screening is added
 * to each, so that an empty decile has a logarithm.
 */
export function scoreDrift(metrics: StageMetrics): MathExpression {
  const tenths = Array.from({ length: 10 }, (_, at) => `d${at}`);
  const share = (id: string) => `((${id} + 0.5) / (SUM(METRICS("d")) + 5))`;
  const terms = tenths.map((id) => `(${share(id)} - 0.1) * LOG(10 * ${share(id)})`);
  const counts = tenths.map((id, at) => [id, countBetween(metrics, 'ScoreDecile', at + 0.5, at + 1.5)] as const);
  return math(terms.join(' + '), Object.fromEntries(counts));
}

/** How often a signal fired: all signals share one metric, by number. */
const firedCount = (metrics: StageMetrics, signal: string): Metric => {
  const number = signalNumber(signal);
  return countBetween(metrics, 'FiredSignals', number - 0.5, number + 0.5).with({ label: signal });
};

export function decisions({ metrics }: DashboardParts): IWidget[][] {
  const search = `{${METRIC_NAMESPACE},${STAGE_DIMENSION},model_version} MetricName="ScreeningsByModel" ${STAGE_DIMENSION}="${metrics.stage}"`;
  const byModel = new MathExpression({ expression: `SEARCH('${search}', 'Sum', 60)`, label: '' });
  return [
    [heading('## Decisions: what does it decide, and does the model still fit the traffic?')],
    [
      graph('What does it decide? Screenings per second', { left: byDecision(metrics), stacked: true, height: 8 }),
      graph('How are scores distributed? Share by score, %', {
        left: scoreBands(metrics),
        stacked: true,
        max: 100,
        height: 8,
      }),
      bars(
        'Which signals fire? Screenings in this time range',
        SIGNALS.map(({ name }) => firedCount(metrics, name)),
        8,
        8,
      ),
    ],
    [
      graph('Which model decides? Screenings', {
        left: [byModel],
        stacked: true,
        width: 6,
      }),
      graph('Has traffic drifted? PSI against training', {
        left: [
          scoreDrift(metrics).with({ label: 'all scores, now', color: COLOUR.second }),
          metrics.ours('ScoreDrift', 'Maximum', {
            label: 'labelled, at the last training run',
            color: COLOUR.fourth,
          }),
        ],
        limits: [{ value: 0.1, label: 'worth a look', color: COLOUR.doubtful }, limit(DRIFT_LIMIT, 'retrain')],
        width: 6,
      }),
      graph('Does the model find fraud? AUC', {
        left: [metrics.ours('ChampionAuc', 'Minimum', { label: 'champion', color: COLOUR.first })],
        right: [
          scaled(`1 / ${DAYS}`, metrics.ours('ChampionAge', 'Maximum'), {
            label: 'age, days',
            color: COLOUR.quiet,
          }),
          metrics.ours('BetterModelsRefused', 'Sum', { label: 'better models refused', color: COLOUR.third }),
        ],
        limits: [limit(1 - RANKED_WRONGLY_LIMIT, 'of little use below this')],
        min: 0.5,
        max: 1,
        width: 6,
      }),
      graph('Does it learn? Labels since training', {
        left: [metrics.ours('LabelsSinceTraining', 'Maximum', { label: 'labels', color: COLOUR.first })],
        right: [
          metrics.ours('TrainingRuns', 'Sum', { label: 'training runs', color: COLOUR.quiet }),
          metrics.ours('InboundOutcomes', 'Sum', { label: 'outcomes from processors', color: COLOUR.third }),
          metrics.ours('InboundSetAside', 'Sum', { label: 'notifications set aside', color: COLOUR.fourth }),
          metrics.ours('ShadowsStarted', 'Sum', { label: 'shadows started', color: COLOUR.second }),
          metrics.ours('Promotions', 'Sum', { label: 'models promoted', color: COLOUR.good }),
          metrics.ours('ModelsRefused', 'Sum', { label: 'models refused', color: COLOUR.doubtful }),
          metrics.ours('LabelsHeld', 'Maximum', {
            label: 'labels held: npm run model -- labels list',
            color: COLOUR.bad,
          }),
        ],
        width: 6,
      }),
    ],
    [
      graph('Are screenings complete? Degraded, %', {
        left: [degradedPercent(metrics).with({ label: 'degraded', color: COLOUR.doubtful })],
        right: [
          metrics.ours('FailedSignals', 'Sum', { label: 'failed signals', color: COLOUR.bad }),
          metrics.ours('FailedRules', 'Sum', { label: 'failed rules', color: COLOUR.third }),
          metrics.ours('ModelRefreshFailures', 'Sum', { label: 'models not loaded', color: COLOUR.second }),
          metrics.ours('IntelligenceRefreshFailures', 'Sum', { label: 'tables not loaded', color: COLOUR.fourth }),
        ],
        limits: [limit(DEGRADED_LIMIT_PERCENT, 'too many')],
        width: 6,
      }),
      graph('Does a rule decide too much? Share, %', {
        left: [
          metrics.ours('RuleShare', 'Maximum', { label: 'one rule, of its account’s traffic', color: COLOUR.second }),
        ],
        right: [byRule(metrics)],
        limits: [limit(RULE_LIMIT_PERCENT, 'ask the account')],
        width: 6,
      }),
      graph('How old is the oldest open case? Hours', {
        left: [
          scaled(`1 / ${HOURS}`, metrics.ours('OldestCaseAge', 'Maximum'), {
            label: 'oldest',
            color: COLOUR.doubtful,
          }),
        ],
        right: [metrics.ours('OpenCases', 'Maximum', { label: 'open cases', color: COLOUR.second })],
        limits: [limit(CASE_LIFE_HOURS, 'cases expire')],
        width: 6,
      }),
      graph('Is the case sweep on time? Lag, s', {
        left: [metrics.ours('CaseBacklogAge', 'Maximum', { label: 'behind, s', color: COLOUR.fourth })],
        right: [metrics.ours('HeldOutcomesApplied', 'Sum', { label: 'outcomes applied late', color: COLOUR.third })],
        limits: [limit(BACKLOG_LIMIT_SECONDS, 'sweep is stuck')],
        width: 6,
      }),
    ],
    [
      graph('How old is the address table? Days', {
        left: [metrics.ours('IntelligenceAge', 'Maximum', { label: 'oldest source', color: COLOUR.doubtful })],
        limits: [limit(INTELLIGENCE_LIMIT_DAYS, 'npm run intelligence -- update')],
        width: 6,
      }),
    ],
  ];
}
