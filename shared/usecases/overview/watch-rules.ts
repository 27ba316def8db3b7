import {
  countRules,
  largestRuleShare,
  type RuledScreening,
  type RuleShare,
  type RuleUses,
} from '../../domain/overview/rule-share';

/** Dependencies of watching the decisions of rules. */
export interface WatchRulesDeps<Raw> {
  readonly readRuled: (raw: Raw) => RuledScreening | undefined;
}

/** The counts of a window, including the batch, and the rule that decides the most. */
export interface WatchedRules {
  readonly uses: RuleUses;
  readonly share: RuleShare | undefined;
}

/** Counts the decisions of rules in a batch of the stream, on top of the earlier counts of its window. */
export function watchRules<Raw>(
  { readRuled }: WatchRulesDeps<Raw>,
  before: RuleUses,
  records: readonly Raw[],
): WatchedRules {
  const uses = countRules(
    before,
    records.flatMap((raw) => readRuled(raw) ?? []),
  );
  return { uses, share: largestRuleShare(uses) };
}
