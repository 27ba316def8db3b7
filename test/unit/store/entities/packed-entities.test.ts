import fc from 'fast-check';
import { entityNames } from '../../../../shared/domain/entities/entity-ref';
import { packEntities, unpackEntities, wiredEntities } from '../../../../shared/store/entities/packed-entities';

const names = entityNames('acc_1');
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
/** Keys of every kind, as today's code makes them, and as results from before may have them. */
const key = fc.oneof(
  text.map((value) => names.exact('user', value).key),
  text.map((value) => names.exact('device', value).key),
  text.map((value) => names.exact('network', value).key),
  fc.tuple(text, text).map(([name, value]) => names.exact('attribute', value, name).key),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

describe('the entities of a result', () => {
  it('are the same after packing, whatever their keys, also as a stream and a scan have them', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 12 }), (keys) => {
        const packed = packEntities(keys);
        expect(unpackEntities(packed)).toEqual(keys);
        if (!(packed instanceof Uint8Array)) return;
        expect(unpackEntities(Buffer.from(packed).toString('base64'))).toEqual(keys);
        expect(wiredEntities({ B: new Uint8Array(packed) })).toEqual(keys);
      }),
      { numRuns: 500 },
    );
  });

  it('are smaller, and still read as a list', () => {
    const attribute = names.exact('attribute', '4242', 'card_fingerprint');
    const keys = [names.exact('user', 'u'), names.exact('device', 'd'), names.exact('ip', '91.0.0.1'), attribute].map(
      (ref) => ref.key,
    );
    // Three kinds of 19 bytes, and a name with its length.
    expect((packEntities(keys) as Uint8Array).length).toBe(3 * 19 + 36);
    expect(unpackEntities(keys)).toEqual(keys);
    expect(wiredEntities({ L: keys.map((S) => ({ S })) })).toEqual(keys);
    expect([unpackEntities(undefined), wiredEntities(undefined)]).toEqual([[], []]);
  });
});
