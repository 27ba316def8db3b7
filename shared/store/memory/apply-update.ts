import {
  type AttributeValue,
  digitsOf,
  type EntityItem,
  type LiveItem,
  type LiveValue,
  liveValue,
  numberAt,
  plainItem,
  type UpdateParams,
  wireValue,
} from '../sdk/attribute-value';
import type { NumberedUpdate } from '../sdk/numbered-update';

/*
 * Applies the updates of the entity store as DynamoDB does, in memory: for replaying history and for tests. It knows
 * only the grammar that these updates use; an integration test compares it with DynamoDB itself.
 */
type Clause = 'SET' | 'ADD' | 'REMOVE' | 'DELETE';

interface Action {
  readonly clause: Clause;
  readonly name: string;
  readonly value: string;
  /** Of the attribute whose value is taken if there is one: mostly the same. */
  readonly unless: string | undefined;
}

const CLAUSES: ReadonlySet<string> = new Set<Clause>(['SET', 'ADD', 'REMOVE', 'DELETE']);
const wordsOf = (expression: string): string[] => expression.split(/[ ,()]+/);

/** `#a = :a`, `#a = if_not_exists(#b, :a)`, `#a :a` or `#a`, by their words. */
function parseActions(expression: string): readonly Action[] {
  const actions: Action[] = [];
  const words = wordsOf(expression);
  let clause: Clause = 'SET';
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (CLAUSES.has(word)) clause = word as Clause;
    if (!word.startsWith('#')) continue;
    const isSet = words[at + 1] === '=';
    const onlyIfAbsent = isSet && words[at + 2] === 'if_not_exists';
    const value = words[at + (onlyIfAbsent ? 4 : isSet ? 2 : 1)] ?? '';
    actions.push({ clause, name: word, value, unless: onlyIfAbsent ? words[at + 3] : undefined });
    if (onlyIfAbsent) at += 4;
  }
  return actions;
}

/** Expressions come in a few dozen forms; each is parsed once. Bounded, since trims vary in length. */
function parsedOnce<Parsed>(parse: (text: string) => Parsed): (text: string) => Parsed {
  const MOST = 2_000;
  const known = new Map<string, Parsed>();
  return (text) => {
    let parsed = known.get(text);
    if (parsed === undefined) {
      parsed = parse(text);
      if (known.size >= MOST) known.clear();
      known.set(text, parsed);
    }
    return parsed;
  };
}

const actionsOf = parsedOnce(parseActions);

const HALF_DIGITS = 15;
const HALF = 10 ** HALF_DIGITS;
const MINUS = 45;

/** `a` plus `b`; exact beyond 15 digits, which Number is not. Packed numbers have up to 30: those are added in two halves. */
export function addDigits(a: string, b: string): string {
  const isPlain = a.charCodeAt(0) !== MINUS && b.charCodeAt(0) !== MINUS;
  if (isPlain && a.length < 2 * HALF_DIGITS && b.length < 2 * HALF_DIGITS) {
    const [middleA, middleB] = [a.length - HALF_DIGITS, b.length - HALF_DIGITS];
    const low = numberAt(a, Math.max(0, middleA), a.length) + numberAt(b, Math.max(0, middleB), b.length);
    const carry = low >= HALF ? 1 : 0;
    const high = numberAt(a, 0, middleA) + numberAt(b, 0, middleB) + carry;
    const rest = `${low - carry * HALF}`;
    return high === 0 ? rest : high + rest.padStart(HALF_DIGITS, '0');
  }
  return (BigInt(a) + BigInt(b)).toString();
}

function added(name: string, old: LiveValue | undefined, value: AttributeValue): LiveValue {
  if (old === undefined) return liveValue(value);
  if (typeof old === 'string' && 'N' in value) return addDigits(old, value.N);
  if (typeof old !== 'string' && 'SS' in old && 'SS' in value) {
    return value.SS.every((member) => old.SS.includes(member)) ? old : { SS: [...new Set([...old.SS, ...value.SS])] };
  }
  throw new Error(`ADD to ${name}: an operand in the update expression has an incorrect data type`);
}

function withoutMembers(old: LiveValue | undefined, value: AttributeValue): LiveValue | undefined {
  if (old === undefined || typeof old === 'string' || !('SS' in old) || !('SS' in value)) return old;
  const SS = old.SS.filter((member) => !value.SS.includes(member));
  return SS.length === 0 ? undefined : { SS };
}

function same(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  if (a !== undefined && b !== undefined && 'S' in a && 'S' in b) return a.S === b.S;
  return JSON.stringify(a) === JSON.stringify(b);
}

const beginsWith = (held: AttributeValue | undefined, prefix: AttributeValue | undefined): boolean =>
  held !== undefined && prefix !== undefined && 'S' in held && 'S' in prefix && held.S.startsWith(prefix.S);

/** `attribute_exists(#a)`, `attribute_not_exists(#a)`, `NOT begins_with(#a, :a)`, or `#a` compared with `:a`. */
interface Term {
  readonly name: string;
  readonly test: 'exists' | 'absent' | 'begins otherwise' | '=' | '<>' | '<' | '<=';
  readonly value: string;
}

function parseTerm(text: string): Term {
  const [first = '', second = '', value = '', last = ''] = wordsOf(text).filter((word) => word !== '');
  if (first === 'NOT' && second === 'begins_with') return { name: value, test: 'begins otherwise', value: last };
  if (first === 'attribute_exists') return { name: second, test: 'exists', value };
  if (first === 'attribute_not_exists') return { name: second, test: 'absent', value };
  return { name: first, test: second as Term['test'], value };
}

/** A condition of ours: terms joined by AND, where a term in brackets is a choice joined by OR. */
const choicesOf = parsedOnce((condition) =>
  condition.split(' AND ').map((choice) => choice.split(' OR ').map(parseTerm)),
);

function holds(item: LiveItem, params: Omit<Update, 'UpdateExpression'>, condition: string): boolean {
  const isTrue = ({ name, test, value }: Term): boolean => {
    const held = wireValue(item.get(params.ExpressionAttributeNames[name] ?? ''));
    if (test === 'exists') return held !== undefined;
    if (test === 'absent') return held === undefined;
    if (test === 'begins otherwise') return !beginsWith(held, params.ExpressionAttributeValues[value]);
    const wanted = params.ExpressionAttributeValues[value];
    if (test === '<' || test === '<=') {
      const [a, b] = [digitsOf(held), digitsOf(wanted)];
      return a !== undefined && b !== undefined && (Number(a) < Number(b) || (test === '<=' && a === b));
    }
    return same(held, wanted) === (test === '=');
  };
  return choicesOf(condition).every((choice) => choice.some(isTrue));
}

export interface Applied {
  /** The item after the update; the same object if the condition refused it. */
  readonly item: EntityItem | undefined;
  readonly applied: boolean;
}

export type Update = Omit<UpdateParams, 'ConditionExpression'> & { readonly ConditionExpression?: string };

/** Applies an update to an item, which may not exist. Key attributes, if any, are left to the caller. */
export function applyUpdate(old: EntityItem | undefined, params: Update): Applied {
  const item: LiveItem = new Map(Object.entries(old ?? {}).map(([name, value]) => [name, liveValue(value)]));
  const applied = applyInPlace(item, params);
  return { item: applied ? plainItem(item) : old, applied };
}

/** The same in place for an update that was not made into text. */
export function applyNumbered(item: LiveItem, update: NumberedUpdate): boolean {
  const { names, values, sets, adds, once, from, identity, condition } = update;
  const ExpressionAttributeNames = { '#0': names[0] } as Update['ExpressionAttributeNames'];
  const ExpressionAttributeValues = { ':0': values[0], ':identity': identity } as Update['ExpressionAttributeValues'];
  const compared = { ExpressionAttributeNames, ExpressionAttributeValues };
  if (condition !== undefined && !holds(item, compared, condition)) return false;
  let at = 0;
  for (; at < sets + adds; at++) {
    const name = names[at] as string;
    const value = values[at] as AttributeValue;
    const held = at >= sets || at === once ? item.get(name) : at === from?.at ? item.get(from.name) : undefined;
    if (at < sets) item.set(name, held ?? liveValue(value));
    else item.set(name, added(name, held, value));
  }
  for (; at < names.length; at++) item.delete(names[at] as string);
  return true;
}

/** The same in place, for callers that do not need the old item; false, and no change, if it was refused. */
export function applyInPlace(item: LiveItem, params: Update): boolean {
  const condition = params.ConditionExpression;
  if (condition !== undefined && !holds(item, params, condition)) return false;
  // None of our updates names an attribute twice, so each action may see the effects of the others.
  for (const { clause, name: nameToken, value: valueToken, unless } of actionsOf(params.UpdateExpression)) {
    const name = params.ExpressionAttributeNames[nameToken] ?? nameToken;
    if (clause === 'REMOVE') {
      item.delete(name);
      continue;
    }
    const old = item.get(name);
    const value = params.ExpressionAttributeValues[valueToken];
    const next =
      value === undefined
        ? undefined
        : clause === 'ADD'
          ? added(name, old, value)
          : clause === 'DELETE'
            ? withoutMembers(old, value)
            : unless
              ? (item.get(params.ExpressionAttributeNames[unless] ?? unless) ?? liveValue(value))
              : liveValue(value);
    if (next !== undefined) item.set(name, next);
    else if (old !== undefined) item.delete(name);
  }
  return true;
}
