import { alarmStates, parseAlarmRule } from '../../../local/cloudwatch/alarm-states';
import { metricStore } from '../../../local/cloudwatch/metric-store';
import type { Stacks } from '../../../local/template/resolve-stacks';

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
    for (const ago of [1, 2, 3]) store.record({ namespace: 'N', name: 'Lag', dimensions: {} }, 11, NOW - ago * MINUTE);
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
