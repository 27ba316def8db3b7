import type { IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { ATTEMPT_RESULTS, attemptNumber } from '../../../shared/metrics/delivery-metrics';
import { DUE_LIMIT_SECONDS, functionNamed, RELAY_LIMIT_MS } from '../stage-alarms';
import { math, perSecond } from '../stage-metrics';
import { COLOUR, graph, heading, limit } from '../widgets';
import type { DashboardParts } from './underneath';

/** Whether merchants get their events, and how fast. */
export function delivery({ metrics, queues, functions }: DashboardParts): IWidget[][] {
  const depth = (queue: 'fresh' | 'retries' | 'relayFailures' | 'dead', label: string, color: string) =>
    queues[queue].metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', label, color });
  const relay = functionNamed(functions, 'relay-events').lambda;
  return [
    [heading('## Webhooks: do merchants get their events?')],
    [
      graph('Do events reach merchants? Delivered, %', {
        left: [
          metrics.ours('DeliveryAttempts', `PR(:${attemptNumber('delivered', true) + 0.5})`, {
            label: 'successful, %',
            color: COLOUR.good,
          }),
        ],
        right: [
          perSecond(metrics.ours('DeliveryAttempts', 'SampleCount'), {
            label: 'delivery attempts per second',
            color: COLOUR.quiet,
          }),
          perSecond(metrics.ours('DeliveryLatency', 'SampleCount'), {
            label: 'first attempts per second',
            color: COLOUR.first,
          }),
        ],
        max: 100,
      }),
      graph('How fast is the first attempt? ms', {
        left: [
          metrics.ours('DeliveryLatency', 'p50', { label: 'p50', color: COLOUR.fourth }),
          metrics.ours('DeliveryLatency', 'p95', { label: 'p95', color: COLOUR.first }),
          metrics.ours('DeliveryDuration', 'p95', { label: 'of which the receiver, p95', color: COLOUR.quiet }),
        ],
        limits: [limit(2_000, 'promised p99')],
      }),
      graph('How many retries, timeouts and failures?', {
        left: [
          math(
            'SUM(METRICS())',
            Object.fromEntries(ATTEMPT_RESULTS.map((result) => [result, metrics.attempted(result, 'retry')])),
          ).with({ label: 'retries', color: COLOUR.doubtful }),
          metrics.attempted('timeout').with({ label: 'timeouts', color: COLOUR.second }),
          metrics.attempted('given_up').with({ label: 'given up', color: COLOUR.bad }),
          metrics.ours('EndpointsDisabled', 'Sum', { label: 'endpoints disabled', color: COLOUR.third }),
        ],
      }),
    ],
    [
      graph('How deep are the queues?', {
        left: [
          depth('fresh', 'first attempts', COLOUR.first),
          depth('retries', 'retries', COLOUR.doubtful),
          depth('relayFailures', 'not relayed', COLOUR.second),
          depth('dead', 'dead letters', COLOUR.bad),
        ],
      }),
      graph('Is the relay behind? Record age, ms', {
        left: [relay.metric('IteratorAge', { statistic: 'Maximum', label: 'oldest', color: COLOUR.first })],
        right: [
          metrics.ours('RelayFailures', 'Sum', { label: 'relay failures', color: COLOUR.bad }),
          metrics.ours('RelayHealed', 'Sum', { label: 'recovered', color: COLOUR.good }),
        ],
        limits: [limit(RELAY_LIMIT_MS, 'too far behind')],
      }),
      graph('Is a delivery overdue? Seconds', {
        left: [metrics.ours('OldestDueDelivery', 'Maximum', { label: 'overdue, s', color: COLOUR.doubtful })],
        right: [
          metrics.ours('HintsSwept', 'Sum', { label: 'queued by the sweep', color: COLOUR.quiet }),
          metrics.ours('HintsUnsent', 'Sum', { label: 'refused by SQS', color: COLOUR.bad }),
        ],
        limits: [limit(DUE_LIMIT_SECONDS, 'sweep is stuck')],
      }),
    ],
  ];
}
