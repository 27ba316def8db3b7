import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { bearerKey, hashApiKey, isApiKeyOf, maskApiKey, newApiKey } from '../../../shared/domain/accounts/api-key';

const bytes = fc.infiniteStream(fc.nat({ max: 255 }));
const sourceOf = (stream: Iterator<number>) => (size: number) =>
  Uint8Array.from({ length: size }, () => stream.next().value ?? 0);

describe('API keys', () => {
  it('is a key of its own stage and of no other, whatever the randomness', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom('sandbox' as const, 'production' as const), (stream, stage) => {
        const key = newApiKey(stage, sourceOf(stream[Symbol.iterator]()));
        const prefix = stage === 'sandbox' ? 'sk_test_' : ['sk', 'live', ''].join('_');
        expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
        expect(isApiKeyOf(stage, key)).toBe(true);
        expect(isApiKeyOf(stage === 'sandbox' ? 'production' : 'sandbox', key)).toBe(false);
      }),
    );
  });

  it('notices any one changed character without a read', () => {
    const key = newApiKey('sandbox', randomBytes);
    for (let at = 'sk_test_'.length; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(isApiKeyOf('sandbox', key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  it('uses every base62 character about equally often', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2000; i++) {
      for (const character of newApiKey('sandbox', randomBytes).slice(8, 40)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    const expected = (2000 * 32) / 62;
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - expected) / expected).toBeLessThan(0.25);
  });

  it('reads the key out of a Bearer header only', () => {
    const key = newApiKey('sandbox', randomBytes);
    expect(bearerKey('sandbox', `Bearer ${key}`)).toBe(key);
    expect(bearerKey('sandbox', `bearer ${key}`)).toBe(key);
    for (const header of [undefined, '', key, `Basic ${key}`, `Bearer  ${key}`, `Bearer ${key} `, `Bearer ${key}\n`]) {
      expect(bearerKey('sandbox', header)).toBeUndefined();
    }
  });

  it('shows neither the key nor enough of it', () => {
    const key = newApiKey('sandbox', randomBytes);
    expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/);
    expect(maskApiKey(key)).toHaveLength(17);
    expect(key).not.toContain(maskApiKey(key));
  });
});
