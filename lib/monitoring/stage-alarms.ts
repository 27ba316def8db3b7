import { Duration } from 'aws-cdk-lib';
import type { Alarm, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { DUE_INDEX, HISTORY_INDEX } from '../../shared/store/keys';
import type { ServiceFunction } from '../constructs/service-function';
import type { DeliveryQueues } from '../constructs/webhook-delivery';
import { type AlarmBook, math, periodName, type StageMetrics } from './widgets';

/** One request in 1,000 may fail, in percent: 43 minutes of outage per month. */
export const ERROR_BUDGET_PERCENT = 0.1;

/** A request slower than this keeps a shopper waiting. */
export const LATENCY_LIMIT_MS = 1_000;

/** Shares of screenings, in percent, beyond which a cause other than fraud is more likely. */
export const FLAGGED_LIMIT_PERCENT = 40;
export const DEGRADED_LIMIT_PERCENT = 5;

/** Share of an account's screenings, in percent, that one rule may decide before somebody asks whether it should. */
export const RULE_LIMIT_PERCENT = 5;

/** Three missed sweeps: it runs every five minutes. */
export const BACKLOG_LIMIT_SECONDS = 15 * 60;

/** Training runs every six hours. */
const TRAINING_PERIOD = Duration.hours(6);

/** A champion with an AUC below 0.7 is of little use; above this index two score distributions differ. */
export const RANKED_WRONGLY_LIMIT = 0.3;
export const DRIFT_LIMIT = 0.25;
export const INTELLIGENCE_LIMIT_DAYS = 90;

/** How far the relay may be behind the table. */
export const RELAY_LIMIT_MS = 2 * 60_000;

/** A delivery overdue by this much is late: the sweep runs every minute. */
export const DUE_LIMIT_SECONDS = 5 * 60;

/**
 * How fast the month's error budget burns, over a long window that shows it is serious and a short one that shows it is
 * still happening: at 14.4 times, 2% of the budget is gone in an hour; at 6 times, 5% in six hours (Google's SRE workbook).
 */
export const BURNS = [
  { id: 'availability-fast-burn', severity: 'page', factor: 14.4, windows: [Duration.hours(1), Duration.minutes(5)] },
  { id: 'availability-slow-burn', severity: 'ticket', factor: 6, windows: [Duration.hours(6), Duration.minutes(30)] },
] as const;

/** Below this many requests per five minutes a share says little: three failures in ten requests are not an outage. */
const MIN_REQUESTS_PER_5_MINUTES = 20;
const minRequests = (period: Duration): number => Math.min(200, (period.toMinutes() / 5) * MIN_REQUESTS_PER_5_MINUTES);

/** Share of requests, in percent, refused with a 4xx; more than this for an hour means a broken client, or a bug of ours. */
export const CLIENT_ERROR_LIMIT_PERCENT = 50;

/** A stage with this many screenings in three hours is busy. An idle stage may fall silent. */
const BUSY_SCREENINGS = 300;

export interface StageAlarmsProps {
  readonly metrics: StageMetrics;
  readonly table: TableV2;
  readonly queues: DeliveryQueues;
  readonly functions: ReadonlyMap<string, ServiceFunction>;
}

export interface RollbackAlarms {
  readonly shared: readonly Alarm[];
  readonly crashes: ReadonlyMap<string, Alarm>;
}

/** An alarm on a missing function would never fire. */
export function functionNamed(functions: StageAlarmsProps['functions'], name: string): ServiceFunction {
  const found = functions.get(name);
  if (!found) throw new Error(`The stack has no function ${name} to monitor`);
  return found;
}

function addErrors(book: AlarmBook, { metrics, functions }: StageAlarmsProps): RollbackAlarms {
  for (const { id, severity, factor, windows } of BURNS) {
    const parts = windows.map((period) =>
      book.watch(`${id}-${periodName(period)}`, {
        severity: 'part',
        section: id,
        says: `errors over ${periodName(period)} are using up the error budget ${factor} times too fast.`,
        metric: math(
          `IF(errors >= 3 AND requests >= ${minRequests(period)}, 100 * errors / requests, 0)`,
          { errors: metrics.gateway('5XXError', 'Sum'), requests: metrics.gateway('Count', 'Sum') },
          period,
          'failed requests, %',
        ),
        above: Number((factor * ERROR_BUDGET_PERCENT).toFixed(3)),
        datapoints: [1, 1],
      }),
    );
    const [long, short] = windows.map(periodName);
    const says = `requests are failing ${factor} times as often as the objective allows, over ${long} and over the last ${short}.`;
    book.combine(id, { severity, says }, 'allOf', parts);
  }
  const unhandled = book.watch('unhandled-errors', {
    says: 'a request got a 500. This is a bug.',
    metric: metrics.ours('UnhandledErrors', 'Sum', { period: Duration.minutes(1) }),
    above: 0,
    datapoints: [1, 1],
  });
  const signals = book.watch('failed-signals', {
    says: 'a signal threw an error and was left out of a score. This is a bug.',
    metric: metrics.ours('FailedSignals', 'Sum', { period: Duration.minutes(1) }),
    above: 0,
    datapoints: [1, 1],
  });
  const crashes = new Map(
    [...functions].map(([name, { live, code }]) => {
      const how = {
        severity: 'part',
        section: 'function-crashes',
        says: `${name} crashed or timed out.`,
        metric: live.metricErrors({ period: Duration.minutes(1) }),
        above: 0,
        datapoints: [1, 1],
      } as const;
      // Where the function is: the group that deploys it names the alarm. Not `crash-…`, as it was called in the only stack
      // that there once was: an alarm of that name exists until the update that moves the functions ends.
      return [name, book.watch(`crashed-${name}`, how, code)] as const;
    }),
  );
  const says = 'a function crashed, ran out of memory or timed out.';
  book.combine('function-crashes', { says }, 'anyOf', [...crashes.values()]);
  return { shared: [unhandled, signals, addLatency(book, metrics)], crashes };
}

/**
 * Whether legitimate callers get through. A stranger with bad keys can cause any number of 4xx, so a high share of them
 * does not page; what pages is that nobody at all gets through, in a stage that was busy before.
 */
function addRefusals(book: AlarmBook, { metrics }: StageAlarmsProps): void {
  const period = Duration.minutes(5);
  const answers = () => ({
    requests: metrics.gateway('Count', 'Sum'),
    refused: metrics.gateway('4XXError', 'Sum'),
    failed: metrics.gateway('5XXError', 'Sum'),
  });
  const busy = book.watch('busy', {
    severity: 'part',
    section: 'nobody-gets-through',
    says: `there were more than ${BUSY_SCREENINGS} screenings in three hours.`,
    metric: metrics.screenings({ period: Duration.hours(3) }),
    above: BUSY_SCREENINGS,
    datapoints: [1, 1],
  });
  const refusing = book.watch('all-refused', {
    severity: 'part',
    section: 'nobody-gets-through',
    says: 'for ten minutes every request was refused.',
    metric: math(
      `IF(requests >= ${MIN_REQUESTS_PER_5_MINUTES} AND requests - refused - failed == 0 AND refused > 0, 1, 0)`,
      answers(),
      period,
      'every request refused',
    ),
    above: 0,
    datapoints: [2, 2],
  });
  const silent = book.watch('no-requests', {
    severity: 'part',
    section: 'traffic-stopped',
    says: 'for fifteen minutes no request arrived.',
    metric: metrics.gateway('Count', 'Sum', { period }),
    below: 1,
    datapoints: [3, 3],
    breachesWhenSilent: true,
  });
  const refusal = 'every request is refused, in a stage that was busy until now: keys or their check are broken.';
  book.combine('nobody-gets-through', { severity: 'page', says: refusal }, 'allOf', [busy, refusing]);
  const silence = 'no request arrives any more, in a stage that was busy until now.';
  book.combine('traffic-stopped', { severity: 'page', says: silence }, 'allOf', [busy, silent]);
  book.watch('client-errors', {
    says: `more than ${CLIENT_ERROR_LIMIT_PERCENT}% of requests are refused as wrong, for an hour.`,
    metric: math(
      `IF(requests >= ${3 * MIN_REQUESTS_PER_5_MINUTES}, 100 * refused / requests, 0)`,
      { requests: metrics.gateway('Count', 'Sum'), refused: metrics.gateway('4XXError', 'Sum') },
      Duration.minutes(15),
      'refused as wrong, %',
    ),
    above: CLIENT_ERROR_LIMIT_PERCENT,
    datapoints: [4, 4],
  });
}

function addLatency(book: AlarmBook, metrics: StageMetrics): Alarm {
  return book.watch('latency', {
    severity: 'page',
    says: `the slowest 1% of requests take longer than ${LATENCY_LIMIT_MS} ms.`,
    // Below 20 requests per minute the slowest one is the percentile, and a cold start is not an incident.
    metric: math(
      'IF(requests >= 20, p99, 0)',
      { p99: metrics.gateway('Latency', 'p99'), requests: metrics.gateway('Count', 'Sum') },
      Duration.minutes(1),
      'p99, ms',
    ),
    above: LATENCY_LIMIT_MS,
  });
}

function addDecisions(book: AlarmBook, { metrics }: StageAlarmsProps): void {
  const flagged = (expression: string, period: Duration) =>
    math(
      expression,
      { screenings: metrics.screenings(), flagged: metrics.percentFrom('review') },
      period,
      'reviewed or blocked, %',
    );
  book.watch('too-many-flagged', {
    severity: 'page',
    says: `more than ${FLAGGED_LIMIT_PERCENT}% of screenings end in review or block: an attack, or a fault in scoring.`,
    metric: flagged('IF(screenings >= 100, flagged, 0)', Duration.minutes(15)),
    above: FLAGGED_LIMIT_PERCENT,
    datapoints: [2, 2],
  });
  book.watch('nothing-flagged', {
    says: 'no screening was flagged for three hours, with at least 1,000 per hour.',
    metric: flagged('IF(screenings >= 1000 AND flagged == 0, 1, 0)', Duration.hours(1)),
    above: 0,
    datapoints: [3, 3],
  });
  book.watch('degraded-screenings', {
    says: `more than ${DEGRADED_LIMIT_PERCENT}% of screenings were missing a history that did not load in time.`,
    metric: degradedPercent(metrics, Duration.minutes(5)).with({ label: 'degraded, %' }),
    above: DEGRADED_LIMIT_PERCENT,
  });
  book.watch('rule-decides-much', {
    says: `one rule decides more than ${RULE_LIMIT_PERCENT}% of its account's screenings.`,
    metric: metrics.ours('RuleShare', 'Maximum', { period: Duration.minutes(15) }),
    above: RULE_LIMIT_PERCENT,
    datapoints: [2, 2],
  });
}

/** The share of screenings without a history; no data while all have theirs. */
export const degradedPercent = (metrics: StageMetrics, period?: Duration): MathExpression =>
  math(
    '100 * FILL(degraded, 0) / screenings',
    { degraded: metrics.ours('DegradedScreenings', 'Sum'), screenings: metrics.screenings() },
    period,
  );

function addModel(book: AlarmBook, { metrics }: StageAlarmsProps): void {
  book.watch('model-not-loading', {
    says: 'screening functions cannot load the current model and are using the last good one.',
    metric: metrics.ours('ModelRefreshFailures', 'Sum', { period: Duration.minutes(5) }),
    above: 0,
  });
  book.watch('model-refused', {
    says: 'a model that finds clearly more fraud than the champion was refused.',
    metric: metrics.ours('BetterModelsRefused', 'Sum', { period: TRAINING_PERIOD }),
    above: 0,
    datapoints: [1, 1],
  });
  book.watch('champion-worse', {
    says: 'the champion barely separates fraud from legitimate traffic on the newest labels.',
    metric: math('1 - auc', { auc: metrics.ours('ChampionAuc', 'Minimum') }, TRAINING_PERIOD, 'pairs ranked wrongly'),
    above: RANKED_WRONGLY_LIMIT,
    datapoints: [2, 2],
  });
  book.watch('score-drift', {
    says: 'the score distribution has shifted since this model was evaluated.',
    metric: metrics.ours('ScoreDrift', 'Maximum', { period: TRAINING_PERIOD }),
    above: DRIFT_LIMIT,
    datapoints: [2, 2],
  });
  book.watch('training-silent', {
    says: 'no training run has finished for a day.',
    metric: metrics.ours('TrainingRuns', 'Sum', { period: TRAINING_PERIOD }),
    below: 1,
    datapoints: [4, 4],
    silenceIsBad: true,
  });
}

/** Whether what is known offline of addresses and domains is current. */
function addIntelligence(book: AlarmBook, { metrics }: StageAlarmsProps): void {
  book.watch('intelligence-old', {
    says: `what is known of IP addresses and email domains is more than ${INTELLIGENCE_LIMIT_DAYS} days old.`,
    metric: metrics.ours('IntelligenceAge', 'Maximum', { period: Duration.hours(6) }),
    above: INTELLIGENCE_LIMIT_DAYS,
    datapoints: [1, 1],
  });
  book.watch('intelligence-not-loading', {
    says: 'screening functions cannot load the current table of addresses and domains and are using the last good one.',
    metric: metrics.ours('IntelligenceRefreshFailures', 'Sum', { period: Duration.minutes(5) }),
    above: 0,
  });
}

/** Whether something hits a limit or does not run at all. */
function addLimits(book: AlarmBook, { metrics, table, functions }: StageAlarmsProps): void {
  const period = Duration.minutes(1);
  const throttles = (name: string) => functionNamed(functions, name).lambda.metricThrottles({ period });
  const ofIndex = (name: string, index: string) => {
    const dimensionsMap = { TableName: table.tableName, GlobalSecondaryIndexName: index };
    return table.metric(name, { statistic: 'Sum', period, dimensionsMap });
  };
  const usingMetrics = {
    payments: throttles('screen-transaction'),
    events: throttles('screen-event'),
    keys: throttles('authorize'),
    writes: table.metric('WriteThrottleEvents', { statistic: 'Sum', period }),
    reads: table.metric('ReadThrottleEvents', { statistic: 'Sum', period }),
    // A throttled index refuses writes to the table, and is counted under its own name only.
    dueWrites: ofIndex('WriteThrottleEvents', DUE_INDEX),
    dueReads: ofIndex('ReadThrottleEvents', DUE_INDEX),
    historyWrites: ofIndex('WriteThrottleEvents', HISTORY_INDEX),
    historyReads: ofIndex('ReadThrottleEvents', HISTORY_INDEX),
  };
  book.watch('throttled', {
    says: 'Lambda or DynamoDB is throttling.',
    metric: math('SUM(METRICS())', usingMetrics, period, 'throttled calls'),
    above: 0,
  });
  book.watch('case-backlog', {
    says: 'the case sweep has stopped or is falling behind.',
    metric: metrics.ours('CaseBacklogAge', 'Maximum', { period: Duration.minutes(15) }),
    above: BACKLOG_LIMIT_SECONDS,
    datapoints: [2, 2],
    silenceIsBad: true,
  });
}

export function addQueueAlarms(book: AlarmBook, { queues, functions }: StageAlarmsProps): void {
  const period = Duration.minutes(1);
  book.watch('dead-letters', {
    says: 'webhook queue messages failed five times and were moved to the dead-letter queue.',
    metric: queues.dead.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
    above: 0,
    datapoints: [1, 1],
  });
  book.watch('relay-behind', {
    severity: 'page',
    says: 'the relay is minutes behind the table. Events are delayed, and the stream drops them after 24 hours.',
    metric: functionNamed(functions, 'relay-events').lambda.metric('IteratorAge', { period, statistic: 'Maximum' }),
    above: RELAY_LIMIT_MS,
  });
}

function addDelivery(book: AlarmBook, props: StageAlarmsProps): void {
  const { metrics, queues } = props;
  addQueueAlarms(book, props);
  book.watch('relay-failures', {
    says: 'committed changes could not be turned into webhooks. The sweep keeps retrying.',
    metric: queues.relayFailures.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
      statistic: 'Maximum',
    }),
    above: 0,
    // The next sweep repairs short breaches without a human.
    datapoints: [15, 15],
  });
  book.watch('webhooks-late', {
    severity: 'page',
    says: 'deliveries are overdue, or the sweep that queues them has stopped.',
    metric: metrics.ours('OldestDueDelivery', 'Maximum', { period: Duration.minutes(5) }),
    above: DUE_LIMIT_SECONDS,
    datapoints: [2, 2],
    silenceIsBad: true,
  });
}

/** Every alarm of a stage. A new one needs a section in docs/runbook.md, or a test fails. */
export function addStageAlarms(book: AlarmBook, props: StageAlarmsProps): RollbackAlarms {
  const rollback = addErrors(book, props);
  addRefusals(book, props);
  addDecisions(book, props);
  addModel(book, props);
  addIntelligence(book, props);
  addLimits(book, props);
  addDelivery(book, props);
  return rollback;
}
