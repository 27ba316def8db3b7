import type { Declarations } from '../declarations/declaration';
import type { Rule, StoredRule } from './rule';

/** All rules of an account, and what it has declared for them: they are read and changed as one. */
export interface RuleBook {
  /** Rises with every change; 0 before the first. */
  readonly revision: number;
  /** By name. */
  readonly rules: readonly StoredRule[];
  readonly declarations: Declarations;
}

/** A version of a rule, for its history. */
export interface RuleVersion extends Rule {
  /** It was deleted with this version. */
  readonly deleted?: true;
}

/** What a version did to the rule. */
export function changeKind({ deleted, created_at, updated_at }: RuleVersion): 'created' | 'updated' | 'deleted' {
  if (deleted) return 'deleted';
  // A name that comes back after a deletion is created anew, though its versions continue.
  return created_at === updated_at ? 'created' : 'updated';
}
