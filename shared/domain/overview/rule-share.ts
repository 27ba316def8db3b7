/** A new screening of an account, and the rule that decided it, if one did. */
export interface RuledScreening {
  readonly account_id: string;
  readonly rule: string | undefined;
}

interface RuleUse {
  readonly made: number;
  readonly decided: Readonly<Record<string, number>>;
}

/** Rule use by account ID. */
export type RuleUses = Readonly<Record<string, RuleUse>>;

/** The rule with the largest share of its account's screenings. */
export interface RuleShare {
  readonly account_id: string;
  readonly rule: string;
  readonly percent: number;
}

/** With fewer screenings a share says little: a rule that usually decides 2% decides 6 of 100 once in sixty times. */
export const LEAST_SCREENINGS = 100;

/** State carried from batch to batch may take 1 MB; an account with a few rules takes a hundred bytes. */
const MOST_ACCOUNTS = 2_000;

/** Adds screenings to the counts of a window. */
export function countRules(uses: RuleUses, screenings: readonly RuledScreening[]): RuleUses {
  const counted = new Map(
    Object.entries(uses).map(([id, { made, decided }]) => [id, { made, decided: { ...decided } }]),
  );
  for (const { account_id, rule } of screenings) {
    const use = counted.get(account_id) ?? { made: 0, decided: {} };
    if (!counted.has(account_id) && counted.size >= MOST_ACCOUNTS) continue;
    use.made += 1;
    if (rule !== undefined) use.decided[rule] = (use.decided[rule] ?? 0) + 1;
    counted.set(account_id, use);
  }
  return Object.fromEntries(counted);
}

/** The largest share of all; undefined if no rule decided anything in an account with enough screenings. */
export function largestRuleShare(uses: RuleUses): RuleShare | undefined {
  const shares = Object.entries(uses).flatMap(([account_id, { made, decided }]): RuleShare[] =>
    made < LEAST_SCREENINGS
      ? []
      : Object.entries(decided).map(([rule, count]) => ({ account_id, rule, percent: (100 * count) / made })),
  );
  return shares.sort((a, b) => b.percent - a.percent)[0];
}
