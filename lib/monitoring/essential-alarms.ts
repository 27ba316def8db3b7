import { Duration } from 'aws-cdk-lib';
import type { AlarmBook } from './alarm-book';
import { addQueueAlarms, functionNamed, type RollbackAlarms, type StageAlarmsProps } from './stage-alarms';

/** More failed requests than this within five minutes are an outage, at any traffic. */
const FAILED_REQUESTS = 5;

/**
 * The alarms of a stage that must cost next to nothing: requests fail, events are not relayed, delivered or swept. Each
 * watches one metric that AWS provides, because every metric of our own costs as much as three alarms.
 */
export function addEssentialAlarms(book: AlarmBook, props: StageAlarmsProps): RollbackAlarms {
  const { metrics, functions } = props;
  const failing = book.watch('availability-fast-burn', {
    severity: 'page',
    says: `more than ${FAILED_REQUESTS} requests failed within five minutes.`,
    metric: metrics.gateway('5XXError', 'Sum', { period: Duration.minutes(5) }),
    above: FAILED_REQUESTS,
    datapoints: [1, 1],
  });
  book.watch('webhooks-late', {
    severity: 'page',
    says: 'the sweep that queues deliveries has stopped.',
    metric: functionNamed(functions, 'sweep-deliveries').live.metricInvocations({ period: Duration.minutes(5) }),
    below: 1,
    datapoints: [2, 2],
    silenceIsBad: true,
  });
  addQueueAlarms(book, props);
  return { shared: [failing], crashes: new Map() };
}
