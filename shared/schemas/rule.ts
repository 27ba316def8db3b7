import * as z from 'zod/mini';
import { MAX_DECLARED } from '../domain/declarations/declaration';
import { DECISIONS } from '../domain/overview/overview-counters';
import { isRuleName, MAX_POINTS, MAX_PRIORITY, RULE_ACTIONS, RULE_STATES, SCREENED_KINDS } from '../domain/rules/rule';
import { warnings } from './conventions';
import { chosenId, instant, text, timestamp } from './text';

/** A name that no PUT accepts cannot be found either. */
export const ruleParams = z.object({ name: z.string().check(z.refine(isRuleName, 'rule')) });

/** A name that is to be created: what is wrong with it is reported. */
export const newRuleParams = z.object({ name: chosenId('rule') });

const points = z.int().check(z.gte(-MAX_POINTS), z.lte(MAX_POINTS));

const appliesTo = z.array(z.string()).check(
  z.minLength(1),
  z.maxLength(SCREENED_KINDS.length + MAX_DECLARED.event_types),
  z.refine((kinds) => new Set(kinds).size === kinds.length, 'has a duplicate'),
);

export const putRuleRequest = z.object({
  expression: text(1, 2_000),
  action: z.enum(RULE_ACTIONS),
  points: z.nullish(points),
  priority: z.nullish(z.int().check(z.gte(0), z.lte(MAX_PRIORITY))),
  state: z.nullish(z.enum(RULE_STATES)),
  rollout_percent: z.nullish(z.int().check(z.gte(1), z.lte(100))),
  applies_to: z.nullish(appliesTo),
  expires_at: z.nullish(instant()),
  note: z.nullish(text(0, 500)),
  override_labels: z.nullish(z.boolean()),
});

export const testRuleRequest = z.object({
  expression: text(1, 2_000),
  action: z.enum(RULE_ACTIONS),
  points: z.nullish(points),
  days: z.nullish(z.int().check(z.gte(1), z.lte(730))),
});

const ruleMembers = () => ({
  name: z.string(),
  expression: z.string(),
  action: z.enum(RULE_ACTIONS),
  points: z.nullable(z.int()),
  priority: z.int(),
  state: z.enum(RULE_STATES),
  rollout_percent: z.int(),
  applies_to: z.array(z.string()),
  expires_at: z.nullable(timestamp()),
  note: z.nullable(z.string()),
  override_labels: z.boolean(),
  version: z.int().check(z.gte(1)),
  created_at: timestamp(),
  updated_at: timestamp(),
  updated_by: z.string(),
});

const matches = () => z.object({ last_24h: z.int(), last_7d: z.int() });

export const rule = () => z.object({ ...ruleMembers(), matches: matches(), warnings: warnings() });

export const ruleList = () =>
  z.object({ rules: z.array(z.object({ ...ruleMembers(), matches: matches() })), warnings: warnings() });

export const ruleVersions = () => z.object({ versions: z.array(z.object(ruleMembers())), warnings: warnings() });

const count = () => z.int().check(z.gte(0));
const share = () => z.nullable(z.number().check(z.gte(0), z.lte(1)));
const flip = () => z.object({ from: z.enum(DECISIONS), to: z.enum(DECISIONS), count: count() });

/** The effect that a rule would have had on stored traffic. */
export const ruleTest = () =>
  z.object({
    days: z.number().check(z.gte(0)),
    rows: count(),
    screened: count(),
    matched: count(),
    matched_per_day: z.number().check(z.gte(0)),
    interval: z.array(count()).check(z.minLength(2), z.maxLength(2)),
    labelled: count(),
    fraud_matched: count(),
    legitimate_matched: count(),
    precision: share(),
    recall: share(),
    flips: z.array(flip()),
    amount_usd: z.number().check(z.gte(0)),
    examples: z.array(z.string()).check(z.maxLength(20)),
    not_testable: z.array(z.string()),
    status: z.optional(z.enum(['running', 'complete'])),
    test_id: z.optional(z.string()),
    warnings: warnings(),
  });

export const ruleTestParams = z.object({ test_id: z.string().check(z.regex(/^[A-Za-z0-9-]{1,128}$/, 'test')) });
