import type { GraphedMetric } from '../../local/cloudwatch/graph-series';
import { type Expression, parseExpression } from '../../local/cloudwatch/metric-math';
import { ofType, type Properties, resourcesOf } from '../support/template';

/** A number, a series, several series, or a text: what the tables of "Using metric math" call S, TS and TS[]. */
type Kind = 'S' | 'TS' | 'TS[]' | 'text';

/** The documented signatures of the functions we use: arguments, and what comes out. Anything else only seems to work. */
const SIGNATURES: Readonly<Record<string, ReadonlyArray<readonly [args: readonly Kind[], result: Kind]>>> = {
  FILL: [[['TS', 'S'], 'TS']],
  SUM: [
    [['TS'], 'S'],
    [['TS[]'], 'TS'],
  ],
  MIN: [
    [['TS'], 'S'],
    [['TS[]'], 'TS'],
  ],
  MAX: [
    [['TS'], 'S'],
    [['TS[]'], 'TS'],
  ],
  LOG: [
    [['TS'], 'TS'],
    [['TS[]'], 'TS[]'],
  ],
  METRICS: [
    [[], 'TS[]'],
    [['text'], 'TS[]'],
  ],
  PERIOD: [[['TS'], 'S']],
  IF: (['S', 'TS'] as const).flatMap((yes) => (['S', 'TS'] as const).map((no) => [['TS', yes, no], 'TS'] as const)),
};

function kindOf(expression: Expression): Kind {
  switch (expression.kind) {
    case 'number':
      return 'S';
    case 'text':
      return 'text';
    case 'id':
      return 'TS';
    case 'negative':
      return kindOf(expression.of);
    case 'list': {
      const others = expression.members.map(kindOf).filter((kind) => kind !== 'TS');
      if (others.length > 0) throw new Error(`a list of series has a member that is ${others.join(', ')}`);
      return 'TS[]';
    }
    case 'binary': {
      const kinds = [kindOf(expression.left), kindOf(expression.right)];
      if (kinds.includes('text')) throw new Error(`${expression.operator} is not for texts`);
      return kinds.includes('TS[]') ? 'TS[]' : kinds.includes('TS') ? 'TS' : 'S';
    }
    case 'call': {
      const args = expression.args.map(kindOf);
      const found = SIGNATURES[expression.name]?.find(([wanted]) => wanted.join() === args.join());
      if (!found) throw new Error(`${expression.name}(${args.join(', ')}) is not documented`);
      return found[1];
    }
  }
}

describe.each(['sandbox', 'production'])('metric math of %s', (stage) => {
  const resources = resourcesOf(`FraudScreening-${stage}`);
  const alarms = ofType(resources, 'AWS::CloudWatch::Alarm').flatMap(({ Properties: { AlarmName, Metrics = [] } }) =>
    Metrics.flatMap(({ Expression: text }: Properties) => (text ? [[AlarmName, text, Metrics] as const] : [])),
  );

  it('of alarms is within the documented signatures, of one series, over ten metrics at most', () => {
    expect(alarms.length).toBeGreaterThan(8);
    for (const [name, text, metrics] of alarms) {
      expect([name, kindOf(parseExpression(text))]).toEqual([name, 'TS']);
      expect(metrics.filter(({ MetricStat }: Properties) => MetricStat).length).toBeLessThanOrEqual(10);
    }
  });

  it('of the dashboard is within the documented signatures', () => {
    const [dashboard] = ofType(resources, 'AWS::CloudWatch::Dashboard');
    const flat = (value: Properties): string =>
      typeof value === 'string' ? value : (value['Fn::Join']?.[1].map(flat).join('') ?? 'x');
    const { widgets } = JSON.parse(flat(dashboard?.Properties.DashboardBody));
    const texts: string[] = widgets.flatMap(({ properties }: Properties) =>
      (properties.metrics ?? []).flatMap((metric: GraphedMetric) =>
        metric.flatMap((part) => (typeof part === 'object' && part.expression ? [part.expression] : [])),
      ),
    );
    expect(texts.length).toBeGreaterThan(30);
    for (const text of texts.filter((each) => !each.startsWith('SEARCH(')))
      expect(kindOf(parseExpression(text))).toBe('TS');
  });

  it('would notice a number among series', () => {
    expect(() => kindOf(parseExpression('1 - MIN([runs, 1])'))).toThrow('a member that is S');
  });
});
