import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { RANDOM_NAMES, RANDOM_VALUES, randomCondition, randomText } from '../../../bench/support/random-expressions';
import { compileTree, type Value } from '../../../shared/domain/rules/compile-tree';
import { check } from '../../../shared/domain/rules/language/check';
import { ExpressionError } from '../../../shared/domain/rules/language/expression-error';
import { sized } from '../../support/sized';

/* Expressions made at random: ours against another implementation, and anything at all against crashes. */

const RUNS = sized(10_000, 400);

function ours(text: string): Value {
  const { tree } = check(text, RANDOM_NAMES);
  return compileTree<null>(tree, { read: (name) => () => RANDOM_VALUES[name]?.value, inList: () => () => false })(null);
}

const reference = Object.entries(RANDOM_VALUES).reduce(
  (environment, [name, { type }]) => environment.registerVariable(name, type),
  new Environment({ limits: { maxAstNodes: 1_000 } }),
);
const context = Object.fromEntries(Object.entries(RANDOM_VALUES).map(([name, { value }]) => [name, value]));

describe('expressions made at random', () => {
  it('evaluate as another implementation of CEL does, where both accept them', () => {
    let compared = 0;
    fc.assert(
      fc.property(randomCondition, (text) => {
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
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(0.75 * RUNS);
  });

  it('are refused with a position, or accepted, whatever they are', () => {
    fc.assert(
      fc.property(randomText, (text) => {
        try {
          check(text, RANDOM_NAMES);
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          expect(error.at).toBeGreaterThanOrEqual(0);
          expect(error.at).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
