import { ExpressionError } from './expression-error';
import { type BinarySign, MAX_CHARACTERS, MAX_DEPTH, MAX_NODES, RELATIONS, type Syntax } from './syntax';
import { type Token, tokensOf } from './tokens';

const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);

/**
 * Reads CEL's grammar as far as rules use it, by recursive descent:
 *
 *   or := and {'||' and}          relation := sum {('==' | '<' | … | 'in') sum}     unary := {'!'} member | {'-'} member
 *   and := relation {'&&' …}      sum := product {('+' | '-') product}              member := primary {'.' name | '[' … ']'}
 */
export function parse(text: string): Syntax {
  if (text.length > MAX_CHARACTERS) {
    throw new ExpressionError(`An expression has at most ${MAX_CHARACTERS} characters`, MAX_CHARACTERS, text);
  }
  const tokens = tokensOf(text);
  let next = 0;
  let nodes = 0;
  let depth = 0;

  const fail = (reason: string, at: number): never => {
    throw new ExpressionError(reason, at, text);
  };
  const peek = (): Token => tokens[next] as Token;
  const isSign = (...signs: readonly string[]): boolean => {
    const { kind, value } = peek();
    return kind === 'sign' && signs.includes(value as string);
  };
  const isWord = (word: string): boolean => peek().kind === 'word' && peek().value === word;
  const take = (): Token => tokens[next++] as Token;
  const expect = (sign: string, why: string): Token =>
    isSign(sign) ? take() : fail(`Expected ${sign} ${why}`, peek().at);
  const node = <Made extends Syntax>(made: Made): Made => {
    nodes += 1;
    if (nodes > MAX_NODES) fail(`An expression has at most ${MAX_NODES} parts`, made.at);
    return made;
  };
  const within = <Value>(at: number, read: () => Value): Value => {
    depth += 1;
    if (depth > MAX_DEPTH) fail(`Parentheses are nested at most ${MAX_DEPTH} deep`, at);
    const value = read();
    depth -= 1;
    return value;
  };
  const binary = (read: () => Syntax, isNext: () => boolean): Syntax => {
    let left = read();
    while (isNext()) {
      const { value, at } = take();
      left = node({ kind: 'binary', sign: value as BinarySign, left, right: read(), at });
    }
    return left;
  };

  const or = (): Syntax => binary(and, () => isSign('||'));
  const and = (): Syntax => binary(relation, () => isSign('&&'));
  const relation = (): Syntax => binary(sum, () => isSign(...RELATIONS) || isWord('in'));
  const sum = (): Syntax => binary(product, () => isSign('+', '-'));
  const product = (): Syntax => binary(unary, () => isSign('*', '/'));

  function unary(): Syntax {
    const signs: Token[] = [];
    const first = peek();
    while (isSign('!', '-') && peek().value === first.value) signs.push(take());
    if (signs.length > MAX_DEPTH) fail(`At most ${MAX_DEPTH} signs in a row`, first.at);
    let of = member();
    for (const { value, at } of signs.reverse()) of = node({ kind: 'unary', sign: value as '!' | '-', of, at });
    return of;
  }

  function member(): Syntax {
    let found = primary();
    for (;;) {
      if (isSign('.')) found = selected(found, take().at);
      else if (isSign('[')) found = indexed(found, take().at);
      else return found;
    }
  }

  /** After a dot: a part of a name, or a function of the expression before it. */
  function selected(target: Syntax, at: number): Syntax {
    const word = take();
    if (word.kind !== 'word') return fail('Expected a name after the dot', word.at);
    if (isSign('(')) return node({ kind: 'call', name: word.value, target, args: args(), at: word.at });
    if (target.kind !== 'name') return fail('Only names have parts, such as ip.country', at);
    return { ...target, path: [...target.path, word.value] };
  }

  function indexed(target: Syntax, at: number): Syntax {
    const key = take();
    if (target.kind !== 'name' || key.kind !== 'string') return fail('Only names have parts, such as attr["key"]', at);
    expect(']', 'after the key');
    return { ...target, path: [...target.path, key.value] };
  }

  function args(): Syntax[] {
    const open = take();
    return within(open.at, () => items(')', 'after the arguments'));
  }

  function items(end: ')' | ']', why: string): Syntax[] {
    const all: Syntax[] = [];
    while (!isSign(end)) {
      all.push(or());
      if (!isSign(',')) break;
      take();
      if (end === ')' && isSign(end)) fail('Expected an argument after the comma', peek().at);
    }
    expect(end, why);
    return all;
  }

  function primary(): Syntax {
    const token = take();
    const { at } = token;
    if (token.kind === 'int' || token.kind === 'double' || token.kind === 'string') {
      return node({ kind: 'literal', type: token.kind, value: token.value, at });
    }
    if (token.kind === 'word') return word(token.value, at);
    if (token.value === '(') {
      const inside = within(at, or);
      expect(')', 'to close the parenthesis');
      return inside;
    }
    if (token.value === '[') return node({ kind: 'list', items: within(at, () => items(']', 'after the list')), at });
    if (token.value === '.') return fail('A name cannot start with a dot', at);
    return fail(`Expected a value instead of ${token.value}`, at);
  }

  function word(name: string, at: number): Syntax {
    if (name === 'true' || name === 'false') return node({ kind: 'literal', type: 'bool', value: name === 'true', at });
    if (name === 'null') return fail('null is not available in rules; has(x) tells whether a value was sent', at);
    if (RESERVED.has(name)) return fail(`${name} is a reserved word`, at);
    if (isSign('(')) return node({ kind: 'call', name, args: args(), at });
    return node({ kind: 'name', path: [name], at });
  }

  const whole = or();
  const rest = peek();
  return rest.kind === 'end' ? whole : fail(`Expected an operator instead of ${rest.value}`, rest.at);
}
