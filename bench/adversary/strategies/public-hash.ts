/**
 * The hash of the sketches as the source code published it, without a key: FNV-1a and murmur3's finaliser. The attacker's
 * own copy, because what was published stays known. If a deployment hashes differently, ids found with it no longer collide.
 */
export function publicHash(text: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The salts of the counted users and devices, and the buckets of the finest sketch. */
const SALTS = { users: 11, devices: 23 } as const;
const BUCKETS = 4_096;

/** Names that all fall into the bucket of the first: found offline, in a fraction of a second. */
export function collidingNames(of: keyof typeof SALTS, prefix: string, count: number): string[] {
  const bucketOf = (name: string): number => publicHash(name, SALTS[of]) & (BUCKETS - 1);
  const names = [`${prefix}-0`];
  const wanted = bucketOf(`${prefix}-0`);
  for (let number = 1; names.length < count; number++) {
    const name = `${prefix}-${number}`;
    if (bucketOf(name) === wanted) names.push(name);
  }
  return names;
}
