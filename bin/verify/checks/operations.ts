import type { MetricName } from '../../../shared/metrics/catalogue';
import { type Check, CheckSkipped, must, type SeenAlarm } from '../check';

/** Outputs by which command lines and people find a stage. */
const REQUIRED = [
  'ApiUrl',
  'TableName',
  'UsagePlanId',
  'DataKeySecretId',
  'ModelRegistryBucket',
  'DeadLetterQueueUrl',
  'RetryQueueUrl',
] as const;

export const outputs: Check = {
  name: 'outputs',
  proves: 'the stack has every output that people and command lines need',
  needs: 'operator',
  async run({ operator }) {
    const found = (await operator?.outputs()) ?? {};
    const missing = REQUIRED.filter((name) => !found[name]);
    must(missing.length === 0, `The stack has no output ${missing.join(', ')}. Deploy this version of the service.`);
    const { AlarmRecipients: recipients = 'there are no alarms (-c alarms=off)', ConsoleUrl: page } = found;
    return [`alarms: ${recipients}`, ...(page ? [] : ['no review console (-c console=off)'])].join('; ');
  },
};

export const schedules: Check = {
  name: 'schedules',
  proves: 'sweeps and training run without an error or a refusal',
  needs: 'operator',
  async run({ operator }) {
    const runs = (await operator?.runSchedules()) ?? [];
    must(runs.length >= 3, `Only ${runs.length} scheduled functions were found; there should be at least 3.`);
    const failed = runs.filter(({ error }) => error !== undefined);
    must(failed.length === 0, failed.map(({ name, error }) => `${name} failed: ${error}`).join(' '));
    const denials = (await operator?.denials()) ?? [];
    must(denials.length === 0, `IAM refused: ${denials.join('; ')}`);
    return runs.map(({ name }) => name).join(', ');
  },
};

export const functions: Check = {
  name: 'functions',
  proves: 'the checks have invoked every function of the stage',
  needs: 'operator',
  async run({ operator, until, startedMs }) {
    let left: readonly string[] = [];
    const all = await until(
      operator?.metricDelayMs ?? 0,
      async () => {
        const invocations = (await operator?.invocationsSince(startedMs)) ?? new Map<string, number>();
        left = [...invocations].filter(([, count]) => count === 0).map(([name]) => name);
        return left.length === 0 && invocations.size > 0 ? invocations : undefined;
      },
      () => `No check has reached ${left.join(', ') || 'any function'}.`,
    );
    return `${all.size} functions, all invoked`;
  },
};

const CAUSED: readonly MetricName[] = ['Decisions', 'RiskScore', 'ColdStarts', 'DeliveryAttempts'];

/** Sent by scheduled functions, unless the stage has only essential monitoring. */
const SCHEDULED: readonly MetricName[] = ['CaseBacklogAge', 'OldestDueDelivery', 'TrainingRuns'];

export const metrics: Check = {
  name: 'metrics',
  proves: 'what functions report arrives as metrics',
  needs: 'operator',
  async run({ operator, until, startedMs }) {
    const { MonitoringLevel: level } = (await operator?.outputs()) ?? {};
    const expected = level === 'essential' ? CAUSED : [...CAUSED, ...SCHEDULED];
    let missing: readonly string[] = expected;
    await until(
      operator?.metricDelayMs ?? 0,
      async () => {
        const arrived = (await operator?.metricsSince(expected, startedMs)) ?? new Set();
        missing = expected.filter((name) => !arrived.has(name));
        return missing.length === 0 ? true : undefined;
      },
      () => `No value arrived for ${missing.join(', ')}.`,
    );
    return `${expected.length} looked for`;
  },
};

const short = (name: string): string => name.replace(/^fraud-screening-[a-z]+-/, '');

/** Parts of other alarms notify nobody; some are red whenever there is traffic. */
const notifies = ({ description }: SeenAlarm): boolean => !description.startsWith('Part of another alarm');

const names = (alarms: readonly SeenAlarm[]): string =>
  `${alarms.length === 1 ? '1 alarm' : `${alarms.length} alarms`}: ${alarms.map(({ name }) => short(name)).join(', ')}.`;

export const alarms: Check = {
  name: 'alarms',
  proves: 'every alarm has data, and none is red',
  needs: 'operator',
  async run({ operator, until }) {
    let all: readonly SeenAlarm[] = [];
    const blind = () => all.filter(({ state }) => state !== 'OK' && state !== 'ALARM');
    const red = () => all.filter((alarm) => alarm.state === 'ALARM' && notifies(alarm));
    // Red alarms come first: an alarm without data must not hide them.
    const faults = (): string =>
      [
        ...(red().length > 0 ? [`Red, ${names(red())} See docs/runbook.md.`] : []),
        ...(blind().length > 0 ? [`No data (INSUFFICIENT_DATA), ${names(blind())}`] : []),
      ].join(' ');
    await until(
      operator?.metricDelayMs ?? 0,
      async () => {
        all = (await operator?.alarms()) ?? [];
        return blind().length === 0 ? all : undefined;
      },
      faults,
    );
    if (all.length === 0) throw new CheckSkipped('the stage has no alarms (-c alarms=off)');
    must(all.length >= 4, `Only ${all.length} alarms were found.`);
    must(red().length === 0, faults());
    return `${all.length} alarms, none red`;
  },
};

export const testPage: Check = {
  name: 'test-page',
  proves: 'an alarm that goes off is sent to its topic',
  needs: 'operator',
  async run({ operator }) {
    const page = await operator?.testPage();
    if (!page) throw new CheckSkipped('the local run sends no notifications');
    must(page.sent, `A test page was not sent: ${page.detail}`);
    return page.detail;
  },
};
