import type { EntityRef } from '../../domain/entities/entity-ref';
import { repeatedScore } from '../../domain/entities/stopped-mark';
import type { Judgement, MatchedList } from '../../domain/screening/judge';
import type { ScreeningFacts } from '../../domain/screening/screening-facts';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { type Supposed, whatIf } from '../../domain/screening/what-if';

/** What the record keeps about changes that would have led to a milder decision; undefined if there is none. */
export function whatIfOf(
  facts: ScreeningFacts,
  refs: readonly EntityRef[],
  { decision, contributions }: Judgement,
  judgeAgain: (supposed: Supposed) => Judgement,
): ScreeningRecord['what_if'] {
  if (decision === 'allow') return undefined;
  const decideOn = (supposed: Supposed) =>
    judgeAgain({ ...supposed, facts: { ...supposed.facts, repeats_score: repeated(supposed, refs) } }).decision;
  const found = whatIf(facts, { decision, contributions, decideOn });
  return found.length === 0 ? undefined : found;
}

/** Whether it repeats a stopped attempt depends on the amount, the device and the address. */
function repeated({ facts: { attempt, user }, replaced }: Supposed, refs: readonly EntityRef[]): number {
  const others =
    replaced === undefined ? refs : refs.map((ref) => (ref.kind === replaced ? { key: 'another one' } : ref));
  return repeatedScore({ attempt, refs: others }, user);
}

const LISTS_OF: Readonly<Record<'device' | 'ip', readonly string[]>> = {
  device: ['device_fingerprint'],
  ip: ['ip_address', 'cidr'],
};

/** A supposed device or address is on no list. */
export const supposedLists = (
  lists: readonly MatchedList[],
  { replaced }: Pick<Supposed, 'replaced'>,
): readonly MatchedList[] =>
  replaced === undefined ? lists : lists.filter(({ type }) => !LISTS_OF[replaced].includes(type));

/** What rules read of a supposed attempt. */
export const supposedSubject = (subject: Subject, { facts: { attempt }, replaced }: Supposed): Subject => ({
  ...subject,
  amount: attempt.amount,
  ...(replaced === 'device' ? { device_fingerprint: attempt.device } : {}),
});
