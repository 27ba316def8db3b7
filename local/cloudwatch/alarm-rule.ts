/** The state of an alarm in CloudWatch. */
export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** Whether a composite alarm goes off, given the states of the others by name or ARN. */
export type AlarmRule = (stateOf: (alarm: string) => AlarmState) => boolean;

const TOKEN = /\s*(\(|\)|AND\b|OR\b|NOT\b|TRUE\b|FALSE\b|(?:ALARM|OK|INSUFFICIENT_DATA)\("[^"]+"\))/y;

/** Reads the rule of a composite alarm: `ALARM("a") AND (NOT OK("b") OR ALARM("c"))`. */
export function parseAlarmRule(source: string): AlarmRule {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const match = TOKEN.exec(source);
    if (!match?.[1]) throw new Error(`the alarm rule ${source} cannot be read`);
    tokens.push(match[1]);
  }
  let at = 0;
  const take = (): string => {
    const token = tokens[at];
    if (token === undefined) throw new Error(`the alarm rule ${source} ends too early`);
    at += 1;
    return token;
  };

  const primary = (): AlarmRule => {
    const token = take();
    if (token === 'NOT') {
      const inner = primary();
      return (stateOf) => !inner(stateOf);
    }
    if (token === 'TRUE' || token === 'FALSE') return () => token === 'TRUE';
    if (token === '(') {
      const inner = either();
      if (take() !== ')') throw new Error(`the alarm rule ${source} lacks a parenthesis`);
      return inner;
    }
    const [, state, alarm = ''] = /^(\w+)\("([^"]+)"\)$/.exec(token) ?? [];
    if (!state) throw new Error(`the alarm rule ${source} cannot be read at ${token}`);
    return (stateOf) => stateOf(alarm) === state;
  };
  const chain = (word: string, next: () => AlarmRule, combine: (a: boolean, b: boolean) => boolean): AlarmRule => {
    let left = next();
    while (tokens[at] === word) {
      at += 1;
      const [before, after] = [left, next()];
      left = (stateOf) => combine(before(stateOf), after(stateOf));
    }
    return left;
  };
  const both = (): AlarmRule => chain('AND', primary, (a, b) => a && b);
  const either = (): AlarmRule => chain('OR', both, (a, b) => a || b);

  const rule = either();
  if (at < tokens.length) throw new Error(`the alarm rule ${source} continues after its end`);
  return rule;
}
