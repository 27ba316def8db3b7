import { statistic } from '../../../local/cloudwatch/metric-store';
import { ATTEMPT_RESULTS, attemptNumber, deliveryAttemptMetrics } from '../../../shared/metrics/delivery-metrics';
import { decisionNumber } from '../../../shared/metrics/screening-metrics';

const DECISIONS = ['allow', 'challenge', 'review', 'block'] as const;

/** What CloudWatch makes of values that arrived once each. */
const bucketOf = (values: readonly number[]) => ({
  count: values.length,
  sum: 0,
  min: 0,
  max: 0,
  values: new Map(values.map((value) => [value, 1])),
});

describe('values that are numbers with a meaning', () => {
  it('are different for every decision, by score or by rule, and grow with its severity', () => {
    const numbers = DECISIONS.flatMap((decision) => [decisionNumber(decision), decisionNumber(decision, true)]);
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    // Reviewed or blocked, as the alarm on too many of them counts: an allow by a rule is not one.
    expect(statistic('PR(4.5:)')(bucketOf(numbers))).toBe(50);
  });

  it('are different for every result of an attempt, first or not', () => {
    const numbers = ATTEMPT_RESULTS.flatMap((result) => [attemptNumber(result), attemptNumber(result, true)]);
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(statistic('PR(:2.5)')(bucketOf(numbers))).toBe(25);
  });

  it.each([
    ['delivered', 1, 'delivered', 1],
    ['delivered', 3, 'delivered', 2],
    ['http_error', 1, 'pending', 3],
    ['timeout', 2, 'pending', 6],
    ['timeout', 10, 'failed', 8],
  ])('an attempt that is %s, number %d, delivery %s: %d', (kind, attempt, status, number) => {
    const outcome = { kind, duration_ms: 5 };
    const values = deliveryAttemptMetrics({ attempt, outcome, latencyMs: 9, status } as never);
    expect(values.find(({ name }) => name === 'DeliveryAttempts')?.value).toBe(number);
  });
});
