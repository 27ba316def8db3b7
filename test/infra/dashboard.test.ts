import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Dashboard, graphSeries, type MetricOptions, type Widget } from '../../local/cloudwatch/graph-series';
import { metricStore } from '../../local/cloudwatch/metric-store';
import { METRIC_CATALOGUE } from '../../shared/metrics/catalogue';
import { METRIC_NAMESPACE } from '../../shared/runtime/embedded-metrics';
import { DUE_INDEX, HISTORY_INDEX } from '../../shared/store/keys';
import { ofType, outputsOf, type Properties, resourcesOf } from '../support/template';

const RUNBOOK = readFileSync(join(__dirname, '../../docs/runbook.md'), 'utf8');

/** The metrics of AWS that the local run knows as well, so that a widget that is drawn here is drawn there. */
const AWS_METRICS: Readonly<Record<string, readonly string[]>> = {
  'AWS/ApiGateway': ['Count', '4XXError', '5XXError', 'Latency'],
  'AWS/Lambda': ['Duration', 'Errors', 'Throttles', 'ConcurrentExecutions', 'IteratorAge'],
  'AWS/DynamoDB': [
    'ConsumedReadCapacityUnits',
    'ConsumedWriteCapacityUnits',
    'ReadThrottleEvents',
    'WriteThrottleEvents',
  ],
  'AWS/SQS': ['ApproximateNumberOfMessagesVisible'],
};

interface Reference {
  readonly where: string;
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

describe.each(['sandbox', 'production'])('the dashboard of %s', (stage) => {
  const resources = resourcesOf(`FraudScreening-${stage}`);
  const [resource, ...others] = ofType(resources, 'AWS::CloudWatch::Dashboard');

  /** Text with every reference as `<logical id>`, so that dimensions can be compared. */
  const flat = (value: Properties): string => {
    if (typeof value === 'string') return value;
    if (value.Ref) return `<${value.Ref}>`;
    if (value['Fn::GetAtt']) return `<${value['Fn::GetAtt'][0]}>`;
    if (value['Fn::Join']) return value['Fn::Join'][1].map(flat).join(value['Fn::Join'][0]);
    return String(value['Fn::Select'] ?? '');
  };
  const { widgets } = JSON.parse(flat(resource?.Properties.DashboardBody)) as Dashboard;
  const graphs = widgets.filter((widget): widget is Extract<Widget, { type: 'metric' }> => widget.type === 'metric');

  const drawn = graphs.flatMap(({ properties }): Reference[] =>
    (properties.metrics ?? []).flatMap((metric) => {
      const [namespace, name, ...pairs] = metric.filter((part): part is string => typeof part === 'string');
      const dimensions = Object.fromEntries(
        pairs.flatMap((part, at) => (at % 2 === 0 ? [[part, pairs[at + 1] ?? '']] : [])),
      );
      return namespace && name ? [{ where: properties.title ?? '', namespace, name, dimensions }] : [];
    }),
  );
  const watched = ofType(resources, 'AWS::CloudWatch::Alarm').flatMap(({ Properties: alarm }): Reference[] => {
    const named = (dimensions: Properties[] = []) =>
      Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, flat(Value)]));
    const where = alarm.AlarmName;
    if (alarm.MetricName) {
      const { Namespace: namespace, MetricName: name, Dimensions } = alarm;
      return [{ where, namespace, name, dimensions: named(Dimensions) }];
    }
    return alarm.Metrics.flatMap(({ MetricStat }: Properties) =>
      MetricStat
        ? [
            {
              where,
              namespace: MetricStat.Metric.Namespace,
              name: MetricStat.Metric.MetricName,
              dimensions: named(MetricStat.Metric.Dimensions),
            },
          ]
        : [],
    );
  });
  const references = [...drawn, ...watched];

  it('is one', () => {
    expect(others).toEqual([]);
    // With the region: CloudWatch has one list of dashboards for all of them.
    expect(flat(resource?.Properties.DashboardName)).toBe(`fraud-screening-${stage}-<AWS::Region>`);
    expect(graphs.length).toBeGreaterThan(25);
    expect(watched.length).toBeGreaterThan(30);
  });

  it('draws and watches only what somebody emits', () => {
    const isEmitted = ({ namespace, name, dimensions }: Reference): boolean => {
      if (namespace !== METRIC_NAMESPACE) return AWS_METRICS[namespace]?.includes(name) ?? false;
      return name in METRIC_CATALOGUE && dimensions.stage === stage && Object.keys(dimensions).length === 1;
    };
    expect(references.filter((reference) => !isEmitted(reference))).toEqual([]);
  });

  it('searches only for what somebody emits by these dimensions', () => {
    const searches = graphs.flatMap(({ properties }) =>
      (properties.metrics ?? []).flat().flatMap((part) => {
        const { expression = '' } = typeof part === 'object' ? part : {};
        return expression.startsWith('SEARCH(') ? [expression] : [];
      }),
    );
    expect(searches).toHaveLength(1);
    for (const search of searches) {
      const [, dimensions = '', name = ''] = /\{[^,]+,([^}]+)\} MetricName="([^"]+)"/.exec(search) ?? [];
      expect(search).toContain(`{${METRIC_NAMESPACE},`);
      expect(dimensions.split(',')).toEqual(['stage', METRIC_CATALOGUE[name]?.by]);
    }
  });

  it('leaves out nothing that functions print', () => {
    const seen = JSON.stringify(graphs);
    expect(Object.keys(METRIC_CATALOGUE).filter((name) => !new RegExp(`"${name}["\\\\]`).test(seen))).toEqual([]);
  });

  it('has the questions that the runbook sends people to', () => {
    const asked = [...RUNBOOK.matchAll(/"([A-Z][^"?]*\?)"/g)].map(([, question = '']) => question.replace(/\s+/g, ' '));
    const titles = graphs.map(({ properties }) => properties.title ?? '');
    expect(asked.length).toBeGreaterThan(8);
    expect(asked.filter((question) => !titles.some((title) => title.startsWith(question)))).toEqual([]);
  });

  it('draws the limit of every alarm that tells somebody, where its metric is drawn', () => {
    // Watched as the share that is ranked wrongly, drawn as the share that is ranked rightly.
    const turnedRound = new Set([`fraud-screening-${stage}-champion-worse`]);
    const limits = ofType(resources, 'AWS::CloudWatch::Alarm').flatMap(({ Properties: alarm }) =>
      // Below one run is none: silence has no line to draw.
      alarm.AlarmActions?.length > 0 && alarm.Threshold > 0 && alarm.ComparisonOperator !== 'LessThanThreshold'
        ? [{ name: alarm.AlarmName, at: turnedRound.has(alarm.AlarmName) ? 1 - alarm.Threshold : alarm.Threshold }]
        : [],
    );
    const isDrawn = ({ name, at }: { name: string; at: number }): boolean => {
      const metrics = new Set(watched.flatMap((each) => (each.where === name ? [each.name] : [])));
      const titles = new Set(drawn.flatMap((each) => (metrics.has(each.name) ? [each.where] : [])));
      return graphs.some(
        ({ properties: { title = '', annotations } }) =>
          titles.has(title) && annotations?.horizontal?.some(({ value }) => value === at),
      );
    };
    expect(limits.length).toBeGreaterThanOrEqual(8);
    expect(limits.filter((limit) => !isDrawn(limit))).toEqual([]);
  });

  it('looks at resources of this very stack', () => {
    const idsOf = (type: string) => new Set(ofType(resources, type).map(({ id }) => `<${id}>`));
    const [api] = ofType(resources, 'AWS::ApiGateway::RestApi');
    const known: Readonly<Record<string, ReadonlySet<string>>> = {
      FunctionName: idsOf('AWS::Lambda::Function'),
      TableName: idsOf('AWS::DynamoDB::GlobalTable'),
      QueueName: idsOf('AWS::SQS::Queue'),
      GlobalSecondaryIndexName: new Set([DUE_INDEX, HISTORY_INDEX]),
      ApiName: new Set([api?.Properties.Name]),
      Stage: new Set([stage]),
      stage: new Set([stage]),
    };
    const strays = references.flatMap(({ where, dimensions }) =>
      Object.entries(dimensions)
        // The alias of a function: checked with the deployments.
        .filter(([name]) => name !== 'Resource')
        .filter(([name, value]) => !known[name]?.has(value))
        .map(([name, value]) => `${where}: ${name} is ${value}`),
    );
    expect(strays).toEqual([]);
  });

  it('is readable by the local run, every expression of it', () => {
    const store = metricStore(() => 0);
    const range = { fromMs: 0, toMs: 60_000, periodMs: 10_000 };
    for (const { properties } of graphs) {
      expect(() => graphSeries(store, properties, range)).not.toThrow();
    }
  });

  it('asks a question or names a metric in every title', () => {
    for (const { properties } of graphs) {
      expect(properties.title).toMatch(properties.view === 'singleValue' ? /^[A-Z][\w ,%]+$/ : /\?/);
    }
  });

  it('begins with what is wrong, then: is it up, is it fast, does it decide normally', () => {
    const inOrder = [...widgets].filter(({ type }) => type !== 'text').sort((a, b) => a.y - b.y || a.x - b.x);
    expect(inOrder[0]?.type).toBe('alarm');
    const titles = inOrder.slice(1, 4).map((widget) => (widget.type === 'metric' ? widget.properties.title : ''));
    expect(titles.map((title) => title?.split('?')[0])).toEqual(['Is it up', 'Is it fast', 'Does it decide normally']);
    for (const { properties } of graphs.slice(0, 3)) expect(properties.annotations?.horizontal).toHaveLength(1);
  });

  it('shows every alarm that tells somebody', () => {
    const [status] = widgets.filter(({ type }) => type === 'alarm');
    const shown = status?.type === 'alarm' ? status.properties.alarms : [];
    const all = [
      ...ofType(resources, 'AWS::CloudWatch::Alarm'),
      ...ofType(resources, 'AWS::CloudWatch::CompositeAlarm'),
    ];
    const telling = all.filter(({ Properties: { AlarmActions } }) => AlarmActions?.length > 0);
    expect([...shown].sort()).toEqual(telling.map(({ id }) => `<${id}>`).sort());
  });

  it('shows which function crashed', () => {
    const crashes = ofType(resources, 'AWS::CloudWatch::Alarm').filter(({ Properties: { AlarmName } }) =>
      AlarmName.startsWith(`fraud-screening-${stage}-crashed-`),
    );
    const [, status] = widgets.filter(({ type }) => type === 'alarm');
    const shown = status?.type === 'alarm' ? status.properties.alarms : [];
    expect([...shown].sort()).toEqual(crashes.map(({ id }) => `<${id}>`).sort());
  });

  it('says so when nobody hears of alarms, as does the end of a deployment', () => {
    const [notice] = widgets.filter(({ type }) => type === 'text');
    expect(JSON.stringify(notice)).toContain('NOBODY hears of alarms yet');
    expect(outputsOf(`FraudScreening-${stage}`).AlarmRecipients?.Value).toContain('NOBODY');
  });

  it('has titles that fit a window of 1280 px', () => {
    // 24 columns of 52 px, 24 px of padding, about 6.7 px per letter of a title.
    const tooLong = graphs.filter(
      ({ width, properties: { title = '' } }) => title.length > Math.floor((width * 52 - 24) / 6.7),
    );
    expect(tooLong.map(({ properties: { title } }) => title)).toEqual([]);
  });

  it('fits its grid: nothing wider than 24 columns, no two ids alike in a graph', () => {
    for (const { x, width } of widgets) expect(x + width).toBeLessThanOrEqual(24);
    for (const { properties } of graphs) {
      const ids = (properties.metrics ?? []).flatMap((metric) =>
        metric.flatMap((part) => (typeof part === 'object' && (part as MetricOptions).id ? [part.id] : [])),
      );
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});
