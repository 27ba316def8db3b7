import type { DeliveryObservation } from '../usecases/webhooks/attempt-delivery';
import type { HealReport } from '../usecases/webhooks/heal-relay';
import type { RelayReport } from '../usecases/webhooks/relay-batch';
import type { DeliverySweepReport } from '../usecases/webhooks/sweep-deliveries';
import { defineMetrics, type MetricValue, metricValues } from './define-metrics';

const RELAY = ['relay-events'] as const;
const DISPATCHER = ['deliver-webhook'] as const;
const SWEEP = ['sweep-deliveries'] as const;

/** Metrics of the relay, for every batch of the stream. */
export const RELAY_METRICS = defineMetrics({
  DeliveriesMade: { unit: 'Count', emitters: RELAY, tells: 'Deliveries that committed changes have led to.' },
  RelayLag: {
    unit: 'Milliseconds',
    emitters: RELAY,
    tells: 'How long ago the oldest change of a batch was committed.',
  },
  RelayFailures: {
    unit: 'Count',
    emitters: [...RELAY, ...SWEEP],
    sparse: 'rare',
    tells: 'Changes that could not be relayed: tried again by the stream, or set aside for the sweep.',
  },
  HintsUnsent: {
    unit: 'Count',
    emitters: [...RELAY, ...SWEEP],
    sparse: 'rare',
    tells: 'Queue messages that SQS did not take; the sweep sends them a minute later.',
  },
});

/** Metrics of every delivery attempt. */
export const DELIVERY_ATTEMPT_METRICS = defineMetrics({
  DeliveryAttempts: { unit: 'Count', emitters: DISPATCHER, tells: 'Attempts to deliver.' },
  DeliverySuccess: {
    unit: 'Count',
    emitters: DISPATCHER,
    tells: '1 when the receiver answered 2xx in time, else 0: the average is the success rate.',
  },
  DeliveryTimeouts: { unit: 'Count', emitters: DISPATCHER, tells: '1 when the receiver took over 10 s, else 0.' },
  DeliveryRetries: { unit: 'Count', emitters: DISPATCHER, tells: '1 when it was not the first attempt, else 0.' },
  DeliveriesFailed: {
    unit: 'Count',
    emitters: DISPATCHER,
    tells: '1 when it was the last attempt and failed, else 0: an event that a merchant did not get.',
  },
  DeliveryDuration: { unit: 'Milliseconds', emitters: DISPATCHER, tells: 'From DNS to the status line.' },
  DeliveryLatency: {
    unit: 'Milliseconds',
    emitters: DISPATCHER,
    sparse: true,
    tells: 'From the event to its first attempt; not sent by retries.',
  },
  EndpointsDisabled: {
    unit: 'Count',
    emitters: DISPATCHER,
    sparse: 'rare',
    tells: 'Attempts that were the end of their endpoint; sent only by those.',
  },
});

/** Metrics of the delivery sweep, every minute. */
export const DELIVERY_SWEEP_METRICS = defineMetrics({
  HintsSwept: { unit: 'Count', emitters: SWEEP, sparse: 'rare', tells: 'Deliveries that the sweep has queued.' },
  OldestDueDelivery: {
    unit: 'Seconds',
    emitters: SWEEP,
    tells: 'How long ago the most overdue delivery should have been attempted.',
  },
  RelayHealed: {
    unit: 'Count',
    emitters: SWEEP,
    sparse: 'rare',
    tells: 'Changes set aside that could be relayed after all.',
  },
});

/** The metric values of a batch of the stream. */
export const relayMetrics = ({ deliveries, lagMs, setAside, failed, unsent }: RelayReport): MetricValue[] =>
  metricValues(RELAY_METRICS, {
    DeliveriesMade: deliveries,
    RelayLag: lagMs,
    RelayFailures: setAside + failed.length,
    HintsUnsent: unsent,
  });

/** The metric values of a delivery attempt. */
export const deliveryAttemptMetrics = ({
  attempt,
  outcome,
  latencyMs,
  status,
  disabledEndpoint,
}: DeliveryObservation): MetricValue[] =>
  metricValues(DELIVERY_ATTEMPT_METRICS, {
    DeliveryAttempts: 1,
    DeliverySuccess: outcome.kind === 'delivered' ? 1 : 0,
    DeliveryTimeouts: outcome.kind === 'timeout' ? 1 : 0,
    DeliveryRetries: attempt > 1 ? 1 : 0,
    DeliveriesFailed: status === 'failed' ? 1 : 0,
    DeliveryDuration: outcome.duration_ms,
    ...(attempt === 1 ? { DeliveryLatency: latencyMs } : {}),
    EndpointsDisabled: disabledEndpoint ? 1 : 0,
  });

/** The metric values of a sweep. */
export const deliverySweepMetrics = (report: DeliverySweepReport & HealReport): MetricValue[] => [
  ...metricValues(DELIVERY_SWEEP_METRICS, {
    HintsSwept: report.queued,
    OldestDueDelivery: report.oldestDueMs / 1_000,
    RelayHealed: report.healed,
  }),
  ...metricValues(RELAY_METRICS, { RelayFailures: report.stillFailing, HintsUnsent: report.unsent }),
];
