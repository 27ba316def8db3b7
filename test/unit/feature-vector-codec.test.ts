import fc from 'fast-check';
import { packVector, unpackVector } from '../../shared/domain/subjects/feature-vector-codec';

describe('the packed feature vector', () => {
  it('gives back every value bit for bit, missing ones as missing', () => {
    const value = fc.oneof(fc.constant(Number.NaN), fc.float({ noNaN: true }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 300 }), (values) => {
        const vector = Float32Array.from(values);
        expect(Array.from(unpackVector(packVector(vector)))).toEqual(Array.from(vector));
      }),
    );
  });

  it('costs nothing for what is missing', () => {
    expect(packVector(new Float32Array(126).fill(Number.NaN))).toHaveLength(2 + 16);
    expect(packVector(new Float32Array(126))).toHaveLength(2 + 16 + 4 * 126);
  });
});
