import type { ObjectStore } from '../../../shared/store/sdk/object-store';
import { freshAccount, type MakePort } from './fresh-account';

/** Tests that every bucket must pass. */
export function describeObjectsConformance(name: string, makePort: MakePort<ObjectStore>): void {
  describe(`objects in ${name}`, () => {
    let objects: ObjectStore;
    let key: string;
    beforeEach(async () => {
      objects = await makePort();
      key = `conformance/${freshAccount()}/ä object`;
    });
    const found = async () => {
      const object = await objects.get(key);
      if (!object || object === 'unchanged') throw new Error('There is no object');
      return { etag: object.etag, text: Buffer.from(object.body).toString() };
    };

    it('gives back what was put, and nothing before', async () => {
      expect(await objects.get(key)).toBeUndefined();
      expect(await objects.put(key, 'ä')).toBe(true);
      expect((await found()).text).toBe('ä');
      await objects.put(key, new Uint8Array([0, 255]));
      const bytes = await objects.get(key);
      expect([...(bytes as { body: Uint8Array }).body]).toEqual([0, 255]);
    });

    it('says when an object is still the one with a tag', async () => {
      await objects.put(key, 'one');
      const { etag } = await found();
      expect(await objects.get(key, etag)).toBe('unchanged');
      await objects.put(key, 'two');
      expect(await objects.get(key, etag)).toMatchObject({ etag: (await found()).etag });
    });

    it('puts where there is nothing, for one of several that ask for that', async () => {
      const put = await Promise.all(['a', 'b', 'c'].map((body) => objects.put(key, body, { absent: true })));
      expect(put.filter(Boolean)).toHaveLength(1);
      expect((await found()).text).toBe(['a', 'b', 'c'][put.indexOf(true)]);
    });

    it('replaces the object with a tag, for one of several that saw it', async () => {
      expect(await objects.put(key, 'x', { etag: '"none"' })).toBe(false);
      await objects.put(key, 'one');
      const { etag } = await found();
      const put = await Promise.all(['a', 'b', 'c'].map((body) => objects.put(key, body, { etag })));
      expect(put.filter(Boolean)).toHaveLength(1);
      expect((await found()).text).toBe(['a', 'b', 'c'][put.indexOf(true)]);
    });
  });
}
