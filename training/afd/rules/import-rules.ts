import { readFileSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import * as z from 'zod/mini';
import type { AfdDecision, AfdMapping } from '../../../shared/domain/afd/afd-mapping';
import { riskScoreReaching } from '../../../shared/domain/afd/afd-score';
import { ATTRIBUTES } from '../../../shared/domain/afd/afd-target';
import { planVariables } from '../../../shared/domain/afd/plan-variables';
import { checkCondition } from '../../../shared/domain/rules/language/check';
import { ExpressionError } from '../../../shared/domain/rules/language/expression-error';
import { ruleNames } from '../../../shared/domain/rules/rule-names';
import { type Expression, parseDetectorPl, simpleRegex, Untranslatable } from './detectorpl';

interface Name {
  readonly cel: string;
  readonly isNumber: boolean;
}

const NAMES: Readonly<Record<string, Name>> = {
  user_id: { cel: 'user_id', isNumber: false },
  amount: { cel: 'amount', isNumber: true },
  currency: { cel: 'currency', isNumber: false },
  device_fingerprint: { cel: 'device_fingerprint', isNumber: false },
  payment_method: { cel: 'payment_method', isNumber: false },
  event_type: { cel: 'event_type', isNumber: false },
  'billing_address.country': { cel: 'billing.country', isNumber: false },
  'billing_address.postal_code': { cel: 'billing.postal_code', isNumber: false },
};

const JOINS: Readonly<Record<string, string>> = { and: '&&', '&&': '&&', or: '||', '||': '||' };
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const SUMS: ReadonlySet<string> = new Set(['+', '-', '*', '/']);

const quoted = (text: string): string => JSON.stringify(text);

const isScore = (expression: Expression): boolean =>
  expression.kind === 'variable' && /_insightscore$|^model_?score$/i.test(expression.name);

/** A translated expression, with everything that a person should know about it. */
export interface Translation {
  readonly expression: string;
  readonly notes: readonly string[];
}

/**
 * An expression of Amazon's language in ours, checked by our own parser.
 * @throws Untranslatable that says what has no counterpart
 */
export function translateExpression(text: string, mapping: AfdMapping): Translation {
  const notes: string[] = [];
  const expression = translator(mapping, notes)(parseDetectorPl(text));
  try {
    checkCondition(expression, ruleNames());
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new Untranslatable(`became ${expression}, which is not valid: ${error.message}`);
  }
  return { expression, notes };
}

function translator(mapping: AfdMapping, notes: string[]) {
  const nameOf = (variable: string): Name => {
    const [planned] = planVariables([variable], mapping);
    const target = planned?.target ?? 'ignore';
    const known = NAMES[target];
    if (known) return known;
    if (target.startsWith(ATTRIBUTES)) {
      const key = target.slice(ATTRIBUTES.length);
      return { cel: /^[A-Za-z_]\w*$/.test(key) ? `attr.${key}` : `attr[${quoted(key)}]`, isNumber: false };
    }
    if (target === 'ip_address') throw new Untranslatable('rules can only look an IP address up in a list');
    throw new Untranslatable(`$${variable} (${target}) is not something that rules can look at`);
  };

  /** Numbers that are compared with a text are texts: attributes have no other type. */
  const value = (expression: Expression, asText: boolean): string => {
    if (asText && expression.kind === 'number') return quoted(expression.text);
    return write(expression);
  };

  const isText = (expression: Expression): boolean =>
    expression.kind === 'variable' && !isScore(expression) && !nameOf(expression.name).isNumber;

  const comparison = (sign: string, left: Expression, right: Expression): string => {
    if (right.kind === 'null' || left.kind === 'null') {
      const of = right.kind === 'null' ? left : right;
      if (sign !== '==' && sign !== '!=') throw new Untranslatable(`null cannot be compared by ${sign}`);
      return sign === '!=' ? `has(${write(of)})` : `!has(${write(of)})`;
    }
    if (isScore(left) || isScore(right)) return scored(sign, left, right);
    const asText = isText(left) || isText(right);
    const isOrder = sign !== '==' && sign !== '!=';
    if (asText && isOrder) {
      const which = isText(left) ? left : right;
      const name = which.kind === 'variable' ? which.name : '';
      throw new Untranslatable(`$${name} is a text here: only amount, score and features can be compared by ${sign}`);
    }
    return `${value(left, asText)} ${sign} ${value(right, asText)}`;
  };

  const scored = (sign: string, left: Expression, right: Expression): string => {
    const flipped: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
    const isLeft = isScore(left);
    const number = isLeft ? right : left;
    const way = isLeft ? sign : (flipped[sign] ?? sign);
    if (number.kind !== 'number' || !['<', '<=', '>', '>='].includes(way)) {
      throw new Untranslatable('the score can only be compared with a number, by <, <=, > or >=');
    }
    const wanted = Number(number.text);
    // Scores are whole numbers on both scales: above 900 is the same as at least 901.
    const reached = riskScoreReaching(way === '>' || way === '<=' ? Math.floor(wanted) + 1 : Math.ceil(wanted));
    notes.push(`a score of ${number.text} has the false positives of our ${reached}`);
    return way.startsWith('>') ? `score >= ${reached}` : `score < ${reached}`;
  };

  const membership = (left: Expression, right: Expression): string => {
    if (right.kind === 'list') {
      const list = right.name.toLowerCase();
      const key = /^[a-z_]\w*$/.test(list) ? `lists.${list}` : `lists[${quoted(list)}]`;
      if (left.kind !== 'variable') throw new Untranslatable('only a variable can be looked up in a list');
      const [planned] = planVariables([left.name], mapping);
      return `${planned?.target === 'ip_address' ? 'ip' : nameOf(left.name).cel} in ${key}`;
    }
    if (right.kind !== 'array') throw new Untranslatable('in takes [values] or @list');
    const asText = isText(left);
    return `${write(left)} in [${right.items.map((item) => value(item, asText)).join(', ')}]`;
  };

  const call = (name: string, args: readonly Expression[]): string => {
    const [first, second] = args;
    if (name === 'lowercase' && first && args.length === 1) return `${write(first)}.lowerAscii()`;
    if (name === 'regex_match' && first && second && args.length === 2) {
      const [pattern, of] = first.kind === 'string' ? [first, second] : [second, first];
      if (pattern.kind !== 'string') throw new Untranslatable('regex_match takes a fixed pattern');
      const { how, texts, ignoresCase } = simpleRegex(pattern.value);
      const subject = ignoresCase ? `${write(of)}.lowerAscii()` : write(of);
      if (how === 'equals') {
        return texts.length === 1
          ? `${subject} == ${quoted(texts[0] as string)}`
          : `${subject} in [${texts.map(quoted).join(', ')}]`;
      }
      const each = texts.map((part) => `${subject}.${how}(${quoted(part)})`);
      return each.length === 1 ? (each[0] as string) : `(${each.join(' || ')})`;
    }
    throw new Untranslatable(`${name}() has no counterpart`);
  };

  const write = (expression: Expression): string => {
    switch (expression.kind) {
      case 'number':
        return expression.text;
      case 'string':
        return quoted(expression.value);
      case 'boolean':
        return String(expression.value);
      case 'variable':
        return isScore(expression) ? 'score' : nameOf(expression.name).cel;
      case 'not':
        return `!(${write(expression.of)})`;
      case 'minus':
        return `-${write(expression.of)}`;
      case 'call':
        return call(expression.name, expression.args);
      case 'binary': {
        const { sign, left, right } = expression;
        const join = JOINS[sign];
        if (join) return `(${write(left)} ${join} ${write(right)})`;
        if (sign === 'in') return membership(left, right);
        if (sign === 'not in') return `!(${membership(left, right)})`;
        if (COMPARISONS.has(sign)) return comparison(sign, left, right);
        if (SUMS.has(sign)) return `(${write(left)} ${sign} ${write(right)})`;
        throw new Untranslatable(`${sign} has no counterpart`);
      }
      default:
        throw new Untranslatable(`${expression.kind === 'list' ? '@list' : expression.kind} is not expected there`);
    }
  };
  return write;
}

/** The output of `aws frauddetector get-rules`; the language has one name. */
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

export const ruleFileText = (rules: readonly ImportedRule[]): string =>
  stringify({ rules: Object.fromEntries(rules.map(({ name, ...rule }) => [name, rule])) });

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
