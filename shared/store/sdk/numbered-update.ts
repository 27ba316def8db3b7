import type { AttributeValue, UpdateParams } from './attribute-value';

/*
 * A recording update is built four times per screening, but its text is not: sets come first, then adds, then removes,
 * the value of `#7` is `:7`, and the expression depends only on how many there are of each. It is built once per such
 * triple (a few dozen exist). The two maps are literals with a member for every possible number, which V8 fills in a
 * tenth of the time of as many assignments by name; undefined members are left out when a request is written.
 */
const MOST_NAMES = 28;
const MOST_VALUES = 24;

const nameMap = (n: readonly string[], other: string | undefined) => ({
  '#other': other,
  '#0': n[0],
  '#1': n[1],
  '#2': n[2],
  '#3': n[3],
  '#4': n[4],
  '#5': n[5],
  '#6': n[6],
  '#7': n[7],
  '#8': n[8],
  '#9': n[9],
  '#10': n[10],
  '#11': n[11],
  '#12': n[12],
  '#13': n[13],
  '#14': n[14],
  '#15': n[15],
  '#16': n[16],
  '#17': n[17],
  '#18': n[18],
  '#19': n[19],
  '#20': n[20],
  '#21': n[21],
  '#22': n[22],
  '#23': n[23],
  '#24': n[24],
  '#25': n[25],
  '#26': n[26],
  '#27': n[27],
});

const valueMap = (v: readonly AttributeValue[], identity: AttributeValue | undefined) => ({
  ':identity': identity,
  ':0': v[0],
  ':1': v[1],
  ':2': v[2],
  ':3': v[3],
  ':4': v[4],
  ':5': v[5],
  ':6': v[6],
  ':7': v[7],
  ':8': v[8],
  ':9': v[9],
  ':10': v[10],
  ':11': v[11],
  ':12': v[12],
  ':13': v[13],
  ':14': v[14],
  ':15': v[15],
  ':16': v[16],
  ':17': v[17],
  ':18': v[18],
  ':19': v[19],
  ':20': v[20],
  ':21': v[21],
  ':22': v[22],
  ':23': v[23],
});

/** Names and values in the order sets, adds, removes; `once` is the set that must not overwrite. */
export interface NumberedUpdate {
  readonly names: string[];
  readonly values: AttributeValue[];
  sets: number;
  adds: number;
  readonly once: number;
  /** The set that takes the value of another attribute if the item has that one. */
  readonly from?: { readonly at: number; readonly name: string } | undefined;
  /** Another value that the condition compares, as `:identity`. */
  readonly identity?: AttributeValue | undefined;
  /** May use `#0`, `:0` and `:identity`. @default none */
  readonly condition?: string;
}

const NOWHERE = { at: -1, name: '' };
const expressions = new Map<number, string>();

function write(
  { sets, adds, removes }: Record<'sets' | 'adds' | 'removes', number>,
  once: number,
  from: number,
): string {
  const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);
  const other = (n: number): string => (n === once ? `#${n}` : '#other');
  const set = numbers(0, sets).map((n) =>
    n === once || n === from ? `#${n} = if_not_exists(${other(n)}, :${n})` : `#${n} = :${n}`,
  );
  const add = numbers(sets, adds).map((n) => `#${n} :${n}`);
  const remove = numbers(sets + adds, removes).map((n) => `#${n}`);
  const clauses = [`SET ${set.join(', ')}`, `ADD ${add.join(', ')}`];
  if (removes > 0) clauses.push(`REMOVE ${remove.join(', ')}`);
  return clauses.join(' ');
}

function expressionOf({ names, sets, adds, once, from: { at: from } = NOWHERE }: NumberedUpdate): string {
  const removes = names.length - sets - adds;
  let shape = ((sets * MOST_NAMES + adds) * MOST_NAMES + removes) * MOST_NAMES + once + 1;
  shape = shape * MOST_NAMES + from + 1;
  let text = expressions.get(shape);
  if (text === undefined) {
    text = write({ sets, adds, removes }, once, from);
    expressions.set(shape, text);
  }
  return text;
}

export function unconditionalParams(update: NumberedUpdate): Omit<UpdateParams, 'ConditionExpression'> {
  const { names, values, from, identity } = update;
  if (names.length > MOST_NAMES || values.length > MOST_VALUES) throw new Error('an update of ours has no such size');
  return {
    UpdateExpression: expressionOf(update),
    ExpressionAttributeNames: nameMap(names, from?.name) as Readonly<Record<string, string>>,
    ExpressionAttributeValues: valueMap(values, identity) as unknown as Readonly<Record<string, AttributeValue>>,
  };
}

/** The parameters; the condition may use any `#n` and `:n` of the update. */
export function numberedParams(update: NumberedUpdate, ConditionExpression: string): UpdateParams {
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = unconditionalParams(update);
  return { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues, ConditionExpression };
}
