/** 64 characters; each takes one byte of an item and needs no escaping in JSON. */
export const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * 32 bits of a text: FNV-1a, then murmur3's finaliser, because FNV's low bits alone are poor on short texts.
 * Not for secrets: anyone who knows the function can make two texts collide. Attempts therefore name their counterparts
 * by pseudonyms, which nobody can choose.
 */
export function hash32(text: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const character = (value: number): string => BASE64.charAt(value & 63);

/** All 32 bits in six characters. */
export const hashText = (hash: number): string =>
  character(hash) +
  character(hash >>> 6) +
  character(hash >>> 12) +
  character(hash >>> 18) +
  character(hash >>> 24) +
  character(hash >>> 30);

const DEVICE_TEXT_SALT = 0x64657669;

/** How `recent_devices` names a device: an item has room for six bytes of its pseudonym's 24. */
export const deviceHash = (device: string): string => hashText(hash32(device, DEVICE_TEXT_SALT));
