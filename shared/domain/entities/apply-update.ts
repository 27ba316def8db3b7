import type { AttributeValue, EntityItem, UpdateParams } from './attribute-value';

/*
 * What DynamoDB does with the updates of this folder, in memory: for the replay of history and for tests. It knows the
 * grammar these updates use and nothing more; an integration test holds it against DynamoDB itself.
 */
type Clause = 'SET' | 'ADD' | 'REMOVE' | 'DELETE';

interface Action {
  readonly clause: Clause;
  readonly name: string;
  readonly value: string;
  readonly onlyIfAbsent: boolean;
}

const CLAUSES: ReadonlySet<string> = new Set<Clause>(['SET', 'ADD', 'REMOVE', 'DELETE']);
const wordsOf = (expression: string): string[] => expression.split(/[ ,()]+/);

/** `#a = :a`, `#a = if_not_exists(#a, :a)`, `#a :a` or `#a`, by their words. */
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
    actions.push({ clause, name: word, value, onlyIfAbsent });
    if (onlyIfAbsent) at += 4;
  }
  return actions;
}

/** Expressions come in a few dozen shapes; each is parsed once. Bounded, since trims vary in length. */
const parsed = new Map<string, readonly Action[]>();
const MOST_PARSED = 2_000;

function actionsOf(expression: string): readonly Action[] {
  const known = parsed.get(expression);
  if (known !== undefined) return known;
  const actions = parseActions(expression);
  if (parsed.size >= MOST_PARSED) parsed.clear();
  parsed.set(expression, actions);
  return actions;
}

/** `a` plus `b`; beyond 15 digits exactly, which Number cannot. */
function addDigits(a: string, b: string): string {
  if (a.length < 16 && b.length < 16) return `${Number(a) + Number(b)}`;
  return (BigInt(a) + BigInt(b)).toString();
}

function added(name: string, old: AttributeValue | undefined, value: AttributeValue): AttributeValue {
  if (old === undefined) return value;
  if ('N' in old && 'N' in value) return { N: addDigits(old.N, value.N) };
  if ('SS' in old && 'SS' in value) {
    return value.SS.every((member) => old.SS.includes(member)) ? old : { SS: [...new Set([...old.SS, ...value.SS])] };
  }
  throw new Error(`ADD to ${name}: an operand in the update expression has an incorrect data type`);
}

function withoutMembers(old: AttributeValue | undefined, value: AttributeValue): AttributeValue | undefined {
  if (old === undefined || !('SS' in old) || !('SS' in value)) return old;
  const SS = old.SS.filter((member) => !value.SS.includes(member));
  return SS.length === 0 ? undefined : { SS };
}

function same(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  if (a !== undefined && b !== undefined && 'S' in a && 'S' in b) return a.S === b.S;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A condition of ours: terms joined by AND, where a term in brackets is a choice joined by OR. */
function holds(item: EntityItem, params: UpdateParams, condition: string): boolean {
  const held = (token: string): AttributeValue | undefined => item[params.ExpressionAttributeNames[token] ?? ''];
  const term = (text: string): boolean => {
    const [first = '', second = '', third = ''] = wordsOf(text).filter((word) => word !== '');
    if (first === 'attribute_exists') return held(second) !== undefined;
    if (first === 'attribute_not_exists') return held(second) === undefined;
    return same(held(first), params.ExpressionAttributeValues[third]) === (second === '=');
  };
  return condition.split(' AND ').every((choice) => choice.split(' OR ').some(term));
}

export interface Applied {
  /** The item after the update; the same object when the condition refused it. */
  readonly item: EntityItem | undefined;
  readonly applied: boolean;
}

type Update = Omit<UpdateParams, 'ConditionExpression'> & { readonly ConditionExpression?: string };

/** Applies an update to an item that exists or not. The key attributes, if any, are the caller's. */
export function applyUpdate(old: EntityItem | undefined, params: Update): Applied {
  const item: Record<string, AttributeValue> = { ...old };
  const applied = applyInPlace(item, params);
  return { item: applied ? item : old, applied };
}

/** The same on the item itself, for whoever has no use for the old one; false, and no change, when it was refused. */
export function applyInPlace(item: Record<string, AttributeValue>, params: Update): boolean {
  const condition = params.ConditionExpression;
  if (condition !== undefined && !holds(item, { ...params, ConditionExpression: condition }, condition)) return false;
  // No update of ours names an attribute twice, so that each action may see what the others did.
  for (const { clause, name: nameToken, value: valueToken, onlyIfAbsent } of actionsOf(params.UpdateExpression)) {
    const name = params.ExpressionAttributeNames[nameToken] ?? nameToken;
    const old = item[name];
    const value = params.ExpressionAttributeValues[valueToken];
    const next =
      clause === 'REMOVE' || value === undefined
        ? undefined
        : clause === 'ADD'
          ? added(name, old, value)
          : clause === 'DELETE'
            ? withoutMembers(old, value)
            : onlyIfAbsent
              ? (old ?? value)
              : value;
    if (next !== undefined) item[name] = next;
    else if (old !== undefined) delete item[name];
  }
  return true;
}
