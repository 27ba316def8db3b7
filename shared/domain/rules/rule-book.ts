import type { Rule, StoredRule } from './rule';

/** All rules of an account: they are read and changed as one. */
export interface RuleBook {
  /** Rises with every change; 0 before the first. */
  readonly revision: number;
  /** By name. */
  readonly rules: readonly StoredRule[];
}

/** A version of a rule, for its history. */
export interface RuleVersion extends Rule {
  /** It was deleted with this version. */
  readonly deleted?: true;
}
