import fc from 'fast-check';
import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import { binRows } from '../../../../training/engine/trainer/bin-rows';
import { findBins, sortFloats } from '../../../../training/engine/trainer/find-bins';

const columns = fc.array(
  fc.oneof(fc.float(), fc.integer({ min: -3, max: 3 }), fc.constantFrom(0, -0, 3.4028234663852886e38, 1e-45)),
  { minLength: 1, maxLength: 200 },
);

const binsOf = (values: number[], maxBin: number) =>
  findBins(
    { featureNames: ['x'], values: Float32Array.from(values), labels: new Uint8Array(values.length) },
    maxBin,
    seededRandom(1),
  );

describe('sorted floats', () => {
  it('are in the order of the built-in sort, to the bit', () => {
    const values = fc.array(fc.oneof(fc.float({ noNaN: true }), fc.constantFrom(0, -0)), { maxLength: 300 });
    fc.assert(
      fc.property(values, fc.nat(3), (given, offset) => {
        const column = Float32Array.from([...new Array<number>(offset).fill(7), ...given]);
        const sorted = sortFloats(column.subarray(offset));
        expect([...sorted]).toEqual([...Float32Array.from(given).sort()]);
        expect([...column.subarray(0, offset)]).toEqual(new Array(offset).fill(7));
      }),
    );
  });
});

describe('bins', () => {
  it('never outnumber the limit, keep the order of values, and part what their bounds part', () => {
    fc.assert(
      fc.property(columns, fc.constantFrom(2, 3, 16, 255), (values, maxBin) => {
        const features = binsOf(values, maxBin);
        const bounds = features[0]!.bounds;
        expect(bounds.length).toBeLessThanOrEqual(maxBin);
        expect(bounds.every((bound, i) => i === 0 || bound > bounds[i - 1]!)).toBe(true);
        const { quads } = binRows(Float32Array.from(values), values.length, 1, features);
        values.forEach((value, row) => {
          const bin = quads[0]![row]! & 255;
          const x = Math.fround(value);
          if (Number.isNaN(value)) expect(bin).toBe(bounds.length);
          else expect(x <= bounds[bin]! && (bin === 0 || x > bounds[bin - 1]!)).toBe(true);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('give every value its own where there are few, and part many evenly', () => {
    expect([...binsOf([1, 2, 2, 4], 255)[0]!.bounds]).toEqual([1.5, 3, Number.POSITIVE_INFINITY]);
    const values = Array.from({ length: 10_000 }, (_, i) => (i % 2 === 0 ? 0 : i));
    const { bounds } = binsOf(values, 11)[0]!;
    expect(bounds).toHaveLength(11);
    // Zero, half of the rows, has a bin for itself; the other ten share 5,000 rows.
    expect(bounds[0]).toBe(0.5);
    expect(bounds[1]).toBeCloseTo(1000, -1);
    expect(bounds[5]).toBeCloseTo(5000, -1);
  });

  it('of what never differs are useless, of what is sometimes missing are not', () => {
    expect(binsOf([7, 7, 7], 255)[0]!.isUseful).toBe(false);
    expect(binsOf([Number.NaN, Number.NaN], 255)[0]!.isUseful).toBe(false);
    expect(binsOf([7, Number.NaN], 255)[0]!.isUseful).toBe(true);
  });
});
