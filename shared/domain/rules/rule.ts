import { EVENT_ACTIONS } from '../entities/entity-history';
import type { RuleAction } from '../screening/decide-by-policy';
import type { Tree } from './tree';

export const RULE_ACTIONS = [
  'allow',
  'block',
  'challenge',
  'review',
  'points',
] as const satisfies readonly RuleAction[];
/** `draft` and `paused` rules are kept and not evaluated; `shadow` ones are evaluated and counted, without effect. */
export const RULE_STATES = ['draft', 'shadow', 'active', 'paused'] as const;
/** The kinds that every account can screen; its declared event types are extra. */
export const SCREENED_KINDS = ['transaction', ...EVENT_ACTIONS] as const;

/** Whether a rule can have this name. `test` is the path where rules are tested. */
export const isRuleName = (name: string): boolean => /^(?!test$)[a-z][a-z0-9_-]{0,62}$/.test(name);

export const MAX_RULES = 200;
export const MAX_POINTS = 50;
export const MAX_PRIORITY = 999;

/** The part of a rule that an account sets. */
export interface RuleDefinition {
  readonly expression: string;
  readonly action: RuleAction;
  /** −50 to 50; null unless the action is `points`. */
  readonly points: number | null;
  /** 0 to 999: among rules of equal strength the lower one names the decision. */
  readonly priority: number;
  readonly state: (typeof RULE_STATES)[number];
  readonly rollout_percent: number;
  /** `transaction` and event types; a rule that names all of `SCREENED_KINDS` applies to everything else too. */
  readonly applies_to: readonly string[];
  /** From this instant on the rule does not match. */
  readonly expires_at: string | null;
  readonly note: string | null;
  readonly override_labels: boolean;
}

export interface Rule extends RuleDefinition {
  readonly name: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly updated_by: string;
}

/** A rule with its checked expression, as screenings load it. */
export interface StoredRule extends Rule {
  readonly tree: Tree;
}

/** Whether a rule applies to everything, including event types declared later. */
export const appliesToAll = ({ applies_to }: Pick<RuleDefinition, 'applies_to'>): boolean =>
  SCREENED_KINDS.every((kind) => applies_to.includes(kind));

export const DEFAULT_RULE: Omit<RuleDefinition, 'expression' | 'action'> = {
  points: null,
  priority: 500,
  state: 'draft',
  rollout_percent: 100,
  applies_to: SCREENED_KINDS,
  expires_at: null,
  note: null,
  override_labels: false,
};
