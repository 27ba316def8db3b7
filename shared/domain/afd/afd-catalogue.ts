import { EVENT_ACTIONS } from '../entities/entity-history';
import { DomainError } from '../errors';
import { attributeOf, type ListDefinition } from '../lists/list-definition';
import type { Rule } from '../rules/rule';
import type { Thresholds } from '../screening/decide';
import { DECIDING_ACTIONS, type RuleAction } from '../screening/decide-by-policy';
import { type AfdDecision, type AfdMapping, DEFAULT_DETECTOR, kindOfType, mappingOfType } from './afd-mapping';
import { insightScore } from './afd-score';
import { usualNames } from './afd-target';
import { planVariables } from './plan-variables';

/** A rule of a detector, as Amazon's client lists it. */
export interface AfdRule {
  readonly ruleId: string;
  readonly ruleVersion: string;
  readonly description: string;
  readonly expression: string;
  readonly outcomes: readonly string[];
}

/** Lists and thresholds have no versions. */
const ONLY_VERSION = '1';

/** The name of the score among a model's outputs. */
export const scoreName = ({ model }: Pick<AfdMapping, 'model'>): string => `${model}_insightscore`;

/** The rule that a threshold of the account stands for. */
export const thresholdRule = (decision: AfdDecision): string => `score_${decision}`;

/** The account's thresholds as rules of a detector, in the order in which they decide. */
export function thresholdRules(mapping: AfdMapping, thresholds: Thresholds): AfdRule[] {
  const { challenge_threshold, review_threshold, block_threshold } = thresholds;
  const score = `$${scoreName(mapping)}`;
  const rule = (decision: AfdDecision, expression: string, says: string): AfdRule => ({
    ruleId: thresholdRule(decision),
    ruleVersion: ONLY_VERSION,
    description: says,
    expression,
    outcomes: [mapping.outcomes[decision]],
  });
  const from = (decision: AfdDecision, threshold: number): AfdRule =>
    rule(decision, `${score} >= ${insightScore(threshold)}`, `risk_score of at least ${threshold}`);
  const lowest = challenge_threshold ?? review_threshold;
  return [
    from('block', block_threshold),
    from('review', review_threshold),
    ...(challenge_threshold === undefined ? [] : [from('challenge', challenge_threshold)]),
    rule('allow', `${score} < ${insightScore(lowest)}`, `risk_score below ${lowest}`),
  ];
}

type OwnRule = Pick<
  Rule,
  'name' | 'version' | 'note' | 'expression' | 'action' | 'points' | 'priority' | 'state' | 'expires_at'
>;

/** The rules and lists of an account. */
export interface OwnPolicy {
  readonly rules: readonly OwnRule[];
  readonly lists: ReadonlyArray<Pick<ListDefinition, 'name' | 'type' | 'effect' | 'note'>>;
}

/** The current rules and lists of an account: a list without an effect decides nothing. */
export const currentPolicy = ({ rules, lists }: OwnPolicy, nowMs: number): OwnPolicy => ({
  rules: rules.filter(
    ({ state, expires_at }) => state === 'active' && (expires_at === null || Date.parse(expires_at) > nowMs),
  ),
  lists: lists.filter(({ effect }) => effect !== 'none'),
});

/** The lower, the earlier: the order in which actions decide; points come last, as they decide nothing by themselves. */
const strengthOf = (action: RuleAction): number => (DECIDING_ACTIONS as readonly RuleAction[]).indexOf(action) + 1 || 9;

/** The account's rules and lists as rules of a detector, in the order in which they decide: before the thresholds. */
export function ownRules(mapping: AfdMapping, { rules, lists }: OwnPolicy): AfdRule[] {
  const listed = lists.flatMap(({ name, type, effect, note }) =>
    effect === 'none'
      ? []
      : [
          {
            ...{ action: effect, priority: 0, ruleId: name, ruleVersion: ONLY_VERSION },
            description: note ?? `list of ${type}`,
            expression: `$${attributeOf(type) ?? type} in @${name}`,
          },
        ],
  );
  const ruled = rules.map(({ name, version, action, priority, points, note, expression }) => ({
    ...{ action, priority, ruleId: name, ruleVersion: String(version), expression },
    description: note ?? (points === null ? 'rule of this account' : `adds ${points} points to the risk_score`),
  }));
  return [...listed, ...ruled]
    .sort(
      (a, b) =>
        strengthOf(a.action) - strengthOf(b.action) ||
        a.priority - b.priority ||
        Number(a.ruleId > b.ruleId) - Number(a.ruleId < b.ruleId),
    )
    .map(({ action, priority: _, ...rule }) => ({
      ...rule,
      outcomes: action === 'points' ? [] : [mapping.outcomes[action]],
    }));
}

/** The detectors to list: those of the mapping, or ours. */
export function detectorNames({ detectors, event_types = {} }: AfdMapping): readonly string[] {
  const named = [...(detectors ?? []), ...Object.values(event_types).flatMap(({ detector }) => detector ?? [])];
  return named.length > 0 ? [...new Set(named)] : [DEFAULT_DETECTOR];
}

/** The event types to list: those of the mapping, or the actions that we know. */
export const eventTypeNames = ({ event_types }: AfdMapping): readonly string[] =>
  event_types ? Object.keys(event_types) : ['transaction', ...EVENT_ACTIONS];

/** The variables that an event type understands by name; others become attributes. */
export const variableNames = (eventType: string, { columns, event_types }: AfdMapping): readonly string[] => [
  ...new Set([...Object.keys(event_types?.[eventType]?.columns ?? {}), ...Object.keys(columns), ...usualNames()]),
];

const unknown = (what: string, name: string): DomainError =>
  new DomainError(
    'not_found',
    `No such ${what}: ${name}. Declare it, or name it in the mapping of this account (npm run admin -- afd-mapping).`,
  );

/** @throws DomainError if the mapping names detectors, and not this one */
export function requireDetector(name: string, mapping: AfdMapping): void {
  const isOpen = mapping.detectors === undefined;
  if (!isOpen && !detectorNames(mapping).includes(name)) throw unknown('detector', name);
}

/**
 * @throws DomainError if the mapping names event types, and not this one, or if nothing says what an event of this name
 * is: neither the mapping, nor a usual name
 */
export function requireEventType(name: string, mapping: AfdMapping, variables: Readonly<Record<string, string>>): void {
  const isMapped = mapping.event_types !== undefined && Object.hasOwn(mapping.event_types, name);
  if (mapping.event_types && !isMapped) throw unknown('event type', name);
  if (kindOfType(name, mapping) !== undefined) return;
  const plan = planVariables(Object.keys(variables), mappingOfType(name, mapping));
  const says = (target: string): boolean =>
    plan.some((variable) => variable.target === target && (isMapped || variable.why === 'by the mapping'));
  if (!says('event_type') && !(isMapped && says('amount'))) throw unknown('event type', name);
}
