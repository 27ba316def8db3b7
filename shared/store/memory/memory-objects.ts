import { createHash } from 'node:crypto';
import type { ObjectStore } from '../sdk/object-store';

/** A bucket in memory that honours S3's conditional writes. */
export function memoryObjects(): ObjectStore & { readonly keys: () => string[] } {
  const objects = new Map<string, Uint8Array>();
  const etagOf = (body: Uint8Array) => createHash('md5').update(body).digest('hex');
  return {
    keys: () => [...objects.keys()],
    get: async (key, knownEtag) => {
      const body = objects.get(key);
      if (!body) return undefined;
      return etagOf(body) === knownEtag ? 'unchanged' : { body, etag: etagOf(body) };
    },
    put: async (key, body, condition) => {
      const before = objects.get(key);
      if (condition && 'absent' in condition && before) return false;
      if (condition && 'etag' in condition && (!before || etagOf(before) !== condition.etag)) return false;
      objects.set(key, Buffer.from(body as string));
      return true;
    },
  };
}
