import { NO_RULES, type RuleSet } from '../../../domain/rules/rule-set';
import { NOTHING_MISSING, type Reading, type Source } from './source';

/** The rules of an account, ready to be evaluated. */
export interface KnownRules {
  readonly rules: RuleSet;
}

/** The rules of accounts, as a screening needs them. */
export interface ScreeningRules {
  /** The rules of an account: known already, unless it has been a while. Rejects if they are not known at all. */
  current(accountId: string): KnownRules | Promise<KnownRules>;
}

const MISSING: readonly string[] = ['rules'];

const readingOf = ({ rules }: KnownRules): KnownRules & Reading => ({ rules, missing: NOTHING_MISSING });

/** The account's own rules. */
export const ruleSource: Source<'rules', { readonly rules: ScreeningRules }, KnownRules & Reading> = {
  name: 'rules',
  read({ rules }, { caller }) {
    const known = rules.current(caller.account_id);
    return known instanceof Promise ? known.then(readingOf) : readingOf(known);
  },
  without: () => ({ rules: NO_RULES, missing: MISSING }),
  standIn: { rules: { current: () => ({ rules: NO_RULES }) } },
};
