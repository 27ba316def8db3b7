import type { MetricName } from '../../../shared/metrics/catalogue';
import type { Check } from '../check';

/** What the checks before this one have caused. */
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
