import fc from 'fast-check';
import { decodeArtefact, encodeArtefact, MAX_ARTEFACT_BYTES } from '../../../shared/domain/models/artefact-blob';
import { buildForest } from '../../../shared/domain/models/build-forest';
import { MAX_STEPS, MAX_TREES } from '../../../shared/domain/models/check-forest';
import { type Forest, forestScorer } from '../../../shared/domain/models/forest';
import { decodeForest, encodeForest } from '../../../shared/domain/models/forest-blob';
import type { ParsedTree, SplitNode } from '../../../shared/domain/models/parse-tree';
import { sized } from '../../support/sized';
import { randomForest, vectors, WIDTH } from './random-forest';

/** A blob with a right checksum, of a forest that was changed. */
const changed = (change: (forest: Forest) => Partial<Forest> | undefined, hasCategories = false): Uint8Array => {
  const { forest } = randomForest(11, 5, 40, hasCategories);
  return encodeForest({ ...forest, ...change(forest) });
};
const set = (array: { [at: number]: number }, at: number, value: number): undefined => {
  array[at] = value;
};

const NOT_SCORABLE: ReadonlyArray<readonly [string, () => Uint8Array]> = [
  ['a root that points to itself', () => changed(({ children }) => set(children, 0, 0))],
  ['a node that points back', () => changed(({ children }) => set(children, 5, 1))],
  ['a child in two places', () => changed(({ children }) => set(children, 1, children[0] as number))],
  ['a child outside its tree', () => changed(({ children }) => set(children, 0, 127))],
  ['a leaf outside its tree', () => changed(({ children }) => set(children, 0, -128))],
  ['a tree that ends before it begins', () => changed(({ firstNodes }) => set(firstNodes, 1, 4_000_000_000))],
  ['nodes that belong to no tree', () => changed(({ firstNodes }) => set(firstNodes, firstNodes.length - 1, 0))],
  ['a first tree that does not begin at 0', () => changed(({ firstNodes }) => set(firstNodes, 0, 1))],
  ['a feature that does not exist', () => changed(({ slots }) => set(slots, 0, 6 * WIDTH))],
  ['a threshold of NaN', () => changed(({ thresholds }) => set(thresholds, 2, Number.NaN))],
  ['an expectation of NaN', () => changed(({ expectations }) => set(expectations, 2, Number.NaN))],
  ['a leaf of NaN', () => changed(({ leafValues }) => set(leafValues, 3, Number.NaN))],
  ['an infinite leaf', () => changed(({ leafValues }) => set(leafValues, 3, Number.POSITIVE_INFINITY))],
  ['a sigmoid of 0', () => changed(() => ({ sigmoid: 0 }))],
  ['a sigmoid of NaN', () => changed(() => ({ sigmoid: Number.NaN }))],
  ['two features of one name', () => changed(() => ({ featureNames: ['a', 'a', 'b', 'c'] }))],
  [
    'a set that does not exist',
    () => changed(({ slots, thresholds }) => [set(slots, 0, 5 * WIDTH), set(thresholds, 0, 99)] as never),
  ],
  ['sets that overlap', () => changed(({ categoryBounds }) => set(categoryBounds, 1, 4_000_000_000), true)],
  [
    'no tree',
    () =>
      changed(() => ({
        firstNodes: new Uint32Array(1),
        slots: new Uint16Array(0),
        thresholds: new Float32Array(0),
        expectations: new Float32Array(0),
        children: new Int8Array(0),
        leafValues: new Float64Array(0),
      })),
  ],
];

describe('a forest that cannot be scored', () => {
  it.each(NOT_SCORABLE)('%s', (_, blob) => {
    expect(() => decodeForest(blob())).toThrow(/^the model cannot be scored: it has /);
  });

  it('has too many trees, or trees that are too deep together', () => {
    const leaf: ParsedTree = {
      nodes: [],
      leafValues: Float64Array.of(1),
      leafCounts: Float64Array.of(1),
      categorySets: [],
    };
    const many = buildForest(['a'], 1, Array(MAX_TREES + 1).fill(leaf));
    expect(() => decodeForest(encodeForest(many))).toThrow(`${MAX_TREES + 1} trees; 1 to ${MAX_TREES} are supported`);
    const length = 30_000;
    const nodes = Array.from(
      { length },
      (_, at): SplitNode => ({
        ...{ feature: 0, threshold: 0, isCategorical: false, isDefaultLeft: true, missing: 'none' as const },
        left: ~at,
        right: at + 1 < length ? at + 1 : ~length,
      }),
    );
    const values = new Float64Array(length + 1);
    const chain: ParsedTree = { nodes, leafValues: values, leafCounts: values, categorySets: [] };
    const deep = buildForest(['a'], 1, Array(4).fill(chain));
    expect(() => decodeForest(encodeForest(deep))).toThrow(`120000 levels deep together; ${MAX_STEPS} are supported`);
  });

  it('is refused whatever was changed, or else scores to a number', () => {
    const word = fc.tuple(fc.nat(), fc.integer({ min: -140, max: 140 }));
    const array = fc.constantFrom('children', 'slots', 'firstNodes', 'categoryBounds', 'thresholds' as const);
    fc.assert(
      fc.property(fc.array(fc.tuple(array, word), { minLength: 1, maxLength: 4 }), vectors, (changes, vector) => {
        const blob = changed((forest) => {
          for (const [name, [at, value]] of changes) set(forest[name], at % forest[name].length, value);
          return undefined;
        }, true);
        let forest: Forest;
        try {
          forest = decodeForest(blob);
        } catch {
          return;
        }
        expect(Number.isFinite(forestScorer(forest)(vector))).toBe(true);
      }),
      { numRuns: sized(500, 125) },
    );
  });
});

describe('an artefact that cannot be scored', () => {
  const { forest } = randomForest(11, 5, 40, false);
  const artefact = { version: 'v', forest, attributes: { columns: [] }, trust: { judged: {} }, card: {} as never };

  it.each([
    { slope: Number.NaN, intercept: 0, role: 'replace' },
    { slope: 0, intercept: 0, role: 'replace' },
    { slope: 1, intercept: Number.POSITIVE_INFINITY, role: 'nudge' },
    { slope: 1, intercept: 0, role: 'other' },
    undefined,
  ])('calibration %j', (calibration) => {
    expect(() => decodeArtefact(encodeArtefact({ ...artefact, calibration } as never))).toThrow(
      'without a calibration',
    );
  });

  it('is larger than a function can hold', () => {
    expect(() => decodeArtefact(new Uint8Array(MAX_ARTEFACT_BYTES + 1))).toThrow('bytes; at most 16777216');
  });
});
