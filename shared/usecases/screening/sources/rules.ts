import { type Declarations, NO_DECLARATIONS } from '../../../domain/declarations/declaration';
import { type CounterSet, NO_COUNTERS } from '../../../domain/rules/compile-counters';
import { NO_RULES, type RuleSet } from '../../../domain/rules/rule-set';
import { NOTHING_MISSING, type Reading, type Source } from './source';

/** The rules of an account, ready to be evaluated, and what it has declared for them. */
export interface KnownRules {
  readonly rules: RuleSet;
  readonly declarations: Declarations;
  readonly counters: CounterSet;
}

/** The rules of accounts, as a screening needs them. */
export interface ScreeningRules {
  /** The rules of an account: known already, unless it has been a while. Rejects if they are not known at all. */
  current(accountId: string): KnownRules | Promise<KnownRules>;
  /** As they are stored at this moment: for a name that is not known yet. */
  reread(accountId: string): Promise<KnownRules>;
  latest(accountId: string): KnownRules | undefined;
}

const MISSING: readonly string[] = ['rules'];

const NONE: KnownRules = { rules: NO_RULES, declarations: NO_DECLARATIONS, counters: NO_COUNTERS };

const readingOf = ({ rules, declarations, counters }: KnownRules): KnownRules & Reading => ({
  rules,
  declarations,
  counters,
  missing: NOTHING_MISSING,
});

/** The account's own rules. */
export const ruleSource: Source<'rules', { readonly rules: ScreeningRules }, KnownRules & Reading> = {
  name: 'rules',
  read({ rules }, { caller }) {
    const known = rules.current(caller.account_id);
    return known instanceof Promise ? known.then(readingOf) : readingOf(known);
  },
  without: () => ({ ...NONE, missing: MISSING }),
  standIn: { rules: { current: () => NONE, reread: async () => NONE, latest: () => NONE } },
};
