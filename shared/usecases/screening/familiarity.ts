import { type Earning, earningOf, earningText } from '../../domain/entities/earning';
import { repeated, stoppedMark } from '../../domain/entities/stopped-mark';
import { decide, isStopped, type Thresholds } from '../../domain/screening/decide';
import type { PolicyDecision } from '../../domain/screening/decide-by-policy';
import type { SignalDefinition } from '../../domain/screening/signal-definition';
import { splitPayments } from '../../domain/screening/signals/amount-signals';
import { repeatsStoppedAttempt } from '../../domain/screening/signals/history-signals';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import type { Prepared } from './prepare';
import type { HistoriesReading, RecordedEntity } from './sources/histories';

/** Consequences of a decision for the histories of those who took part. */
export interface Familiarity {
  readonly isAllowed: boolean;
  /** Neither for one that is challenged: it earns nothing before it is known to be genuine. */
  readonly isStopped: boolean;
  /** Earned by the attempt at once, or when a person approves it; undefined if it shows nothing of the user. */
  readonly earning: Earning | undefined;
  /** The part that the record keeps, for the labels that may come. */
  readonly kept: Pick<ScreeningRecord, 'earning' | 'stopped'>;
}

type Kept = { -readonly [Member in keyof Familiarity['kept']]: Familiarity['kept'][Member] };

export const isUser = ({ ref }: RecordedEntity): boolean => ref.kind === 'user';

/** Familiarity is earned: an allowed attempt makes familiar what it used, a stopped one leaves a mark instead. */
export function familiarityOf(
  { attempt, refs }: Pick<Prepared, 'attempt' | 'refs'>,
  { recorded }: Pick<HistoriesReading, 'recorded'>,
  { decision, risk_score, contributions }: Pick<PolicyDecision, 'decision' | 'risk_score' | 'contributions'>,
  settings: Thresholds,
): Familiarity {
  const user = recorded.find(isUser)?.history;
  const device = recorded.find(({ ref }) => ref.kind === 'device')?.history;
  const isAllowed = decision === 'allow';
  const trusts: number[] = [];
  for (const { ref, history } of recorded) if (history.trusted_since_ms === undefined) trusts.push(refs.indexOf(ref));
  const earning = user && earningOf(attempt, user, device, trusts);
  const wasStopped = isStopped(decision);
  const kept: Kept = {};
  if (earning !== undefined) kept.earning = earningText(earning);
  if (wasStopped) {
    const isOnlyFor = ({ name }: SignalDefinition): boolean => {
      const points = contributions.find(({ signal }) => signal === name)?.points ?? 0;
      return points > 0 && !isStopped(decide(risk_score - points, settings));
    };
    const made = { attempt, refs };
    const isForItsSum = isOnlyFor(splitPayments);
    const sinceMs = isOnlyFor(repeatsStoppedAttempt) ? repeated(made, user).at_ms : undefined;
    kept.stopped = stoppedMark(made, user, risk_score, { isForItsSum, sinceMs });
  }
  return { isAllowed, isStopped: wasStopped, earning, kept };
}
