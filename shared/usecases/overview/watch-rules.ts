import {
  countRules,
  largestRuleShare,
  type RuledScreening,
  type RuleShare,
  type RuleUses,
} from '../../domain/overview/rule-share';

/** Dependencies of watching what rules decide. */
export interface WatchRulesDeps<Raw> {
  /** Parses a record of the stream; undefined if it is not a new screening. */
  readonly readRuled: (raw: Raw) => RuledScreening | undefined;
}

/** What a window has counted, with the batch, and the rule that decides the most. */
export interface WatchedRules {
  readonly uses: RuleUses;
  readonly share: RuleShare | undefined;
}

/** Counts what rules decided in a batch of the stream, on top of what its window has counted before. */
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
