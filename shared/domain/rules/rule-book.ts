import type { Declarations } from '../declarations/declaration';
import type { Rule, StoredRule } from './rule';

/** All rules of an account, and its declarations for them: they are read and changed as one. */
export interface RuleBook {
  /** Rises with every change; 0 before the first. */
  readonly revision: number;
  readonly rules: readonly StoredRule[];
  readonly declarations: Declarations;
}

/** A version of a rule, for its history. */
export interface RuleVersion extends Rule {
  readonly deleted?: true;
}

/** The kind of change that a version made. */
export function changeKind({ deleted, created_at, updated_at }: RuleVersion): 'created' | 'updated' | 'deleted' {
  if (deleted) return 'deleted';
  // A name that comes back after a deletion is created again, though its versions continue.
  return created_at === updated_at ? 'created' : 'updated';
}
