import { readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import * as z from 'zod/mini';
import type { AfdDecision, AfdMapping } from '../../../shared/domain/afd/afd-mapping';
import { Untranslatable } from './detectorpl';
import { translateExpression } from './translate-expression';

/** What `aws frauddetector get-rules` prints; the language has one name. */
const rulesFile = z.union([
  z.object({ ruleDetails: z.array(z.unknown()) }),
  z.object({ rules: z.array(z.unknown()) }),
  z.array(z.unknown()),
]);
const ruleDetail = z.object({
  ruleId: z.string(),
  description: z.optional(z.string()),
  expression: z.string(),
  outcomes: z.array(z.string()),
});

/** A rule of ours, as `npm run rules -- apply` takes it. */
export interface ImportedRule {
  readonly name: string;
  readonly expression: string;
  readonly action: AfdDecision;
  readonly priority: number;
  readonly state: 'shadow';
  readonly note: string;
}

export interface ImportedRules {
  readonly rules: readonly ImportedRule[];
  /** Rules that could not be turned into ours, with the reason. */
  readonly left: ReadonlyArray<{ readonly name: string; readonly expression: string; readonly reason: string }>;
}

/** The strongest first: a rule with several outcomes does what the strongest asks for. */
const ACTIONS: ReadonlyArray<readonly [AfdDecision, RegExp]> = [
  ['block', /block|deny|den(y|ied)|reject|declin|fraud|high_?risk/],
  ['challenge', /challenge|mfa|otp|verif|step_?up|3ds/],
  ['review', /review|investigat|manual|medium_?risk|friction/],
  ['allow', /allow|approv|accept|legit|pass|low_?risk/],
];

function actionOf(outcomes: readonly string[], mapping: AfdMapping): AfdDecision {
  for (const [action, words] of ACTIONS) {
    const isMapped = outcomes.includes(mapping.outcomes[action]);
    if (isMapped || outcomes.some((outcome) => words.test(outcome.toLowerCase()))) return action;
  }
  throw new Untranslatable(
    `the outcome ${outcomes.join(', ') || '(none)'} is not a decision: name it under "outcomes" in the mapping`,
  );
}

const nameOf = (ruleId: string): string => {
  const name = ruleId.toLowerCase().replace(/[^a-z0-9_-]/g, '_');
  return (/^[a-z]/.test(name) ? name : `r_${name}`).slice(0, 63);
};

/** Two names of theirs may become the same one of ours: the second gets a number. */
function freeName(name: string, rules: readonly ImportedRule[]): string {
  const isTaken = (candidate: string): boolean => rules.some((rule) => rule.name === candidate);
  for (let number = 2, candidate = name; ; number++) {
    if (!isTaken(candidate)) return candidate;
    candidate = `${name.slice(0, 58)}_${number}`;
  }
}

/** Turns the rules of a detector into ours, in their order. */
export function translateRules(text: string, mapping: AfdMapping): ImportedRules {
  const file = rulesFile.parse(JSON.parse(text));
  const listed = Array.isArray(file) ? file : 'ruleDetails' in file ? file.ruleDetails : file.rules;
  const rules: ImportedRule[] = [];
  const left: Array<ImportedRules['left'][number]> = [];
  listed.forEach((each, at) => {
    const { data, error } = ruleDetail.safeParse(each);
    if (error) {
      left.push({ name: `rule ${at + 1}`, expression: '', reason: 'has no ruleId, expression and outcomes' });
      return;
    }
    const { ruleId, description, expression, outcomes } = data;
    try {
      const translated = translateExpression(expression, mapping);
      rules.push({
        name: freeName(nameOf(ruleId), rules),
        expression: translated.expression,
        action: actionOf(outcomes, mapping),
        priority: Math.min(999, 10 * (at + 1)),
        state: 'shadow',
        note: [description, ...translated.notes, `from ${ruleId}: ${expression}`]
          .filter(Boolean)
          .join('; ')
          .slice(0, 500),
      });
    } catch (fault) {
      if (!(fault instanceof Untranslatable)) throw fault;
      left.push({ name: ruleId, expression, reason: fault.message });
    }
  });
  return { rules, left };
}

/** Rules as a file that `npm run rules` reads: a map from their names. */
export const ruleFileText = (rules: readonly ImportedRule[]): string =>
  stringify({ rules: Object.fromEntries(rules.map(({ name, ...rule }) => [name, rule])) });

/** Writes the rules of a file as ours; returns what to print. */
export function importRules(file: string, mapping: AfdMapping, out: string): string {
  const { rules, left } = translateRules(readFileSync(file, 'utf8'), mapping);
  writeFileSync(out, ruleFileText(rules));
  return [
    ...rules.map(({ name, action, expression }) => `${name} → ${action} if ${expression}`),
    ...left.map(({ name, reason }) => `${name}: not translated: ${reason}`),
    '',
    `${rules.length} of ${rules.length + left.length} rules written to ${out}, in shadow: they are counted and decide nothing.`,
    'Of all rules that match, the strongest action wins (allow, block, challenge, review), not the first.',
    `Next: npm run rules -- check ${out}`,
  ].join('\n');
}
