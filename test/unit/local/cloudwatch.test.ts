import { type AlarmStatus, alarmStates, parseAlarmRule } from '../../../local/cloudwatch/alarm-states';
import type { MetricProperties, Widget } from '../../../local/cloudwatch/graph-series';
import { evaluateMath } from '../../../local/cloudwatch/metric-math';
import { metricStore, type Points } from '../../../local/cloudwatch/metric-store';
import { dashboardPages, runbookLink } from '../../../local/dashboard/dashboard-page';
import { localPage } from '../../../local/gateway/local-pages';
import type { Stacks } from '../../../local/template/resolve-stack';

describe('alarm states', () => {
  const NOW = 1_000_000_000_000;
  const MINUTE = 60_000;

  const late = {
    AlarmName: 'late',
    Namespace: 'N',
    MetricName: 'Lag',
    Statistic: 'Maximum',
    Period: 60,
    Threshold: 10,
    ComparisonOperator: 'GreaterThanThreshold',
    EvaluationPeriods: 5,
    DatapointsToAlarm: 3,
    TreatMissingData: 'notBreaching',
  };

  /** The states of these alarms once the values were recorded, each so many minutes ago. */
  function statesOf(
    alarms: readonly object[],
    minutesAgo: Readonly<Record<number, number>>,
    { composites = [] }: { composites?: readonly object[] } = {},
  ) {
    const resources = (all: readonly object[]) =>
      all.map((properties) => {
        const { AlarmName } = properties as typeof late;
        return { id: AlarmName, ref: AlarmName, properties, attribute: () => `arn:${AlarmName}` };
      });
    const ofType = (type: string) => resources(type === 'AWS::CloudWatch::Alarm' ? alarms : composites);
    const store = metricStore(() => NOW);
    for (const [ago, value] of Object.entries(minutesAgo)) {
      store.record({ namespace: 'N', name: 'Lag', dimensions: {} }, value, NOW - Number(ago) * MINUTE);
    }
    const states = alarmStates({ ofType } as unknown as Stacks, store)(NOW);
    return Object.fromEntries(states.map(({ name, state }) => [name, state]));
  }

  describe('the state of an alarm', () => {
    it('is ALARM from as many bad periods on as it asks for, in any order', () => {
      expect(statesOf([late], { 1: 11, 3: 11 })).toEqual({ late: 'OK' });
      expect(statesOf([late], { 1: 11, 3: 11, 5: 11 })).toEqual({ late: 'ALARM' });
      expect(statesOf([late], { 1: 11, 3: 11, 5: 10 })).toEqual({ late: 'OK' });
      expect(statesOf([late], { 6: 11, 7: 11, 8: 11 })).toEqual({ late: 'OK' });
    });

    it('says that it knows nothing, where silence is neither good nor bad', () => {
      expect(statesOf([{ ...late, TreatMissingData: 'missing' }], {})).toEqual({ late: 'INSUFFICIENT_DATA' });
    });

    it('takes silence as bad where the alarm does, from its creation on, as CloudWatch does', () => {
      expect(statesOf([{ ...late, TreatMissingData: 'breaching' }], {})).toEqual({ late: 'ALARM' });
    });

    it('stays as it was where missing data is ignored, which it always is for metrics of DynamoDB', () => {
      const ignoring = { ...late, TreatMissingData: 'ignore' };
      const ofTable = { ...late, Namespace: 'AWS/DynamoDB', TreatMissingData: 'notBreaching' };
      expect(statesOf([ignoring], {})).toEqual({ late: 'INSUFFICIENT_DATA' });
      expect(statesOf([ofTable], {})).toEqual({ late: 'INSUFFICIENT_DATA' });
      let now = NOW;
      const store = metricStore(() => now);
      const resource = { properties: ignoring, attribute: () => 'arn:late' };
      const stacks = { ofType: (type: string) => (type === 'AWS::CloudWatch::Alarm' ? [resource] : []) };
      const states = alarmStates(stacks as unknown as Stacks, store);
      for (const ago of [1, 2, 3])
        store.record({ namespace: 'N', name: 'Lag', dimensions: {} }, 11, NOW - ago * MINUTE);
      expect(states(now)[0]?.state).toBe('ALARM');
      now = NOW + 20 * MINUTE;
      expect(states(now)[0]?.state).toBe('ALARM');
    });

    it('is told by metric math, whose period is that of its metrics', () => {
      const { Period, MetricName, Namespace, Statistic, ...rest } = late;
      const metric = { Metric: { Namespace: 'N', MetricName: 'Lag' }, Period: 6 * 3_600, Stat: 'Sum' };
      const doubled = {
        ...rest,
        EvaluationPeriods: 1,
        DatapointsToAlarm: 1,
        TreatMissingData: 'breaching',
        Metrics: [
          { Id: 'twice', Expression: '2 * lag' },
          { Id: 'lag', MetricStat: metric, ReturnData: false },
        ],
      };
      expect(statesOf([doubled], { 100: 3, 200: 3 })).toEqual({ late: 'ALARM' });
      expect(statesOf([doubled], { 100: 2, 200: 3 })).toEqual({ late: 'OK' });
      expect(statesOf([doubled], {})).toEqual({ late: 'ALARM' });
    });

    it('of a composite follows from those of its parts', () => {
      const other = { ...late, AlarmName: 'later', Threshold: 20 };
      const both = { AlarmName: 'both', AlarmRule: '(ALARM("arn:late") AND ALARM("arn:later"))' };
      const composites = [both];
      expect(statesOf([late, other], { 1: 11, 2: 11, 3: 11 }, { composites })).toMatchObject({ both: 'OK' });
      expect(statesOf([late, other], { 1: 21, 2: 21, 3: 21 }, { composites })).toMatchObject({ both: 'ALARM' });
    });

    it('is not guessed at: a comparison that is not known is an error', () => {
      expect(() => statesOf([{ ...late, ComparisonOperator: 'Odd' }], {})).toThrow(/uses Odd/);
    });
  });

  describe('the rule of a composite alarm', () => {
    const goesOff = (rule: string) => parseAlarmRule(rule)((name) => (name === 'bad' ? 'ALARM' : 'OK'));

    it.each([
      ['ALARM("bad")', true],
      ['NOT ALARM("bad")', false],
      ['OK("good") AND ALARM("bad")', true],
      ['ALARM("good") OR ALARM("good") AND ALARM("bad")', false],
      ['(ALARM("good") OR ALARM("bad")) AND NOT (ALARM("good"))', true],
      ['INSUFFICIENT_DATA("good") OR FALSE', false],
      ['TRUE', true],
    ])('%s', (rule, expected) => expect(goesOff(rule)).toBe(expected));

    it.each(['', 'ALARM("bad"', 'ALARM("a") ALARM("b")', '(ALARM("a")', 'ALARM("a") AND', 'XOR("a")'])(
      'refuses %p',
      (rule) => expect(() => goesOff(rule)).toThrow(/the alarm rule/),
    );
  });
});

describe('dashboard page', () => {
  const NOW = 1_000_000_000_000;
  const HOSTILE = '"><img src=x onerror=alert(1)>';
  const gridArea = { x: 0, y: 0, width: 8, height: 6 };
  const graph = (properties: MetricProperties): Widget => ({ type: 'metric', ...gridArea, properties });
  const latency = ['N', 'Latency', 'stage', 'sandbox', { stat: 'Maximum', label: 'slowest' }] as const;

  /** The page of a dashboard with this one widget, after a request that took 100 ms. */
  async function drawn(
    widget: Widget,
    alarms: readonly AlarmStatus[] = [],
    stepMs = 60_000,
    agos: readonly number[] = [1, 2, 3],
  ): Promise<string> {
    const store = metricStore(() => NOW);
    for (const ago of agos) {
      store.record({ namespace: 'N', name: 'Latency', dimensions: { stage: 'sandbox' } }, 100, NOW - ago * stepMs);
    }
    const dashboards = [{ name: 'd', widgets: [widget] }];
    const pages = dashboardPages({ dashboards, store, alarms: () => alarms, now: () => NOW });
    return String((await localPage(pages, 'GET', '/_local/dashboard?range=5m')).body);
  }
  const withLimit = (value: number) =>
    drawn(
      graph({ title: 'Is it fast?', metrics: [latency], annotations: { horizontal: [{ value, label: 'too slow' }] } }),
    );

  describe('a graph', () => {
    it('has a line for what was measured, and says so to those who hear the page', async () => {
      const page = await drawn(graph({ title: 'Is it fast?', metrics: [latency] }));
      expect(page).toContain('data-series="1"');
      expect(page).toContain('aria-label="Is it fast?: slowest 100"');
    });

    it('draws a limit to scale where it is near, and names one that is far away', async () => {
      expect(await withLimit(200)).toContain('<line class="limit"');
      const far = await withLimit(100_000);
      expect(far).not.toContain('<line class="limit"');
      expect(far).toContain('too slow <b>100K</b>');
    });

    it('draws sparse values as points: a line through them would say that there were values in between', async () => {
      const page = await drawn(graph({ title: 'x?', metrics: [latency] }));
      expect(page.split('<circle').length - 1).toBe(3);
      expect(page).not.toContain('<polyline');
      // Of a run that has just begun, values are few but next to each other.
      expect(await drawn(graph({ title: 'x?', metrics: [latency] }), [], 5_000)).toContain('<polyline');
      // Between two busy minutes nobody knows: two lines, not one with a ramp.
      const busy = await drawn(graph({ title: 'x?', metrics: [latency] }), [], 5_000, [1, 2, 3, 4, 5, 20, 21, 22, 23]);
      expect(busy.split('<polyline').length - 1).toBe(2);
    });

    it('without data says that there is none, and one that cannot be drawn says why', async () => {
      expect(await drawn(graph({ title: 'x?', metrics: [['N', 'Other']] }))).toContain('No data yet.');
      expect(await drawn(graph({ title: 'x?', metrics: [[{ expression: 'ODD(1)' }]] }))).toContain('Cannot be drawn');
    });

    it('shows a name as a name, whatever is in it', async () => {
      const page = await drawn(
        graph({ title: HOSTILE, metrics: [['N', 'Latency', 'stage', 'sandbox', { label: HOSTILE }]] }),
      );
      expect(page).not.toContain('<img');
      expect(page).toContain('&lt;img');
    });
  });

  describe('alarms', () => {
    const alarm = (over: Partial<AlarmStatus>): AlarmStatus => ({
      name: 'fraud-screening-sandbox-latency',
      arn: 'arn:latency',
      state: 'OK',
      description: 'Act now: slow. Runbook: docs/runbook.md#latency',
      ...over,
    });
    const widget: Widget = {
      type: 'alarm',
      ...gridArea,
      properties: { title: 'What is wrong?', alarms: ['arn:latency', 'arn:b'] },
    };

    it('are named, those that are off first, each with a link to its section of the runbook', async () => {
      const page = await drawn(widget, [
        alarm({}),
        alarm({ arn: 'arn:b', name: 'b', state: 'ALARM' }),
        alarm({ arn: 'arn:c' }),
      ]);
      expect(page).toContain('data-series="2"');
      expect(page).toContain('<a href="docs/runbook.html#latency"');
      expect(page.indexOf('in alarm')).toBeLessThan(page.indexOf('<small>ok'));
    });

    it('lead to a runbook of your own where the deployment names one', () => {
      expect(runbookLink('Act now: x. Runbook: https://wiki.example/r#latency')).toBe('https://wiki.example/r#latency');
    });
  });

  it('a notice is bold, without the asterisks that say so, and shows markup as text', async () => {
    const page = await drawn({ type: 'text', ...gridArea, properties: { markdown: `## **Nobody hears** ${HOSTILE}` } });
    expect(page).toContain('<strong>Nobody hears</strong>');
    expect(page).not.toContain('**');
    expect(page).not.toContain('<img');
  });
});

describe('metric math', () => {
  const SERIES: Readonly<Record<string, Points>> = {
    a: [1, 2, undefined, 4],
    b: [10, undefined, 30, 0],
    d1: [1, 1, undefined, 1],
    d2: [2, undefined, undefined, 2],
  };
  const evaluate = (text: string) =>
    evaluateMath(text, {
      series: (id) => {
        const found = SERIES[id];
        if (!found) throw new Error(`no ${id}`);
        return found;
      },
      metrics: (containing) => Object.keys(SERIES).flatMap((id) => (id.includes(containing) ? [SERIES[id] ?? []] : [])),
      periodMs: 60_000,
      length: 4,
    });
  const none = undefined;

  describe('metric math', () => {
    it.each<[string, unknown]>([
      ['1 + 2 * 3', 7],
      ['(1 + 2) * 3 ^ 2', 27],
      ['-2 + 3', 1],
      ['10 - 2 - 3', 5],
      ['1.5e-3 * 2', 0.003],
      ['1 < 2 AND 2 <= 2 OR 0', 1],
      ['1 == 2 || 3 != 3', 0],
      ['a + b', [11, none, none, 4]],
      ['100 * a / b', [10, none, none, none]],
      ['FILL(a, 0)', [1, 2, 0, 4]],
      ['FILL(a, 0) + FILL(b, 5)', [11, 7, 30, 4]],
      ['IF(b >= 10, a, 0)', [1, none, none, 0]],
      ['IF(a > 1, 1, 0)', [0, 1, none, 1]],
      ['SUM(a)', 7],
      ['MAX(b)', 30],
      ['SUM([a, b])', [11, 2, 30, 4]],
      ['SUM(METRICS("d"))', [3, 1, none, 3]],
      ['SUM(METRICS())', [14, 3, 30, 7]],
      ['AVG([a, b])', [5.5, 2, 30, 2]],
      ['a / PERIOD(a)', [1 / 60, 2 / 60, none, 4 / 60]],
      ['LOG(1)', 0],
      ['ABS(a - b)', [9, none, none, 4]],
    ])('%s', (text, expected) => {
      expect(evaluate(text)).toEqual(expected);
    });

    it('applies an operator to each of several series', () => {
      expect(evaluate('METRICS("d") * 2')).toEqual({
        list: [
          [2, 2, none, 2],
          [4, none, none, 4],
        ],
      });
    });

    it.each(['a +', '(a', 'a b', 'FORECAST(a)', 'x', '"a" + 1', 'IF(a)', '#'])('refuses %s, aloud', (text) => {
      expect(() => evaluate(text)).toThrow();
    });
  });
});

describe('metric store', () => {
  const NOW = 1_000_000_000_000;
  const metric = (over: object = {}) => ({ namespace: 'N', name: 'M', dimensions: { stage: 'sandbox' }, ...over });
  const last = (ms: number, periodMs = ms) => ({ fromMs: NOW - ms, toMs: NOW, periodMs });

  describe('the store of metrics', () => {
    const filled = () => {
      const store = metricStore(() => NOW);
      for (let value = 1; value <= 100; value++) store.record(metric(), value, NOW - 30_000);
      return store;
    };

    it.each([
      ['Sum', 5_050],
      ['SampleCount', 100],
      ['Average', 50.5],
      ['Minimum', 1],
      ['Maximum', 100],
      ['p50', 50],
      ['p99', 99],
      ['p99.9', 100],
      ['TC(0:10)', 10],
      ['TC(90:100)', 10],
      ['TC(90:)', 10],
      ['PR(:25)', 25],
    ])('%s', (stat, expected) => {
      expect(filled().points(metric(), stat, last(60_000))).toEqual([expected]);
    });

    it('refuses a statistic that it does not know', () => {
      expect(() => filled().points(metric(), 'tm99', last(60_000))).toThrow('tm99');
    });

    it('tells periods, names, namespaces and dimensions apart', () => {
      const store = metricStore(() => NOW);
      store.record(metric(), 1, NOW - 15_000);
      store.record(metric(), 2, NOW - 5_000);
      store.record(metric({ name: 'Other' }), 4, NOW - 5_000);
      store.record(metric({ namespace: 'Other' }), 8, NOW - 5_000);
      store.record(metric({ dimensions: { stage: 'production' } }), 16, NOW - 5_000);
      expect(store.points(metric(), 'Sum', last(20_000, 10_000))).toEqual([1, 2]);
      expect(store.points(metric(), 'Sum', last(30_000, 10_000))).toEqual([undefined, 1, 2]);
      expect(store.points(metric({ name: 'Nobody' }), 'Sum', last(20_000, 10_000))).toEqual([undefined, undefined]);
      expect(store.known()).toHaveLength(4);
    });

    it('finds a metric whatever the order of its dimensions', () => {
      const store = metricStore(() => NOW);
      store.record(metric({ dimensions: { a: '1', b: '2' } }), 7, NOW - 5_000);
      expect(store.points(metric({ dimensions: { b: '2', a: '1' } }), 'Sum', last(10_000))).toEqual([7]);
    });

    it('forgets what is older than alarms look back', () => {
      let now = NOW;
      const store = metricStore(() => now);
      store.record(metric(), 1);
      now += 8 * 3_600_000;
      store.record(metric(), 2);
      const day = { fromMs: NOW - 60_000, toMs: now + 5_000, periodMs: 24 * 3_600_000 };
      expect(store.points(metric(), 'Sum', day)).toEqual([2]);
    });
  });
});
