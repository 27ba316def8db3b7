import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Sealer } from '../domain/sealer';

/** The data key of a stage, by version: text sealed with an older version still opens after a rotation. */
export interface DataKeys {
  current(): Promise<{ readonly version: string; readonly material: string }>;
  byVersion(version: string): Promise<string>;
}

const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The version of the data key that a text was sealed with; undefined if the text is not sealed. */
export function sealedVersion(text: string): string | undefined {
  const [format, version, payload] = text.split('.');
  return format === FORMAT && version && payload ? version : undefined;
}

const keyFrom = (material: string): Buffer =>
  Buffer.from(hkdfSync('sha256', material, '', 'fraud-screening data key v1', 32));

/** AES-256-GCM. The context is authenticated, not stored: ciphertext that was moved elsewhere does not open. */
export function aesSealer(keys: DataKeys, randomBytes: (size: number) => Uint8Array): Sealer {
  return {
    async seal(plain, context) {
      const { version, material } = await keys.current();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyFrom(material), nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [FORMAT, version, sealed.toString('base64url')].join('.');
    },
    async open(text, context) {
      const [format, version, payload] = text.split('.');
      if (format !== FORMAT || !version || !payload) throw new Error('Sealed text of an unknown format');
      const sealed = Buffer.from(payload, 'base64url');
      const key = keyFrom(await keys.byVersion(version));
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      const plain = [decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
      return Buffer.concat(plain).toString('utf8');
    },
  };
}
