import { canonicalText } from '../entities/canonical-value';
import type { AppliedRule, MatchedRule } from '../screening/decide-by-policy';
import { compileTree, type Reader } from './compile-tree';
import { appliesToAll, type StoredRule } from './rule';
import { type AttributeTypes, type RuleFacts, ruleReader } from './rule-facts';

/**
 * Whether a rule that is rolled out to some users applies to this one. The same user always has the same position among 100,
 * so a higher percentage adds users and drops none; each rule shuffles differently, so that no user gets all trials.
 */
export function isRolledOut(rule: string, userId: string, percent: number): boolean {
  return percent >= 100 || hash(`${rule}\n${canonicalText(userId)}`) % 100 < percent;
}

/** FNV-1a with a final mix, because its lowest bits alone are not spread evenly enough. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The rules of an account that match a screening. */
export interface RuleMatches {
  readonly matched: readonly MatchedRule[];
  readonly shadow: readonly AppliedRule[];
  /** Rules that threw and were skipped: a bug, always. */
  readonly failed: readonly string[];
}

/** An account's rules, ready to run. */
export type RuleSet = (facts: RuleFacts, atMs: number) => RuleMatches;

export const NO_MATCHES: RuleMatches = { matched: [], shadow: [], failed: [] };

/** The rule set of an account without rules. */
export const NO_RULES: RuleSet = () => NO_MATCHES;

interface CompiledRule {
  readonly rule: MatchedRule;
  readonly isShadow: boolean;
  /** Undefined if it applies to all. */
  readonly kinds: ReadonlySet<string> | undefined;
  readonly percent: number;
  readonly expiresMs: number;
  readonly holds: (facts: RuleFacts) => unknown;
}

/** Compiles the rules that are active or in shadow. One that cannot be compiled is skipped, and reported every time. */
export function compileRules(rules: readonly StoredRule[], typeOf: AttributeTypes = () => undefined): RuleSet {
  const running = rules.filter(({ state }) => state === 'active' || state === 'shadow');
  if (running.length === 0) return NO_RULES;
  const broken: string[] = [];
  const reader = ruleReader(typeOf);
  const compiled = running.flatMap((rule) => {
    try {
      return [compileRule(rule, reader)];
    } catch {
      broken.push(rule.name);
      return [];
    }
  });
  return (facts, atMs) => run(compiled, broken, facts, atMs);
}

function compileRule(stored: StoredRule, reader: Reader<RuleFacts>): CompiledRule {
  const { name, version, action, points, priority, override_labels, note, expires_at } = stored;
  return {
    rule: { name, version, action, priority, override_labels, note, ...(points === null ? {} : { points }) },
    isShadow: stored.state === 'shadow',
    kinds: appliesToAll(stored) ? undefined : new Set(stored.applies_to),
    percent: stored.rollout_percent,
    expiresMs: expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at),
    holds: compileTree(stored.tree, reader),
  };
}

function run(rules: readonly CompiledRule[], broken: readonly string[], facts: RuleFacts, atMs: number): RuleMatches {
  const matched: MatchedRule[] = [];
  const shadow: AppliedRule[] = [];
  const failed = [...broken];
  const { action, user_id } = facts.subject;
  for (const { rule, isShadow, kinds, percent, expiresMs, holds } of rules) {
    try {
      if (atMs >= expiresMs || kinds?.has(action) === false || holds(facts) !== true) continue;
      if (!isRolledOut(rule.name, user_id, percent)) continue;
      if (isShadow) shadow.push({ name: rule.name, version: rule.version, action: rule.action });
      else matched.push(rule);
    } catch {
      failed.push(rule.name);
    }
  }
  return { matched, shadow, failed };
}
