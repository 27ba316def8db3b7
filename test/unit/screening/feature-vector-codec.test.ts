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

  it('gives back a history of many numbers, however often each comes', () => {
    const few = fc.constantFrom(Number.NaN, 0, 1, 2, 7, 127, 128, 0.01, -0, -3, 1e-9, 86_400);
    const many = fc.integer({ min: 0, max: 400 }).map((at) => at / 8);
    fc.assert(
      fc.property(fc.array(fc.oneof(few, many), { minLength: 250, maxLength: 400 }), (values) => {
        const vector = Float32Array.from(values);
        expect(Array.from(unpackVector(packVector(vector)))).toEqual(Array.from(vector));
      }),
    );
  });

  it('costs nothing for a long gap, two bits for 0 or 1, a byte for a small number or one that came before', () => {
    const lengthOf = (value: number) => packVector(new Float32Array(256).fill(value)).length;
    const [head, map, codes] = [2, 8, 64];
    expect(lengthOf(Number.NaN)).toBe(head + map);
    for (const value of [0, 1]) expect(lengthOf(value)).toBe(head + map + codes);
    expect(lengthOf(7)).toBe(head + map + codes + 256);
    expect(lengthOf(0.5)).toBe(head + map + codes + 4 + 256);
  });

  it('still reads what the second version wrote: all codes, and floats', () => {
    const floats = Buffer.concat([2.5, 7, 0.25].map((value) => Buffer.from(Float32Array.of(value).buffer)));
    const packed = Buffer.concat([Buffer.from([6, 0x80, 0b11100100, 0b1111]), floats]);
    expect(Array.from(unpackVector(packed))).toEqual([Number.NaN, 0, 1, 2.5, 7, 0.25]);
  });

  it('still reads what the first version wrote', () => {
    const [missing, ...values] = [Number.NaN, 0, 1, 2.5, -0, 7, 0, 1, 0.25];
    const floats = Buffer.concat(values.map((value) => Buffer.from(Float32Array.of(value).buffer)));
    const packed = Buffer.concat([Buffer.from([9, 0, 0b11111110, 0b1]), floats]);
    expect(Array.from(unpackVector(packed))).toEqual([missing, ...values]);
  });
});
