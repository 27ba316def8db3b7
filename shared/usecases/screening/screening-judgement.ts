import type { Caller } from '../../domain/accounts/account';
import { hasConfirmedFraud } from '../../domain/rules/has-confirmed-fraud';
import { NO_RULES, type RuleSet } from '../../domain/rules/rule-set';
import { type AppliedRule, type Judgement, judge, type MatchedList } from '../../domain/screening/judge';
import type { Screening } from '../../domain/screening/screen';
import type { ScreeningFacts } from '../../domain/screening/screening-facts';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';

/** The rules of accounts, as a screening needs them. */
export interface ScreeningRules {
  /** The rules of an account: known already, unless it has been a while. Rejects if they are not known at all. */
  inForce(accountId: string): RuleSet | Promise<RuleSet>;
}

/** The rules of an account, as far as they could be read. */
export interface RulesRead {
  readonly rules: RuleSet;
  /** The names of what could not be read. */
  readonly missing: readonly string[];
}

/** Without rules at all: nothing to wait for. */
const NONE: RulesRead = { rules: NO_RULES, missing: [] };

/** Reads an account's rules beside trip 1; never rejects, since a screening can do without. */
export async function readRules(rules: ScreeningRules | undefined, accountId: string): Promise<RulesRead> {
  if (rules === undefined) return NONE;
  try {
    return { rules: await rules.inForce(accountId), missing: [] };
  } catch {
    return { rules: NO_RULES, missing: ['rules'] };
  }
}

/** A judgement, with what the account's rules said besides. */
export interface JudgedScreening extends Judgement {
  /** @default none */
  readonly shadow_rules?: readonly AppliedRule[] | undefined;
  /** Rules that threw and were skipped. @default none */
  readonly failed_rules?: readonly string[] | undefined;
}

/** A screening that has its score; the facts may be other than they were, to see what would have been decided. */
export interface ToJudge {
  readonly subject: Subject;
  readonly facts: ScreeningFacts;
  readonly screening: Screening;
}

/** From the score to the decision: the account's own rules and lists judge it. */
export function judgeScreening(
  { subject, facts, screening }: ToJudge,
  { settings }: Caller,
  rules: RuleSet,
  lists: readonly MatchedList[],
): JudgedScreening {
  const { risk_score, explanation, vector, fired } = screening;
  const { contributions } = explanation;
  const { attempt, ip } = facts;
  const asked = attempt.amount === subject.amount ? subject : { ...subject, amount: attempt.amount };
  const read = { subject: asked, ip, score: risk_score, vector, fired, lists };
  const { matched, shadow, failed } = rules(read, attempt.at_ms);
  const own = { rules: matched, lists, has_confirmed_fraud: hasConfirmedFraud(facts) };
  const judged = judge({ risk_score, contributions }, own, settings);
  // Member by member: Node 20 takes microseconds for a copy that gets more members.
  return {
    risk_score: judged.risk_score,
    contributions: judged.contributions,
    risk_level: judged.risk_level,
    decision: judged.decision,
    decided_by: judged.decided_by,
    rules: judged.rules,
    lists: judged.lists,
    shadow_rules: shadow,
    failed_rules: failed,
  };
}

type JudgedMembers = {
  -readonly [Member in 'decided_by' | 'rules' | 'lists' | 'shadow_rules']?: ScreeningRecord[Member];
};

/** What a record keeps of the account's own judgement; nothing of most, where only the score decided. */
export function judgedMembers({ decided_by, rules, lists, shadow_rules = [] }: JudgedScreening): JudgedMembers {
  const members: JudgedMembers = {};
  if (decided_by.kind !== 'score') members.decided_by = decided_by;
  if (rules.length > 0) members.rules = rules;
  if (lists.length > 0) members.lists = lists;
  if (shadow_rules.length > 0) members.shadow_rules = shadow_rules;
  return members;
}
