import type { Stage } from '../stage';
import { type Decision, LEVELS, type Thresholds } from './decide';
import type { PolicyDecision } from './decide-by-policy';
import { BASE_SCORE, logOddsOf, PROBABILITY_SHIFT } from './score';
import { RULES_VERSION, type Screening } from './screen';
import type { Subject } from './subjects/attempt-of';

/** The custom attribute that forces a decision in the sandbox, so that an integration can be tested without fraud. */
export const SANDBOX_ATTRIBUTE = 'sandbox_decision';

const DECISIONS = ['allow', 'challenge', 'review', 'block'] as const satisfies readonly Decision[];

type Attributes = Subject['custom_attributes'];

const sent = (attributes: Attributes): string | undefined =>
  attributes && Object.hasOwn(attributes, SANDBOX_ATTRIBUTE) ? attributes[SANDBOX_ATTRIBUTE] : undefined;

/** The decision that a sandbox request asks for; undefined in production, whatever was sent. */
export const sandboxDecision = (stage: Stage | undefined, attributes: Attributes): Decision | undefined =>
  stage === 'sandbox' ? DECISIONS.find((decision) => decision === sent(attributes)) : undefined;

/** The subject without the attribute, so that no model ever learns from it. */
export function withoutSandboxAttribute(subject: Subject): Subject {
  if (sent(subject.custom_attributes) === undefined) return subject;
  const { [SANDBOX_ATTRIBUTE]: _, ...custom_attributes } = subject.custom_attributes ?? {};
  return { ...subject, custom_attributes };
}

/** Warnings for a caller whose attribute had no effect. */
export function sandboxWarnings(stage: Stage | undefined, attributes: Attributes): string[] {
  if (sent(attributes) === undefined || sandboxDecision(stage, attributes) !== undefined) return [];
  const field = `custom_attributes.${SANDBOX_ATTRIBUTE}`;
  return stage === 'sandbox'
    ? [`${field} has no effect: it must be one of ${DECISIONS.join(', ')}.`]
    : [`${field} has no effect in production.`];
}

/** The first and last score that lead to a decision; both the nearest score if the account has no such band. */
function bandOf(decision: Decision, thresholds: Thresholds): readonly [number, number] {
  const { review_threshold: review, block_threshold: block, challenge_threshold: challenge = review } = thresholds;
  const bands = { allow: [0, challenge], challenge: [challenge, review], review: [review, block], block: [block, 101] };
  const [from = 0, to = 0] = bands[decision];
  const last = Math.min(100, Math.max(0, to - 1));
  return from > last ? [last, last] : [from, last];
}

/** A screening that was never scored: the decision is given, the score is the middle of its band. */
export function forcedScreening(
  decision: Decision,
  thresholds: Thresholds,
): { readonly screening: Screening; readonly decision: PolicyDecision } {
  const [from, to] = bandOf(decision, thresholds);
  const risk_score = Math.floor((from + to) / 2);
  const risk_level = LEVELS[decision];
  const detail = `Forced by custom_attributes.${SANDBOX_ATTRIBUTE}, which works in the sandbox only`;
  const contributions = [{ signal: SANDBOX_ATTRIBUTE, points: risk_score - BASE_SCORE, detail }];
  const logOdds = logOddsOf(Math.min(99.6, Math.max(0.4, risk_score)));
  const signals = risk_score > BASE_SCORE ? [SANDBOX_ATTRIBUTE] : [];
  const decided_by = { kind: 'sandbox', name: null } as const;
  return {
    screening: {
      risk_score,
      probability: 1 / (1 + Math.exp(PROBABILITY_SHIFT - logOdds)),
      risk_level,
      decision,
      signals,
      explanation: { base: BASE_SCORE, contributions },
      model_version: RULES_VERSION,
      vector: new Float32Array(0),
      fired: [],
      failed_signals: [],
    },
    decision: { risk_score, contributions, risk_level, decision, decided_by, rules: [], lists: [] },
  };
}
