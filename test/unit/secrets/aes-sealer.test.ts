import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { aesSealer, type DataKeys } from '../../../shared/secrets/aes-sealer';

/** Keys by version, the last one current: what Secrets Manager holds after rotations. */
function keyring(versions: Record<string, string>): DataKeys {
  const current = Object.keys(versions).at(-1) ?? '';
  return {
    current: async () => ({ version: current, material: versions[current] ?? '' }),
    byVersion: async (version) => versions[version] ?? '',
  };
}

describe('sealing', () => {
  const sealer = aesSealer(keyring({ v1: 'material one' }), randomBytes);

  it('gives back any text, and never the same ciphertext twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (plain, context) => {
        const sealed = await sealer.seal(plain, context);
        expect(await sealer.open(sealed, context)).toBe(plain);
        expect(await sealer.seal(plain, context)).not.toBe(sealed);
      }),
    );
  });

  it('opens in its own context only', async () => {
    const sealed = await sealer.seal('whsec_x', 'webhook-secret/acc_a/wh_1');
    await expect(sealer.open(sealed, 'webhook-secret/acc_b/wh_1')).rejects.toThrow();
    await expect(sealer.open(sealed, 'webhook-secret/acc_a/wh_2')).rejects.toThrow();
  });

  it('notices every flipped bit', async () => {
    const [format, version, payload = ''] = (await sealer.seal('secret', 'c')).split('.');
    const bytes = Buffer.from(payload, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await expect(sealer.open([format, version, flipped.toString('base64url')].join('.'), 'c')).rejects.toThrow();
    }
  });

  it('opens what was sealed before a rotation', async () => {
    const old = await sealer.seal('secret', 'c');
    const rotated = aesSealer(keyring({ v1: 'material one', v2: 'material two' }), randomBytes);
    expect(await rotated.open(old, 'c')).toBe('secret');
    const fresh = await rotated.seal('secret', 'c');
    expect(fresh.split('.')[1]).toBe('v2');
    await expect(sealer.open(fresh, 'c')).rejects.toThrow();
  });
});
