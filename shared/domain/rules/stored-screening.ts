import { DEFAULT_SETTINGS } from '../accounts/account';
import { compileStoredSignals } from '../screening/compile-signals';
import type { Decision } from '../screening/decide';
import {
  BY_SCORE,
  decideByPolicy,
  isRuleContribution,
  type MatchedList,
  type MatchedRule,
  ruleContribution,
} from '../screening/decide-by-policy';
import { featureSlot } from '../screening/features';
import { SIGNALS } from '../screening/signals';
import { unpackVector } from '../screening/subjects/feature-vector-codec';
import type { ScreeningRecord } from '../screening/subjects/screening-record';
import type { RuleFacts } from './rule-facts';

const readSignals = compileStoredSignals(SIGNALS);

/** The vector does not separate a card's frauds from those of other attributes, so only these two count. */
const FRAUD_SLOTS = (['user_fraud_labels', 'device_fraud_labels'] as const).map(featureSlot);

const scoreBefore = ({ risk_score, contributions }: ScreeningRecord): number =>
  contributions.filter(isRuleContribution).reduce((score, { points }) => score - points, risk_score);

/** Facts for rules from a stored screening. Values that are not stored are missing, see `stored-values.ts`. */
export function storedFacts(record: ScreeningRecord): RuleFacts {
  const { subject_type, user_id, amount, currency, event_type, agent } = record;
  const action = event_type ?? 'transaction';
  const vector = unpackVector(record.vector);
  return {
    subject: { subject_type, action, outcome: 'succeeded', user_id, amount, currency, agent },
    ip: undefined,
    score: scoreBefore(record),
    vector,
    fired: readSignals(vector),
    lists: [],
    counters: record.counters,
  };
}

/**
 * The decision if more rules had matched than those that did, by the thresholds of that time. A list
 * takes part if it had decided; what lists that lost would have done is not stored.
 */
export function decisionWith(
  record: ScreeningRecord,
  { vector, score }: RuleFacts,
  more: readonly MatchedRule[],
): Decision {
  const { contributions, automated_decision, decided_by = BY_SCORE, thresholds = DEFAULT_SETTINGS } = record;
  const pointsOf = (name: string) => contributions.find(({ signal }) => signal === ruleContribution(name))?.points;
  const rules = (record.rules ?? []).map((each) => ({
    ...each,
    points: pointsOf(each.name),
    priority: 0,
    // It beat a confirmed fraud then, if there was one.
    override_labels: decided_by.kind === 'rule' && decided_by.name === each.name,
  }));
  const lists: MatchedList[] =
    decided_by.kind === 'list' ? [{ name: decided_by.name ?? '', type: '', effect: automated_decision }] : [];
  const has_confirmed_fraud = FRAUD_SLOTS.some((slot) => (vector[slot] ?? 0) > 0);
  const matched = { rules: [...rules, ...more], lists, has_confirmed_fraud };
  return decideByPolicy({ risk_score: score, contributions: [] }, matched, thresholds).decision;
}
