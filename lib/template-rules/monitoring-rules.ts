import { ruleFor, type TemplateRule, textOf, type Value } from './synthesized-app';

const ALARM = 'AWS::CloudWatch::Alarm';
const CLOUDWATCH = 'https://docs.aws.amazon.com/AmazonCloudWatch/latest';
const DAY = 86_400;
const MAX_ALARM_METRICS = 10;
const MAX_CHILDREN = 100;
const MAX_WIDGETS = 500;
const MAX_SERIES = 500;
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const metricsOf = ({ Metrics }: Value): readonly Value[] => Metrics ?? [];

/** The words of an expression that are names of metrics: functions and strings left out. */
const namesIn = (expression: string): readonly string[] =>
  [...expression.replace(/'[^']*'|"[^"]*"/g, '').matchAll(/\b([a-z]\w*)\b(?!\s*\()/g)].map(([, name = '']) => name);

export const monitoringRules: readonly TemplateRule[] = [
  ruleFor('alarm-periods', `${CLOUDWATCH}/APIReference/API_PutMetricAlarm.html`, ALARM, ({ Properties: p }) => {
    const periods = [p.Period, ...metricsOf(p).map(({ Period, MetricStat }) => Period ?? MetricStat?.Period)].filter(
      (each) => each !== undefined,
    );
    const odd = periods.find((period) => ![10, 20, 30].includes(period) && (period < 60 || period % 60 !== 0));
    if (odd !== undefined) return `A period of ${odd} s is not 10, 20, 30 or a multiple of 60.`;
    const longest = Math.max(...periods, 0);
    const limit = longest < 3_600 ? DAY : 7 * DAY;
    const total = longest * p.EvaluationPeriods;
    return total > limit && `It looks back ${total} s of ${limit}. Lower EvaluationPeriods or raise the period.`;
  }),
  ruleFor(
    'alarm-datapoints',
    `${CLOUDWATCH}/APIReference/API_PutMetricAlarm.html`,
    ALARM,
    ({ Properties: p }) =>
      p.DatapointsToAlarm > p.EvaluationPeriods &&
      `DatapointsToAlarm ${p.DatapointsToAlarm} is more than EvaluationPeriods ${p.EvaluationPeriods}.`,
  ),
  ruleFor('alarm-metrics', `${CLOUDWATCH}/monitoring/alarm-limits.html`, ALARM, ({ Properties: p }) => {
    const stats = metricsOf(p).filter(({ MetricStat }) => MetricStat).length;
    return (
      stats > MAX_ALARM_METRICS &&
      `It reads ${stats} metrics of ${MAX_ALARM_METRICS}. Split it and join the parts in a composite alarm.`
    );
  }),
  ruleFor('alarm-expression', `${CLOUDWATCH}/monitoring/using-metric-math.html`, ALARM, ({ Properties: p }) => {
    const metrics = metricsOf(p);
    if (metrics.length === 0) return undefined;
    const ids = metrics.map(({ Id }) => Id);
    if (new Set(ids).size < ids.length || ids.some((id) => !/^[a-z]\w*$/.test(id)))
      return 'The Ids of metrics are unique and begin with a small letter.';
    if (metrics.filter(({ ReturnData = true }) => ReturnData).length !== 1)
      return 'Exactly one of its metrics has ReturnData true.';
    for (const { Expression } of metrics) {
      if (Expression === undefined) continue;
      if (/\bSEARCH\s*\(/.test(Expression)) return 'An alarm cannot use SEARCH.';
      const unknown = namesIn(Expression).find((name) => !ids.includes(name));
      if (unknown) return `${Expression} reads ${unknown}, which no metric is called.`;
    }
    return undefined;
  }),
  ruleFor(
    'composite-children',
    `${CLOUDWATCH}/APIReference/API_PutCompositeAlarm.html`,
    'AWS::CloudWatch::CompositeAlarm',
    (alarm, app) => {
      const rule = textOf(alarm.Properties.AlarmRule);
      const named = rule.match(/\b(?:ALARM|OK|INSUFFICIENT_DATA)\s*\(/g)?.length ?? 0;
      if (named > MAX_CHILDREN) return `It reads ${named} alarms of ${MAX_CHILDREN}. Put a composite alarm between.`;
      const before = [...app.before(alarm)].map(({ Properties }) => textOf(Properties.AlarmName ?? ''));
      const literal = [...rule.matchAll(/\((?:"([^"x][^"]*)"|([\w-]+))\)/g)].map(
        ([, quoted, bare]) => quoted ?? bare ?? '',
      );
      const late = literal.find((name) => !/^x+$/.test(name) && !before.includes(name.replace(/^arn:.*:alarm:/, '')));
      return late && `It names ${late}, which may not exist yet. Refer to the alarm, or add it to DependsOn.`;
    },
  ),
  ruleFor(
    'dashboard-body',
    `${CLOUDWATCH}/APIReference/CloudWatch-Dashboard-Body-Structure.html`,
    'AWS::CloudWatch::Dashboard',
    ({ Properties: p }) => {
      if (!/^[\w-]{1,255}$/.test(textOf(p.DashboardName ?? 'x')))
        return 'A DashboardName has letters, digits, - and _ only.';
      let widgets: readonly Value[];
      try {
        ({ widgets } = JSON.parse(textOf(p.DashboardBody)));
      } catch {
        return 'Its body is not JSON.';
      }
      if (widgets.length > MAX_WIDGETS) return `It has ${widgets.length} widgets of ${MAX_WIDGETS}.`;
      const wide = widgets.find(
        ({ x = 0, width = 6, height = 6 }) => x + width > 24 || height > 1_000 || width < 1 || height < 1,
      );
      if (wide) return `A widget at ${wide.x} is ${wide.width} wide and ${wide.height} high: 24 columns, 1,000 rows.`;
      const dense = widgets.find(({ properties }) => (properties?.metrics?.length ?? 0) > MAX_SERIES);
      return dense && `A widget has ${dense.properties.metrics.length} metrics of ${MAX_SERIES}.`;
    },
  ),
  ruleFor(
    'log-group',
    'https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html',
    'AWS::Logs::LogGroup',
    ({ Properties: p }) => {
      if (p.RetentionInDays !== undefined && !RETENTION_DAYS.includes(p.RetentionInDays))
        return `RetentionInDays is ${p.RetentionInDays}. Choose one of ${RETENTION_DAYS.join(', ')}.`;
      const name = p.LogGroupName === undefined ? 'x' : textOf(p.LogGroupName);
      return (
        (!/^[\w./#-]+$/.test(name) || name.startsWith('aws/')) &&
        `${name} is not the name of a log group: letters, digits, and . _ - / # only.`
      );
    },
  ),
  ruleFor(
    'deployment-alarms-exist',
    'https://docs.aws.amazon.com/codedeploy/latest/userguide/monitoring-create-alarms.html',
    'AWS::CodeDeploy::DeploymentGroup',
    (group, app) => {
      const alarms: readonly Value[] = group.Properties.AlarmConfiguration?.Alarms ?? [];
      const late = alarms.find(({ Name }) => !app.targets(group.stack, Name).some(({ Type }) => /Alarm$/.test(Type)));
      return late && `It watches ${textOf(late.Name)}, which may not exist yet. Refer to the alarm.`;
    },
  ),
  ruleFor(
    'schedule-expression',
    'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html',
    'AWS::Events::Rule',
    ({ Properties: { ScheduleExpression: text } }) => {
      if (text === undefined) return undefined;
      const [, count, unit] = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(text) ?? [];
      if (unit) return (count === '1') === text.endsWith('s)') && `${text}: one ${unit}, or several ${unit}s.`;
      const fields = /^cron\((.+)\)$/.exec(text)?.[1]?.split(' ') ?? [];
      if (fields.length !== 6) return `${text} is neither rate(5 minutes) nor cron() with six fields.`;
      return (fields[2] === '?') === (fields[4] === '?') && `${text}: exactly one of day-of-month and day-of-week is ?`;
    },
  ),
  ruleFor(
    'slack-channel',
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-chatbot-slackchannelconfiguration.html',
    'AWS::Chatbot::SlackChannelConfiguration',
    ({ Properties: p }) => {
      if (!/^[A-Za-z0-9-_]{1,128}$/.test(textOf(p.ConfigurationName)))
        return `ConfigurationName ${textOf(p.ConfigurationName)}: letters, digits, - and _ only.`;
      return (
        !(/^[0-9A-Z]{1,255}$/.test(p.SlackWorkspaceId) && /^[A-Za-z0-9]+$/.test(p.SlackChannelId)) &&
        'SlackWorkspaceId and SlackChannelId are IDs, such as T0123ABCD and C0456EFGH.'
      );
    },
  ),
];
