import { type ScoreShares, scoreDecile } from '../domain/models/score-decile';
import { SIGNALS } from '../domain/screening/signals';
import { ulidFraction } from '../domain/ulid';
import type { ScreeningObservation } from '../usecases/screening/screen-subject';
import {
  defineMetrics,
  type MetricDefinition,
  type MetricGroup,
  type MetricValue,
  metricValues,
} from './define-metrics';

const SCREENERS = ['screen-transaction', 'screen-event'] as const;

/** What on-call wants to know about screenings. A repeat of an `Idempotency-Key` does not count as one. */
export const SCREENING_METRICS = defineMetrics({
  Screenings: { unit: 'Count', emitters: SCREENERS, tells: 'Screenings made and stored.' },
  Challenged: {
    unit: 'Count',
    emitters: SCREENERS,
    sparse: true,
    tells: 'Screenings whose decision is `challenge`; sent only by those.',
  },
  Reviewed: {
    unit: 'Count',
    emitters: SCREENERS,
    tells: '1 when the decision is `review`, else 0: the average is the review rate.',
  },
  Blocked: {
    unit: 'Count',
    emitters: SCREENERS,
    tells: '1 when the decision is `block`, else 0: the average is the block rate.',
  },
  RiskScore: {
    unit: 'None',
    emitters: SCREENERS,
    tells: 'The score, 0 to 100; percentiles and trimmed counts of it are the score distribution.',
  },
  DegradedScreenings: {
    unit: 'Count',
    emitters: SCREENERS,
    tells: '1 when a history did not answer in time and the screening was made without it, else 0.',
  },
  ScreeningsByModel: {
    unit: 'Count',
    emitters: SCREENERS,
    by: 'model_version',
    tells: 'Screenings, by the model that took part in the score.',
  },
  ScoreDecile: {
    unit: 'None',
    emitters: SCREENERS,
    sparse: true,
    tells:
      'In which tenth of its training’s scores a score lies, 1 to 10: evenly spread unless traffic has drifted. Sent where the model in force says what its scores were.',
  },
  DecidedByRule: {
    unit: 'Count',
    emitters: SCREENERS,
    sparse: true,
    tells: 'Screenings that a rule of the account decided; sent only by those.',
  },
  FailedRules: {
    unit: 'Count',
    emitters: SCREENERS,
    sparse: true,
    tells: 'Rules that could not be evaluated and were skipped: a bug, always. Sent only if there are any.',
  },
  FailedSignals: { unit: 'Count', emitters: SCREENERS, tells: 'Signals that threw and were left out: a bug, always.' },
});

/** The name of a signal's metric. */
export const signalMetric = (name: string) => `Signal.${name}` as const;

/** One metric per signal, sent only by screenings in which it fired. New signals join the catalogue automatically. */
export const SIGNAL_METRICS: MetricGroup<`Signal.${string}`> = Object.fromEntries(
  SIGNALS.map(({ name, summary }): [string, MetricDefinition] => [
    signalMetric(name),
    { unit: 'Count', emitters: SCREENERS, sparse: true, tells: `Screenings in which \`${name}\` fired: ${summary}.` },
  ]),
);

/** The metric values of one screening. */
export function screeningMetrics(
  { record, failed_signals, failed_rules = [] }: ScreeningObservation,
  scoreShares: ScoreShares,
): MetricValue[] {
  const decile = scoreDecile(scoreShares, record.risk_score, ulidFraction(record.ulid));
  const metrics = metricValues(SCREENING_METRICS, {
    Screenings: 1,
    ...(record.automated_decision === 'challenge' ? { Challenged: 1 } : {}),
    Reviewed: record.automated_decision === 'review' ? 1 : 0,
    Blocked: record.automated_decision === 'block' ? 1 : 0,
    RiskScore: record.risk_score,
    DegradedScreenings: record.missing.length > 0 ? 1 : 0,
    FailedSignals: failed_signals.length,
    ...(record.decided_by?.kind === 'rule' ? { DecidedByRule: 1 } : {}),
    ...(failed_rules.length > 0 ? { FailedRules: failed_rules.length } : {}),
    ScreeningsByModel: 1,
    ...(decile === undefined ? {} : { ScoreDecile: decile }),
  });
  for (const { signal } of record.contributions) {
    const name = signalMetric(signal);
    // What the model adds to the explanation is not a signal and has no metric.
    if (name in SIGNAL_METRICS) metrics.push({ name, unit: 'Count', value: 1 });
  }
  return metrics;
}
