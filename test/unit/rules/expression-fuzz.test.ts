import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { compileTree, type Value } from '../../../shared/domain/rules/compile-tree';
import { check, type Names, type ValueType } from '../../../shared/domain/rules/language/check';
import { ExpressionError } from '../../../shared/domain/rules/language/expression-error';
import { sized } from '../../support/sized';

/* Expressions made at random: ours against another implementation, and anything at all against crashes. */

const VALUES: Readonly<Record<string, { readonly type: ValueType; readonly value: Value }>> = {
  n: { type: 'double', value: 99.5 },
  m: { type: 'double', value: -3 },
  s: { type: 'string', value: 'Grüße 🦊' },
  t: { type: 'string', value: '' },
  b: { type: 'bool', value: true },
  c: { type: 'bool', value: false },
};
const NAMES: Names = { typeOf: (path) => VALUES[path.join('.')]?.type, known: () => Object.keys(VALUES) };

function ours(text: string): Value {
  const { tree } = check(text, NAMES);
  return compileTree<null>(tree, { read: (name) => () => VALUES[name]?.value, inList: () => () => false })(null);
}

const reference = new Environment({ limits: { maxAstNodes: 1_000 } })
  .registerVariable('n', 'double')
  .registerVariable('m', 'double')
  .registerVariable('s', 'string')
  .registerVariable('t', 'string')
  .registerVariable('b', 'bool')
  .registerVariable('c', 'bool');
const context = Object.fromEntries(Object.entries(VALUES).map(([name, { value }]) => [name, value]));

/** Typed expressions as text, with doubles only: the other library does not mix them with whole numbers. */
const { condition } = fc.letrec<{ condition: string; text: string; number: string }>((tie) => ({
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

describe('expressions made at random', () => {
  it('evaluate as another implementation of CEL does, where both accept them', () => {
    let compared = 0;
    fc.assert(
      fc.property(condition, (text) => {
        let mine: Value;
        try {
          mine = ours(text);
        } catch (error) {
          // Too long, too deep: limits that the other library does not have.
          expect(error).toBeInstanceOf(ExpressionError);
          return;
        }
        expect({ text, value: mine }).toEqual({ text, value: reference.evaluate(text, context) });
        compared += 1;
      }),
      { numRuns: sized(400, 10_000) },
    );
    expect(compared).toBeGreaterThan(sized(300, 7_500));
  });

  it('are refused with a position, or accepted, whatever they are', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...'( ) [ ] { } . , ! - + * / % ? : == != <= >= < > && || in true null has size "a" \' \\ 1 0x 1u 1e9 amount .5 // \n é 🦊'.split(
          ' ',
        ),
      ),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        try {
          check(text, NAMES);
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          expect(error.at).toBeGreaterThanOrEqual(0);
          expect(error.at).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: sized(400, 10_000) },
    );
  });
});
