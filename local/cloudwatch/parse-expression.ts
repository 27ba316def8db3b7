/** Metric math, parsed. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'id'; readonly name: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'list'; readonly members: readonly Expression[] }
  | { readonly kind: 'negative'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|"([^"]*)"|(>=|<=|==|!=|&&|\|\||[-+*/^()[\],<>]))/y;

interface Token {
  readonly kind: 'number' | 'word' | 'text' | 'sign';
  readonly text: string;
}

function tokens(source: string): readonly Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (!match) throw new Error(`the expression ${source} cannot be read at ${source.slice(at)}`);
    const [, number, word, text, sign] = match;
    if (number !== undefined) found.push({ kind: 'number', text: number });
    else if (word !== undefined) found.push({ kind: 'word', text: word });
    else if (text !== undefined) found.push({ kind: 'text', text });
    else found.push({ kind: 'sign', text: sign === '&&' ? 'AND' : sign === '||' ? 'OR' : (sign ?? '') });
  }
  return found;
}

/** Lowest precedence first; operators on one line have the same precedence. */
const PRECEDENCE: readonly (readonly string[])[] = [
  ['OR'],
  ['AND'],
  ['==', '!=', '<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/'],
  ['^'],
];

/** Parses a metric math expression. */
export function parseExpression(source: string): Expression {
  const all = tokens(source);
  let at = 0;
  const peek = (): Token | undefined => all[at];
  const fail = (): never => {
    throw new Error(`the expression ${source} ends too early or continues after its end`);
  };
  const take = (text: string): void => {
    if (peek()?.text !== text) fail();
    at += 1;
  };
  const until = (end: string): Expression[] => {
    const members: Expression[] = [];
    while (peek()?.text !== end) {
      if (members.length > 0) take(',');
      members.push(binary(0));
    }
    take(end);
    return members;
  };

  const primary = (): Expression => {
    const token = peek() ?? fail();
    at += 1;
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) };
    if (token.kind === 'text') return { kind: 'text', value: token.text };
    if (token.kind === 'word') {
      if (peek()?.text !== '(') return { kind: 'id', name: token.text };
      take('(');
      return { kind: 'call', name: token.text.toUpperCase(), args: until(')') };
    }
    if (token.text === '[') return { kind: 'list', members: until(']') };
    if (token.text === '-') return { kind: 'negative', of: primary() };
    if (token.text !== '(') fail();
    const inner = binary(0);
    take(')');
    return inner;
  };

  const binary = (level: number): Expression => {
    const operators = PRECEDENCE[level];
    if (!operators) return primary();
    let left = binary(level + 1);
    for (let operator = peek()?.text; operator !== undefined && operators.includes(operator); operator = peek()?.text) {
      at += 1;
      left = { kind: 'binary', operator, left, right: binary(level + 1) };
    }
    return left;
  };

  const parsed = binary(0);
  if (at < all.length) fail();
  return parsed;
}
