import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { extractMetrics } from '../../../local/cloudwatch/embedded-metrics';
import { statistic } from '../../../local/cloudwatch/metric-store';
import { SIGNALS } from '../../../shared/domain/screening/signals';
import { METRIC_CATALOGUE } from '../../../shared/metrics/catalogue';
import { metricValues } from '../../../shared/metrics/define-metrics';
import { ATTEMPT_RESULTS, attemptNumber, deliveryAttemptMetrics } from '../../../shared/metrics/delivery-metrics';
import { decisionNumber, signalNumber } from '../../../shared/metrics/screening-metrics';
import { embeddedMetrics, loggedValues, METRIC_NAMESPACE } from '../../../shared/runtime/embedded-metrics';

describe('embedded metrics', () => {
  const NOW = Date.UTC(2026, 10, 14);
  const lineOf = (values: Record<string, number>, nowMs = NOW): string =>
    `{"stage":"sandbox","model_version":"base-1",${embeddedMetrics(metricValues(METRIC_CATALOGUE, values), nowMs)}}`;

  describe('a line with figures', () => {
    it('is what CloudWatch takes: every name, unit and value, by stage', () => {
      const names = Object.keys(METRIC_CATALOGUE);
      fc.assert(
        fc.property(
          fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
          fc.array(
            fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).filter((value) => value !== 0),
            { minLength: 100 },
          ),
          (chosen, numbers) => {
            const values = Object.fromEntries(chosen.map((name, at) => [name, numbers[at] as number]));
            const extracted = extractMetrics(lineOf(values), NOW);
            const expected = chosen.map((name) => ({
              namespace: METRIC_NAMESPACE,
              name,
              dimensions: { stage: 'sandbox', ...(METRIC_CATALOGUE[name]?.by ? { model_version: 'base-1' } : {}) },
              unit: METRIC_CATALOGUE[name]?.unit,
              atMs: NOW,
              values: [JSON.parse(String(values[name]))],
            }));
            expect(extracted).toEqual({ kind: 'samples', samples: expect.arrayContaining(expected) });
            expect(extracted.kind === 'samples' && extracted.samples).toHaveLength(chosen.length);
          },
        ),
      );
    });

    it('survives a figure that is no number', () => {
      const extracted = extractMetrics(lineOf({ Decisions: Number.NaN, RiskScore: 7 }), NOW);
      expect(extracted).toMatchObject({ kind: 'samples', samples: [{ name: 'RiskScore', values: [7] }] });
    });
  });

  describe('the reader of the format', () => {
    const metrics = (count: number) => Array.from({ length: count }, (_, at) => ({ Name: `m${at}`, Unit: 'Count' }));
    const line = (over: object = {}, directive: object = {}, metadata: object = {}): string =>
      JSON.stringify({
        stage: 'sandbox',
        Decisions: 1,
        _aws: {
          Timestamp: NOW,
          CloudWatchMetrics: [
            { Namespace: 'N', Dimensions: [['stage']], Metrics: [{ Name: 'Decisions', Unit: 'Count' }], ...directive },
          ],
          ...metadata,
        },
        ...over,
      });

    it('takes a line that is right, with one value or a hundred', () => {
      expect(extractMetrics(line(), NOW).kind).toBe('samples');
      const many = extractMetrics(line({ Decisions: Array(100).fill(1) }), NOW);
      expect(many.kind === 'samples' && many.samples[0]?.values).toHaveLength(100);
    });

    it.each([
      ['a dimension that is missing', line({ stage: undefined })],
      ['a dimension that is a number', line({ stage: 3 })],
      ['a dimension that is blank', line({ stage: '  ' })],
      ['a value that is missing', line({ Decisions: undefined })],
      ['a value that is text', line({ Decisions: '1' })],
      ['101 values', line({ Decisions: Array(101).fill(1) })],
      ['an unknown unit', line({}, { Metrics: [{ Name: 'Decisions', Unit: 'Piece' }] })],
      ['an unknown member of a metric', line({}, { Metrics: [{ Name: 'Decisions', Colour: 'red' }] })],
      ['an unknown member of a directive', line({}, { Colour: 'red' })],
      ['101 metrics', line(Object.fromEntries(metrics(101).map(({ Name }) => [Name, 1])), { Metrics: metrics(101) })],
      ['31 dimensions', line({}, { Dimensions: [Array(31).fill('stage')] })],
      ['no dimension set', line({}, { Dimensions: [] })],
      ['no namespace', line({}, { Namespace: '' })],
      ['a namespace with a colon first', line({}, { Namespace: ':N' })],
      ['no time', line({}, {}, { Timestamp: undefined })],
      ['a time three weeks ago', line({}, {}, { Timestamp: NOW - 21 * 86_400_000 })],
      ['a time tomorrow', line({}, {}, { Timestamp: NOW + 86_400_000 })],
      ['broken JSON', line().slice(0, -1)],
    ])('refuses %s, as CloudWatch does', (_what, text) => {
      expect(extractMetrics(text, NOW).kind).toBe('refused');
    });

    it.each(['hello', '{"level":"INFO"}', '[1]', 'null'])('leaves %s alone', (text) => {
      expect(extractMetrics(text, NOW)).toEqual({ kind: 'plain' });
    });
  });

  it('as plain values they are searchable, and CloudWatch makes no metric of them', () => {
    const values = loggedValues(
      metricValues(METRIC_CATALOGUE, { OpenCases: 3, OldestCaseAge: Number.NaN, CaseBacklogAge: 0 }),
    );
    expect(JSON.parse(`{${values}}`)).toEqual({ OpenCases: 3, CaseBacklogAge: 0 });
  });

  describe('what should not happen', () => {
    it('is sent when it does; a 0 of it would be charged for', () => {
      const sent = (values: Record<string, number>) => metricValues(METRIC_CATALOGUE, values).map(({ name }) => name);
      expect(sent({ RiskScore: 0, FailedSignals: 0, ColdStarts: 0 })).toEqual(['RiskScore', 'ColdStarts']);
      expect(sent({ RiskScore: 0, FailedSignals: 2, ColdStarts: 0 })).toEqual([
        'RiskScore',
        'FailedSignals',
        'ColdStarts',
      ]);
    });
  });

  describe('signals share one metric', () => {
    const fired = (...signals: string[]) =>
      metricValues(METRIC_CATALOGUE, { RiskScore: 7, FiredSignals: signals.map(signalNumber) });

    it('with one value for each that fired, and none without any', () => {
      const extracted = extractMetrics(
        `{"stage":"sandbox",${embeddedMetrics(fired('new_device', 'ip_mismatch'), NOW)}}`,
        NOW,
      );
      expect(extracted).toMatchObject({ samples: [{ name: 'RiskScore' }, { name: 'FiredSignals', values: [6, 3] }] });
      const quiet = extractMetrics(`{"stage":"sandbox",${embeddedMetrics(fired(), NOW)}}`, NOW);
      expect(quiet.kind === 'samples' && quiet.samples.map(({ name }) => name)).toEqual(['RiskScore']);
    });

    it('by numbers that never change: history in CloudWatch would change its meaning', () => {
      expect(SIGNALS.slice(0, 24).map(({ name }) => name)).toEqual([
        'velocity_spike',
        'card_testing_pattern',
        'ip_mismatch',
        'impossible_travel',
        'anonymous_ip',
        'new_device',
        'device_switching',
        'shared_device',
        'shared_ip',
        'known_fraud_device',
        'known_fraud_ip',
        'amount_anomaly',
        'first_use_high_amount',
        'extreme_amount',
        'rapid_signup_purchase',
        'password_reset_then_purchase',
        'failed_login_burst',
        'password_spray',
        'success_after_spray',
        'unusual_hour',
        'attribute_risk',
        'prior_fraud',
        'repeats_stopped_attempt',
        'trusted_history',
      ]);
    });
  });
});

describe('numbered values', () => {
  const DECISIONS = ['allow', 'challenge', 'review', 'block'] as const;

  /** CloudWatch's statistics of values that arrived once each. */
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
});

describe('observability page', () => {
  const PAGE = readFileSync(join(__dirname, '../../../docs/observability.md'), 'utf8');
  /** Those that AWS makes of its own parts. */
  const AWS = ['Count', 'Latency', 'Errors', 'Duration', 'ConcurrentExecutions', 'IteratorAge'];

  describe('docs/observability.md', () => {
    it('names every figure', () => {
      expect(Object.keys(METRIC_CATALOGUE).filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
    });

    it('names no figure that there is not', () => {
      const named = [...PAGE.matchAll(/`([A-Z][a-z]+(?:[A-Z][a-z]+)*)`/g)].map(([, name = '']) => name);
      expect(named.length).toBeGreaterThan(20);
      expect(named.filter((name) => !(name in METRIC_CATALOGUE) && !AWS.includes(name))).toEqual([]);
    });
  });
});
