import type { DeliveryObservation } from '../usecases/webhooks/deliver-webhooks';
import type { RelayReport } from '../usecases/webhooks/relay-events';
import type { DeliverySweepReport, HealReport } from '../usecases/webhooks/sweep-deliveries';
import { defineMetrics, type MetricValue, metricValues } from './define-metrics';

const RELAY = ['relay-events'] as const;
const DISPATCHER = ['deliver-webhook'] as const;
const SWEEP = ['sweep-deliveries'] as const;

/** Metrics of the relay; how far it is behind is what Lambda reports as `IteratorAge`. */
export const RELAY_METRICS = defineMetrics([...RELAY, ...SWEEP], {
  RelayFailures: {
    sparse: 'rare',
    tells: 'Changes that could not be relayed: tried again by the stream, or set aside for the sweep.',
  },
  QueueMessagesUnsent: {
    sparse: 'rare',
    tells: 'Queue messages that SQS did not take; the sweep sends them a minute later.',
  },
});

export const DELIVERY_ATTEMPT_METRICS = defineMetrics(DISPATCHER, {
  DeliveryAttempts: {
    unit: 'None',
    tells:
      'The number of the result of an attempt: 1 delivered (2xx in time), 3 failed, 5 timed out after 10 s, 7 given up, so that a merchant did not get an event; and one more for a retry. The sample count is the number of attempts.',
  },
  DeliveryDuration: { unit: 'Milliseconds', tells: 'From DNS to the status line.' },
  DeliveryLatency: {
    unit: 'Milliseconds',
    sparse: true,
    tells: 'From the event to its first attempt; not sent by retries.',
  },
  EndpointsDisabled: { sparse: 'rare', tells: 'Attempts that were the end of their endpoint; sent only by those.' },
});

export const DELIVERY_SWEEP_METRICS = defineMetrics(SWEEP, {
  QueueMessagesSwept: { sparse: 'rare', tells: 'Deliveries that the sweep has queued.' },
  OldestDueDelivery: { unit: 'Seconds', tells: 'How long ago the most overdue delivery should have been attempted.' },
  RelayHealed: { sparse: 'rare', tells: 'Changes set aside that could be relayed after all.' },
});

export const relayMetrics = ({ setAside, failed, unsent }: RelayReport): MetricValue[] =>
  metricValues(RELAY_METRICS, {
    RelayFailures: setAside + failed.length,
    QueueMessagesUnsent: unsent,
  });

export const ATTEMPT_RESULTS = ['delivered', 'failed', 'timeout', 'given_up'] as const;
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number];

/** The number of an attempt's result in CloudWatch: odd for the first attempt, even for a retry. */
export const attemptNumber = (result: AttemptResult, isRetry = false): number =>
  2 * ATTEMPT_RESULTS.indexOf(result) + (isRetry ? 2 : 1);

function resultOf(status: DeliveryObservation['status'], { kind }: DeliveryObservation['outcome']): AttemptResult {
  if (status === 'failed') return 'given_up';
  return kind === 'delivered' || kind === 'timeout' ? kind : 'failed';
}

export const deliveryAttemptMetrics = ({
  attempt,
  outcome,
  latencyMs,
  status,
  disabledEndpoint,
}: DeliveryObservation): MetricValue[] =>
  metricValues(DELIVERY_ATTEMPT_METRICS, {
    DeliveryAttempts: attemptNumber(resultOf(status, outcome), attempt > 1),
    DeliveryDuration: outcome.duration_ms,
    ...(attempt === 1 ? { DeliveryLatency: latencyMs } : {}),
    EndpointsDisabled: disabledEndpoint ? 1 : 0,
  });

export const deliverySweepMetrics = (report: DeliverySweepReport & HealReport): MetricValue[] => [
  ...metricValues(DELIVERY_SWEEP_METRICS, {
    QueueMessagesSwept: report.queued,
    OldestDueDelivery: report.oldestDueMs / 1_000,
    RelayHealed: report.healed,
  }),
  ...metricValues(RELAY_METRICS, { RelayFailures: report.stillFailing, QueueMessagesUnsent: report.unsent }),
];
