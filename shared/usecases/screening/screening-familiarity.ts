import { type Earning, earningOf, earningText } from '../../domain/entities/earning';
import { stoppedMark } from '../../domain/entities/stopped-mark';
import { isStopped } from '../../domain/screening/decide';
import type { Screening } from '../../domain/screening/screen';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import type { EntityPort, RecordedEntity, Recording } from './screening-compensation';

const UNDO_LIMIT_MS = 800;

/** What a decision means for the histories of those who took part. */
export interface Standing {
  readonly isAllowed: boolean;
  /** Neither for one that is challenged: it earns nothing before it is known to be genuine. */
  readonly isStopped: boolean;
  /** What the attempt earns at once, or when a person approves it; undefined if it shows nothing of the user. */
  readonly earning: Earning | undefined;
  /** What the record keeps of it, for the labels that may come. */
  readonly kept: Pick<ScreeningRecord, 'earning' | 'stopped'>;
}

type Kept = { -readonly [Member in keyof Standing['kept']]: Standing['kept'][Member] };

interface Deps {
  readonly entities: EntityPort;
}

const isUser = ({ ref }: RecordedEntity): boolean => ref.kind === 'user';

/** Familiarity is earned: an allowed attempt makes familiar what it used, a stopped one leaves a mark instead. */
export function standingOf(
  { attempt, refs, recorded }: Recording,
  { decision, risk_score }: Pick<Screening, 'decision' | 'risk_score'>,
): Standing {
  const user = recorded.find(isUser)?.history;
  const device = recorded.find(({ ref }) => ref.kind === 'device')?.history;
  const isAllowed = decision === 'allow';
  const trusts: number[] = [];
  for (const { ref, history } of recorded) if (history.trusted_since_ms === undefined) trusts.push(refs.indexOf(ref));
  const earning = user && earningOf(attempt, user, device, trusts);
  const wasStopped = isStopped(decision);
  const kept: Kept = {};
  if (earning !== undefined) kept.earning = earningText(earning);
  if (wasStopped) kept.stopped = stoppedMark({ attempt, refs }, user, risk_score);
  return { isAllowed, isStopped: wasStopped, earning, kept };
}

type Judged = Recording & { readonly standing: Standing };

/** Writes what an allowed attempt earned for its user; undefined if there is nothing to write. */
export function earn(
  { entities }: Deps,
  accountId: string,
  { attempt, recorded, standing }: Judged,
  limitMs: number,
): Promise<void> | undefined {
  const { isAllowed, earning } = standing;
  const user = recorded.find(isUser);
  if (!isAllowed || earning === undefined || user === undefined) return undefined;
  return entities.earn(accountId, user.ref, { attempt, earning }, limitMs);
}

/** What a decision writes to the other entities: that the attempt was stopped, or trust, once, if an earlier one was. */
export function settle(
  { entities }: Deps,
  accountId: string,
  { attempt, refs, recorded, standing: { isAllowed, isStopped: wasStopped, earning } }: Judged,
  limitMs: number,
): Promise<void>[] {
  const settled: Promise<void>[] = [];
  if (!wasStopped && (!isAllowed || earning === undefined || earning.trusts.length === 0)) return settled;
  for (const { ref, history } of recorded) {
    if (ref.kind === 'user') continue;
    if (wasStopped) settled.push(entities.countStopped(accountId, ref, attempt, limitMs));
    // One that is new, or of which nothing was stopped, is trusted without a write.
    else if (history.first_seen_ms !== undefined && earning?.trusts.includes(refs.indexOf(ref)))
      settled.push(entities.trust(accountId, ref, attempt.at_ms, limitMs));
  }
  return settled;
}

/** Takes back what was earned by a screening whose result was never stored. Best effort, like every compensation. */
export async function unearn(
  { entities }: Deps,
  accountId: string,
  { recorded }: Recording,
  record: ScreeningRecord,
): Promise<void> {
  const user = recorded.find(isUser);
  if (user) await entities.unearn(accountId, user.ref, record, UNDO_LIMIT_MS).catch(() => undefined);
}
