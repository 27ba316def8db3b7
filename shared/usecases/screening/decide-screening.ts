import type { AccountSettings } from '../../domain/accounts/account';
import type { EntityRef } from '../../domain/entities/entity-ref';
import { repeatedScore } from '../../domain/entities/stopped-mark';
import { hasConfirmedFraud } from '../../domain/rules/rule-facts';
import type { RuleSet } from '../../domain/rules/rule-set';
import { observeAttributes } from '../../domain/screening/attributes/observe-attributes';
import { decideByPolicy, type MatchedList, type PolicyDecision } from '../../domain/screening/decide-by-policy';
import { forcedScreening } from '../../domain/screening/sandbox-decision';
import { rescreen, type Screening, screen } from '../../domain/screening/screen';
import type { ScreeningFacts } from '../../domain/screening/screening-facts';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { type Supposed, whatIf } from '../../domain/screening/what-if';
import { type Familiarity, familiarityOf } from './familiarity';
import { gatherFacts } from './gather-facts';
import { type Decided, newRecord, type ScreeningDecision } from './new-record';
import type { Prepared } from './prepare';
import type { Readings } from './sources';

/** A screening with everything that led to its decision: the second trip writes it. */
export interface Screened extends Decided {
  readonly prepared: Prepared;
  readonly readings: Readings;
  readonly facts: ScreeningFacts;
  readonly familiarity: Familiarity;
  readonly record: ScreeningRecord;
}

/** Decides from the request and everything read: facts, score, the account's rules and lists, decision, what-if. */
export function decideScreening(prepared: Prepared, readings: Readings): Screened {
  const { caller, subject, forced, ip, attempt, pseudonyms } = prepared;
  const { settings } = caller;
  const { never_observed } = settings;
  const observed = forced ? [] : observeAttributes(subject, attempt.at_ms, ip, { pseudonyms, never_observed });
  const facts = gatherFacts(prepared, readings, observed);
  const { screening, decision, what_if }: Decided = forced
    ? forcedScreening(forced, settings)
    : decideOnFacts(prepared, readings, facts);
  const familiarity = familiarityOf(prepared, readings.histories, decision, settings);
  const record = newRecord(prepared, readings, { screening, decision, what_if }, { observed, familiarity });
  return { prepared, readings, facts, screening, decision, what_if, familiarity, record };
}

function decideOnFacts(
  { caller: { settings, wants_what_if = true }, subject, refs }: Prepared,
  readings: Readings,
  facts: ScreeningFacts,
): Decided {
  const {
    histories,
    lists,
    rules: { rules },
    models: { champion, shadow },
  } = readings;
  const listed = lists.matches(histories.recorded);
  const screening = screen(facts, settings, champion, shadow);
  const counters = readings.counters.values;
  const decision = decideOn({ subject, facts, screening, counters }, settings, rules, listed);
  const supposing = (supposed: Supposed) => {
    const again = rescreen(supposed.facts, settings, champion, supposed.without);
    const other = { subject: supposedSubject(subject, supposed), facts: supposed.facts, screening: again, counters };
    return decideOn(other, settings, rules, supposedLists(listed, supposed));
  };
  return { screening, decision, what_if: wants_what_if ? whatIfOf(facts, refs, decision, supposing) : undefined };
}

/** A screening that has its score; the facts may be other than they were, to see what would have been decided. */
export interface ScoredScreening {
  readonly subject: Subject;
  readonly facts: ScreeningFacts;
  readonly screening: Screening;
  /** Values of the account's counters. @default it has none */
  readonly counters?: Readonly<Record<string, number>> | undefined;
}

/** From the score to the decision, by the account's own rules and lists. */
export function decideOn(
  { subject, facts, screening, counters }: ScoredScreening,
  settings: AccountSettings,
  rules: RuleSet,
  lists: readonly MatchedList[],
): ScreeningDecision {
  const { risk_score, explanation, vector, fired } = screening;
  const { contributions } = explanation;
  const { attempt, ip, email } = facts;
  const asked = attempt.amount === subject.amount ? subject : { ...subject, amount: attempt.amount };
  const read = { subject: asked, ip, email, score: risk_score, vector, fired, lists, counters };
  const { matched, shadow, failed } = rules(read, attempt.at_ms);
  const own = { rules: matched, lists, has_confirmed_fraud: hasConfirmedFraud(facts) };
  const decided = decideByPolicy({ risk_score, contributions }, own, settings);
  // Member by member: Node 20 takes microseconds for a copy that gets more members.
  return {
    risk_score: decided.risk_score,
    contributions: decided.contributions,
    risk_level: decided.risk_level,
    decision: decided.decision,
    decided_by: decided.decided_by,
    rules: decided.rules,
    lists: decided.lists,
    shadow_rules: shadow,
    failed_rules: failed,
  };
}

function whatIfOf(
  facts: ScreeningFacts,
  refs: readonly EntityRef[],
  { decision, contributions }: PolicyDecision,
  decideAgain: (supposed: Supposed) => PolicyDecision,
): ScreeningRecord['what_if'] {
  if (decision === 'allow') return undefined;
  const decideSupposed = (supposed: Supposed) =>
    decideAgain({ ...supposed, facts: { ...supposed.facts, repeats_score: repeated(supposed, refs) } }).decision;
  const found = whatIf(facts, { decision, contributions, decideOn: decideSupposed });
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
const supposedLists = (
  lists: readonly MatchedList[],
  { replaced }: Pick<Supposed, 'replaced'>,
): readonly MatchedList[] =>
  replaced === undefined ? lists : lists.filter(({ type }) => !LISTS_OF[replaced].includes(type));

/** The subject that rules read for a supposed attempt. */
const supposedSubject = (subject: Subject, { facts: { attempt }, replaced }: Supposed): Subject => ({
  ...subject,
  amount: attempt.amount,
  ...(replaced === 'device' ? { device_fingerprint: attempt.device } : {}),
});
