import fc from 'fast-check';
import { encodeUlid, ulidTimeMs } from '../../shared/domain/ulid';
import { newId, newUlid } from '../../shared/runtime/ids';

const random = fc.uint8Array({ minLength: 16, maxLength: 16 });
const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('ULIDs', () => {
  it('has 26 characters of Crockford base 32, and gives its time back', () => {
    fc.assert(
      fc.property(time, random, (at, bytes) => {
        const ulid = encodeUlid(at, bytes);
        expect(ulid).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
        expect(ulidTimeMs(ulid)).toBe(at);
      }),
    );
  });

  it('sorts by time', () => {
    fc.assert(
      fc.property(time, time, random, random, (a, b, x, y) => {
        fc.pre(a < b);
        return encodeUlid(a, x) < encodeUlid(b, y);
      }),
    );
  });

  it('knows the example of the specification', () => {
    expect(encodeUlid(1469918176385, new Uint8Array(16))).toBe('01ARYZ6S410000000000000000');
  });

  it('never comes twice, also across refills of the pool', () => {
    const ids = Array.from({ length: 2_000 }, () => newUlid(1));
    expect(new Set(ids).size).toBe(2_000);
    expect(newId('txn', 1)).toMatch(/^txn_0000000001/);
  });
});
