import fc from 'fast-check';
import { packVector, unpackVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';

describe('the packed feature vector', () => {
  it('gives back every value bit for bit, missing ones as missing', () => {
    const value = fc.oneof(fc.constantFrom(Number.NaN, 0, -0, 1), fc.float({ noNaN: true }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 300 }), (values) => {
        const vector = Float32Array.from(values);
        expect(Array.from(unpackVector(packVector(vector)))).toEqual(Array.from(vector));
      }),
    );
  });

  it('costs two bits for what is missing, 0 or 1', () => {
    for (const value of [Number.NaN, 0, 1]) {
      expect(packVector(new Float32Array(255).fill(value))).toHaveLength(2 + 64);
    }
    expect(packVector(new Float32Array(255).fill(0.5))).toHaveLength(2 + 64 + 4 * 255);
  });

  it('still reads what the first version wrote', () => {
    const [missing, ...values] = [Number.NaN, 0, 1, 2.5, -0, 7, 0, 1, 0.25];
    const floats = Buffer.concat(values.map((value) => Buffer.from(Float32Array.of(value).buffer)));
    const packed = Buffer.concat([Buffer.from([9, 0, 0b11111110, 0b1]), floats]);
    expect(Array.from(unpackVector(packed))).toEqual([missing, ...values]);
  });
});
