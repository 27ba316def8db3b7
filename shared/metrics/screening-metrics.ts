import type { Decision } from '../domain/screening/decide';
import { SIGNALS } from '../domain/screening/signals';
import type { ScreeningRecord } from '../domain/screening/subjects/screening-record';
import { ulidFraction } from '../domain/ulid';
import type { ScreeningObservation } from '../usecases/screening/screen-subject';
import { defineMetrics, type MetricValue, metricValues } from './define-metrics';

const SCREENERS = ['screen-transaction', 'screen-event'] as const;

/** Screening metrics for on-call. A repeat of an `Idempotency-Key` does not count as one. */
export const SCREENING_METRICS = defineMetrics(SCREENERS, {
  Decisions: {
    unit: 'None',
    tells:
      'The number of the decision: 1 `allow`, 3 `challenge`, 5 `review`, 7 `block`, and one more if a rule of the account decided. The sample count is the number of screenings; trimmed counts and percentile ranks tell decisions apart.',
  },
  RiskScore: {
    unit: 'None',
    tells: 'The score, 0 to 100; percentiles and trimmed counts of it are the score distribution.',
  },
  DegradedScreenings: {
    sparse: 'rare',
    tells: 'Screenings that were made without a history, because it did not answer in time; sent only by those.',
  },
  ScreeningsByModel: { by: 'model_version', tells: 'Screenings, by the model that took part in the score.' },
  ScoreDecile: {
    unit: 'None',
    sparse: true,
    tells:
      'In which tenth of its training’s scores a score lies, 1 to 10: evenly spread unless traffic has drifted. Sent where the model in force says what its scores were.',
  },
  FailedRules: {
    sparse: 'rare',
    tells: 'Rules that could not be evaluated and were skipped: a bug, always. Sent only if there are any.',
  },
  FailedSignals: {
    sparse: 'rare',
    tells: 'Signals that threw and were left out: a bug, always. Sent only if there are any.',
  },
  FiredSignals: {
    unit: 'None',
    sparse: true,
    tells:
      'The number of each signal that fired, its position in `SIGNALS`: trimmed counts tell them apart, at the price of one metric instead of one per signal.',
  },
});

/** From mild to severe, so that one bound tells what was stopped from what was not. */
const DECISIONS: readonly Decision[] = ['allow', 'challenge', 'review', 'block'];

/** The number of a decision in CloudWatch: odd if the score decided, even if a rule of the account did. */
export const decisionNumber = (decision: Decision, isByRule = false): number =>
  2 * DECISIONS.indexOf(decision) + (isByRule ? 2 : 1);

const NUMBERS: ReadonlyMap<string, number> = new Map(SIGNALS.map(({ name }, at) => [name, at + 1]));

/** The number of a signal in CloudWatch: its position in the list of signals, from 1; 0 for anything else. */
export const signalNumber = (name: string): number => NUMBERS.get(name) ?? 0;

/** The signals that fired in a screening; what the model or a rule adds to the explanation is none. */
export const firedSignals = ({ contributions }: Pick<ScreeningRecord, 'contributions'>): string[] =>
  contributions.map(({ signal }) => signal).filter((name) => signalNumber(name) > 0);

export function screeningMetrics(
  { record, failed_signals, failed_rules = [] }: ScreeningObservation,
  scoreShares: ScoreShares,
): MetricValue[] {
  const decile = scoreDecile(scoreShares, record.risk_score, ulidFraction(record.ulid));
  return metricValues(SCREENING_METRICS, {
    Decisions: decisionNumber(record.automated_decision, record.decided_by?.kind === 'rule'),
    RiskScore: record.risk_score,
    DegradedScreenings: record.missing.length > 0 ? 1 : 0,
    FailedSignals: failed_signals.length,
    FailedRules: failed_rules.length,
    ScreeningsByModel: 1,
    ...(decile === undefined ? {} : { ScoreDecile: decile }),
    FiredSignals: firedSignals(record).map(signalNumber),
  });
}

/** The share of a model's holdout in each band of ten points, 0–9 to 90–100; empty or absent if unknown. */
export type ScoreShares = readonly number[] | undefined;

const BANDS = 10;

/**
 * Which tenth of the training scores a score falls into, 1 to 10. Within a band, `fraction` (0 to 1, evenly spread)
 * decides, so that scores distributed as in training fill all tenths equally, however uneven the bands are: drift is
 * any deviation from that, and a dashboard can compute it without knowing the model.
 */
export function scoreDecile(shares: ScoreShares, score: number, fraction: number): number | undefined {
  if (shares?.length !== BANDS) return undefined;
  const band = Math.min(BANDS - 1, Math.floor(score / BANDS));
  let all = 0;
  let below = 0;
  for (let at = 0; at < BANDS; at++) {
    const share = shares[at] as number;
    all += share;
    if (at < band) below += share;
  }
  if (!(all > 0)) return undefined;
  const quantile = (below + fraction * (shares[band] as number)) / all;
  return Math.min(10, 1 + Math.floor(10 * quantile));
}
