import fc from 'fast-check';
import { floorToFloat32 } from '../../../shared/domain/models/build-forest';
import { forestScorer } from '../../../shared/domain/models/forest';
import { decodeForest, encodeForest } from '../../../shared/domain/models/forest-blob';
import { pathAttributor } from '../../../shared/domain/models/path-attribution';
import { sized } from '../../support/sized';
import { randomForest, vectors } from './random-forest';

const forests = fc
  .tuple(fc.integer(), fc.integer({ min: 1, max: 7 }), fc.constantFrom(1, 2, 9, 31, 200), fc.boolean())
  .map((shape) => randomForest(...shape));

describe('forests of any shape', () => {
  it('score as the rules say, from the blob too', () => {
    fc.assert(
      fc.property(forests, fc.array(vectors, { minLength: 1, maxLength: 9 }), ({ forest, score }, some) => {
        const fast = forestScorer(forest);
        const decoded = forestScorer(decodeForest(encodeForest(forest)));
        for (const vector of some) {
          expect(fast(vector)).toBe(score(vector));
          expect(decoded(vector)).toBe(score(vector));
        }
      }),
      { numRuns: sized(400, 100) },
    );
  });

  it('attribute every score without a rest: raw = bias + Σ', () => {
    fc.assert(
      fc.property(forests, vectors, ({ forest, score }, vector) => {
        const { bias, contributions } = pathAttributor(forest)(vector);
        expect(Math.abs(contributions.reduce((sum, part) => sum + part, bias) - score(vector))).toBeLessThan(1e-9);
      }),
      { numRuns: sized(400, 100) },
    );
  });

  it('refuse a vector of another width', () => {
    const { forest } = randomForest(1, 2, 5, false);
    expect(() => forestScorer(forest)(new Float32Array(3))).toThrow('the vector has 3 values, the model 4 features');
  });
});

describe('the blob', () => {
  const blob = encodeForest(randomForest(5, 6, 40, true).forest);

  it('is refused when any byte differs', () => {
    for (let at = 0; at < blob.length; at += 7) {
      const damaged = blob.slice();
      damaged[at] = (damaged[at] as number) ^ 4;
      expect(() => decodeForest(damaged)).toThrow(/blob/);
    }
  });

  it('is refused when cut short, empty, or of another version', () => {
    for (const length of [0, 10, 71, 72, blob.length - 8, blob.length - 1]) {
      expect(() => decodeForest(blob.slice(0, length))).toThrow(/blob/);
    }
    const later = blob.slice();
    later[4] = 2;
    expect(() => decodeForest(later)).toThrow('model blob of version 2, this code reads 1');
  });

  it('of 200 trees × 31 leaves is at most 130 kB', () => {
    const nodes = 200 * 30;
    // Each node 12 bytes, each leaf 8: what random trees of other sizes cost, scaled.
    const { forest } = randomForest(3, 400, 31, false);
    const bytes = encodeForest(forest).length - 72;
    const perNode = (bytes - 8 * forest.leafValues.length) / forest.slots.length;
    expect(nodes * perNode + 8 * 200 * 31).toBeLessThan(130_000);
  });
});

describe('floorToFloat32', () => {
  it('decides every 32-bit comparison as the 64-bit threshold does', () => {
    const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, -0, 1e300, -1e300));
    fc.assert(
      fc.property(value, fc.float({ noNaN: true }), (threshold, other) => {
        const floor = floorToFloat32(threshold);
        expect(Math.fround(floor)).toBe(floor);
        const near = Math.fround(threshold);
        for (const x of [other, near, floor, -near]) expect(x <= floor).toBe(x <= threshold);
      }),
      { numRuns: sized(2_000, 400) },
    );
  });
});
