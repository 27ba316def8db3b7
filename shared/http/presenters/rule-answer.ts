import type { Rule } from '../../domain/rules/rule';
import { changeKind, type RuleVersion } from '../../domain/rules/rule-book';
import { NEVER_MATCHED, type RuleMatchCounts } from '../../domain/rules/rule-match-counts';
import type { RuleTrial } from '../../domain/rules/rule-trial';
import type { AnswerOf } from '../../schemas/answer-of';
import type { rule, ruleList, ruleTest, ruleVersions } from '../../schemas/rule';

/** Exactly the members of the answer: the table also holds the checked expression. */
const members = (of: Rule) => ({
  name: of.name,
  expression: of.expression,
  action: of.action,
  points: of.points,
  priority: of.priority,
  state: of.state,
  rollout_percent: of.rollout_percent,
  applies_to: [...of.applies_to],
  expires_at: of.expires_at,
  note: of.note,
  override_labels: of.override_labels,
  version: of.version,
  created_at: of.created_at,
  updated_at: of.updated_at,
  updated_by: of.updated_by,
});

export const ruleAnswer = (of: Rule, counts: RuleMatchCounts): AnswerOf<typeof rule> => ({
  ...members(of),
  matches: counts.get(of.name) ?? NEVER_MATCHED,
});

export const ruleListAnswer = (rules: readonly Rule[], counts: RuleMatchCounts): AnswerOf<typeof ruleList> => ({
  rules: rules.map((each) => ruleAnswer(each, counts)),
});

export const ruleVersionsAnswer = (versions: readonly Rule[]): AnswerOf<typeof ruleVersions> => ({
  versions: versions.map(members),
});

/** The webhook payload for a changed rule: the version that the change made. */
export const ruleChangeAnswer = (of: RuleVersion) => ({ change: changeKind(of), ...members(of) });

const NO_RESULT = {
  ...{ days: 0, rows: 0, screened: 0, matched: 0, matched_per_day: 0, interval: [0, 0], labelled: 0, fraud_matched: 0 },
  ...{ legitimate_matched: 0, precision: null, recall: null, flips: [], amount_usd: 0, examples: [], not_testable: [] },
};

/** A test on the warehouse that has no result yet. */
export const runningTestAnswer = ({ test_id }: { readonly test_id: string }): AnswerOf<typeof ruleTest> => ({
  ...NO_RESULT,
  status: 'running',
  test_id,
});

export const ruleTestAnswer = ({
  interval,
  flips,
  examples,
  not_testable,
  ...trial
}: RuleTrial): AnswerOf<typeof ruleTest> => ({
  ...trial,
  interval: [...interval],
  flips: [...flips],
  examples: [...examples],
  not_testable: [...not_testable],
});
