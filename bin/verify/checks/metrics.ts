import type { MetricName } from '../../../shared/metrics/catalogue';
import type { Check } from '../check';

/** What the checks before this one have caused. */
const CAUSED: readonly MetricName[] = [
  'Screenings',
  'Reviewed',
  'Blocked',
  'UnhandledErrors',
  'ColdStarts',
  'DeliveriesMade',
  'CaseBacklogAge',
  'OldestDueDelivery',
  'TrainingRuns',
];

export const metrics: Check = {
  name: 'metrics',
  proves: 'what functions report arrives as metrics',
  needs: 'operator',
  async run({ operator, until, startedMs }) {
    let missing: readonly string[] = CAUSED;
    await until(
      operator?.metricDelayMs ?? 0,
      async () => {
        const arrived = (await operator?.metricsSince(CAUSED, startedMs)) ?? new Set();
        missing = CAUSED.filter((name) => !arrived.has(name));
        return missing.length === 0 ? true : undefined;
      },
      () => `No value arrived for ${missing.join(', ')}.`,
    );
    return `${CAUSED.length} looked for`;
  },
};
