import { type Decision, decide, type RiskLevel, riskLevel, type Thresholds } from './decide';
import type { Contribution } from './score';

/** The decisions of rules and lists, strongest first. */
export const DECIDING_ACTIONS = ['allow', 'block', 'challenge', 'review'] as const satisfies readonly Decision[];

export type RuleAction = (typeof DECIDING_ACTIONS)[number] | 'points';

/** A rule of the account that matched a screening. */
export interface MatchedRule {
  readonly name: string;
  readonly version: number;
  readonly action: RuleAction;
  /** Points added to the score; only with the action `points`. */
  readonly points?: number | undefined;
  readonly priority: number;
  readonly override_labels?: boolean | undefined;
  readonly note?: string | null | undefined;
}

/** A list of the account that holds something of a screening. */
export interface MatchedList {
  readonly name: string;
  readonly type: string;
  /** It counts like a rule of that action with priority 0. */
  readonly effect: (typeof DECIDING_ACTIONS)[number] | 'none';
}

/** The source of a decision, with its name unless it was the score. */
export interface DecidedBy {
  readonly kind: 'score' | 'rule' | 'list' | 'sandbox';
  readonly name: string | null;
}

/** A rule as a screening's answer names it. */
export type AppliedRule = Pick<MatchedRule, 'name' | 'version' | 'action'>;

/** A score before the account's rules and lists are considered. */
export interface Scored {
  readonly risk_score: number;
  readonly contributions: readonly Contribution[];
}

/** The account's own rules and lists, as far as they match a screening. */
export interface Matched {
  readonly rules: readonly MatchedRule[];
  readonly lists: readonly MatchedList[];
  readonly has_confirmed_fraud: boolean;
}

export interface PolicyDecision extends Scored {
  readonly risk_level: RiskLevel;
  readonly decision: Decision;
  readonly decided_by: DecidedBy;
  readonly rules: readonly AppliedRule[];
  readonly lists: readonly string[];
}

export const BY_SCORE: DecidedBy = { kind: 'score', name: null };

const NONE: readonly never[] = [];

/** The name of a rule's contribution to the score. */
export const ruleContribution = (name: string): string => `rule:${name}`;
export const isRuleContribution = ({ signal }: Pick<Contribution, 'signal'>): boolean => signal.startsWith('rule:');

/**
 * From the score to the decision:
 *
 *   1. points of rules join the score, which stays between 0 and 100;
 *   2. the account's thresholds decide by that score;
 *   3. of what the rules, the lists and the thresholds decided, the strongest wins: allow, block, challenge, review. Among
 *      equals a rule or list comes before the score, then the lower priority, then the name. That the score stays below
 *      all thresholds is nobody's decision: it stops nothing that a rule stops;
 *   4. `allow` does not count against a confirmed fraud, unless the rule overrides labels.
 */
export function decideByPolicy(scored: Scored, matched: Matched, thresholds: Thresholds): PolicyDecision {
  const { rules, lists } = matched;
  if (rules.length === 0 && lists.length === 0) return byScore(scored, thresholds);
  const ordered = [...rules].sort(byPriority);
  const decided = byScore(withPoints(scored, ordered), thresholds);
  const winner = strongest(ordered, matched);
  const wins = winner !== undefined && strengthOf(winner.action) <= scoreStrength(decided.decision);
  return {
    ...decided,
    ...(wins ? { decision: winner.action, decided_by: { kind: winner.kind, name: winner.name } } : {}),
    rules: ordered.map(({ name, version, action }) => ({ name, version, action })),
    lists: lists.map(({ name }) => name).sort(),
  };
}

const byScore = ({ risk_score, contributions }: Scored, thresholds: Thresholds): PolicyDecision => ({
  risk_score,
  contributions,
  risk_level: riskLevel(risk_score, thresholds),
  decision: decide(risk_score, thresholds),
  decided_by: BY_SCORE,
  rules: NONE,
  lists: NONE,
});

interface Ranked {
  readonly name: string;
  readonly priority: number;
}

const byPriority = (a: Ranked, b: Ranked): number =>
  a.priority - b.priority || (a.name < b.name ? -1 : Number(a.name > b.name));

/** The lower, the stronger. */
const strengthOf = (action: Decision): number => DECIDING_ACTIONS.indexOf(action);

/** The score's `allow` is weaker than everything: it only says that no threshold was reached. */
const scoreStrength = (decision: Decision): number =>
  decision === 'allow' ? DECIDING_ACTIONS.length : strengthOf(decision);

interface Contender extends Ranked {
  readonly kind: 'rule' | 'list';
  readonly action: Decision;
}

/** The rule or list that decides among all that matched; undefined if none has anything to decide. */
function strongest(rules: readonly MatchedRule[], { lists, has_confirmed_fraud }: Matched) {
  let best: Contender | undefined;
  const consider = (contender: Contender, overrides: boolean): void => {
    if (contender.action === 'allow' && has_confirmed_fraud && !overrides) return;
    const order = best && strengthOf(contender.action) - strengthOf(best.action);
    if (best === undefined || (order || byPriority(contender, best)) < 0) best = contender;
  };
  for (const { name, priority, action, override_labels } of rules) {
    if (action !== 'points') consider({ kind: 'rule', name, priority, action }, override_labels === true);
  }
  for (const { name, effect } of lists) {
    if (effect !== 'none') consider({ kind: 'list', name, priority: 0, action: effect }, false);
  }
  return best as Contender | undefined;
}

/**
 * Adds the points of rules to the score, so that base + Σ points stays exactly the score. What would leave 0 to 100 is
 * taken from the rules that push there, the least important first.
 */
function withPoints({ risk_score, contributions }: Scored, rules: readonly MatchedRule[]): Scored {
  const added = rules.filter(({ action, points = 0 }) => action === 'points' && points !== 0);
  if (added.length === 0) return { risk_score, contributions };
  const points = added.map((rule) => rule.points ?? 0);
  const wanted = points.reduce((sum, each) => sum + each, risk_score);
  const reached = Math.min(100, Math.max(0, wanted));
  let excess = wanted - reached;
  for (let i = points.length - 1; i >= 0 && excess !== 0; i--) {
    const own = points[i] as number;
    if (Math.sign(own) !== Math.sign(excess)) continue;
    const taken = Math.sign(own) * Math.min(Math.abs(own), Math.abs(excess));
    points[i] = own - taken;
    excess -= taken;
  }
  const own = added.map(({ name, note }, i) => ({
    signal: ruleContribution(name),
    points: points[i] as number,
    detail: note ? `Rule ${name}: ${note}` : `Rule ${name}`,
  }));
  return {
    risk_score: reached,
    contributions: [...contributions, ...own.filter((each) => each.points !== 0)].sort(
      (a, b) => b.points - a.points || (a.signal < b.signal ? -1 : 1),
    ),
  };
}
