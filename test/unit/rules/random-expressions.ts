import fc from 'fast-check';
import type { Value } from '../../../shared/domain/rules/compile-tree';
import type { Names, ValueType } from '../../../shared/domain/rules/language/check';

/** The names that random expressions use, with their values. */
export const RANDOM_VALUES: Readonly<Record<string, { readonly type: ValueType; readonly value: Value }>> = {
  n: { type: 'double', value: 99.5 },
  m: { type: 'double', value: -3 },
  s: { type: 'string', value: 'Grüße 🦊' },
  t: { type: 'string', value: '' },
  b: { type: 'bool', value: true },
  c: { type: 'bool', value: false },
};

export const RANDOM_NAMES: Names = {
  typeOf: (path) => RANDOM_VALUES[path.join('.')]?.type,
  known: () => Object.keys(RANDOM_VALUES),
};

/** Typed conditions as text, with doubles only: the other library does not mix them with whole numbers. */
export const { condition: randomCondition } = fc.letrec<{ condition: string; text: string; number: string }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('n', 'm', '0.5', '2.0', '100.25', '1e2'),
    fc.tuple(tie('number'), fc.constantFrom('+', '-', '*'), tie('number')).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    tie('number').map((a) => `-(${a})`),
  ),
  text: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('s', 't', '"a"', "'Gr'", '"🦊"', 'r"\\n"', '"\\u00fc"'),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
    tie('text').map((a) => `${a}.lowerAscii()`),
  ),
  condition: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom('b', 'c', 'true', 'false'),
    fc
      .tuple(tie('number'), fc.constantFrom('==', '!=', '<', '<=', '>', '>='), tie('number'))
      .map((parts) => parts.join(' ')),
    fc.tuple(tie('text'), fc.constantFrom('==', '!='), tie('text')).map((parts) => parts.join(' ')),
    fc
      .tuple(tie('text'), fc.constantFrom('startsWith', 'endsWith', 'contains'), tie('text'))
      .map(([a, test, b]) => `${a}.${test}(${b})`),
    fc
      .tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition'))
      .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    tie('condition').map((a) => `!(${a})`),
    tie('text').map((a) => `${a} in ["a", "", "🦊"]`),
    tie('text').map((a) => `size(${a}) == 7`),
  ),
}));

const PIECES =
  '( ) [ ] { } . , ! - + * / % ? : == != <= >= < > && || in true null has size "a" \' \\ 1 0x 1u 1e9 amount .5 // \n é 🦊';

/** Anything at all, of pieces of the language and of none. */
export const randomText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES.split(' ')), fc.string({ maxLength: 3 })), { maxLength: 60 })
  .map((pieces) => pieces.join(''));
