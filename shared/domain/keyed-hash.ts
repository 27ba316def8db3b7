import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * HMAC-SHA-256 (RFC 2104) of ASCII texts up to a length. Two one-shot hashes over prepared blocks take two
 * thirds of the time of createHmac on Node 20 and a twentieth on Node 24; each screening needs about twelve.
 */
export function hmacBy(key: Uint8Array, longest = 256): (text: string, encoding: 'hex' | 'base64url') => string {
  const inner = Buffer.alloc(BLOCK_BYTES + longest);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  const block = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
  for (let at = 0; at < BLOCK_BYTES; at++) {
    inner[at] = (block[at] ?? 0) ^ 0x36;
    outer[at] = (block[at] ?? 0) ^ 0x5c;
  }
  return (text, encoding) => {
    inner.write(text, BLOCK_BYTES, 'latin1');
    const message = text.length === longest ? inner : inner.subarray(0, BLOCK_BYTES + text.length);
    outer.write(hash('sha256', message, 'binary'), BLOCK_BYTES, DIGEST_BYTES, 'latin1');
    return hash('sha256', outer, encoding);
  };
}
