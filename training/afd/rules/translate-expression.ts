import type { AfdMapping } from '../../../shared/domain/afd/afd-mapping';
import { riskScoreReaching } from '../../../shared/domain/afd/afd-score';
import { ATTRIBUTES } from '../../../shared/domain/afd/afd-target';
import { planVariables } from '../../../shared/domain/afd/plan-variables';
import { checkCondition } from '../../../shared/domain/rules/language/check';
import { ExpressionError } from '../../../shared/domain/rules/language/expression-error';
import { ruleNames } from '../../../shared/domain/rules/rule-names';
import { type Expression, parseDetectorPl, Untranslatable } from './detectorpl';
import { simpleRegex } from './simple-regex';

/** A name in our language, and whether its values are numbers. */
interface Name {
  readonly cel: string;
  readonly isNumber: boolean;
}

/** Targets that rules can look at. */
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

/** The score of a model, by the name that Amazon gives it. */
const isScore = (expression: Expression): boolean =>
  expression.kind === 'variable' && /_insightscore$|^model_?score$/i.test(expression.name);

/** What an expression became, with everything that a person should know about it. */
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
