import type { EntityKind } from '../../domain/entities/entity-history';

/**
 * The entities of a result in one binary value, about 70 bytes smaller than a list of their keys. A result and its entry in
 * the history index both hold them: it is what keeps most results below a kilobyte (ADR 36).
 *
 *     per entity   1 byte   what it is: an index of KINDS, or ATTRIBUTE, or TEXT
 *     ATTRIBUTE    1 byte   length of the name, and the name
 *     both         18 bytes the number of the identity key, and 132 bits of the pseudonym
 *     TEXT         1 byte   length of the key, and the key as it is: made before there were identity keys
 */
const KINDS: readonly EntityKind[] = ['user', 'device', 'ip', 'network'];
const ATTRIBUTE = 254;
const TEXT = 255;
const LONGEST = 255;

const PREFIX = 'attribute.';
const PSEUDONYM = /^([0-9a-z])\.([\w-]{22})$/;
const CHARACTERS = 22;
const DIGEST_BYTES = 17;

function packedKey(key: string): readonly Buffer[] | undefined {
  const at = key.lastIndexOf('#');
  const [, version, digest] = PSEUDONYM.exec(key.slice(at + 1)) ?? [];
  if (version === undefined || digest === undefined) return undefined;
  const pseudonym = [Buffer.from([Number.parseInt(version, 36)]), Buffer.from(`${digest}A`, 'base64url')];
  const path = key.slice(0, at);
  const kind = KINDS.indexOf(path as EntityKind);
  if (kind >= 0) return [Buffer.from([kind]), ...pseudonym];
  const name = Buffer.from(path.slice(PREFIX.length));
  if (!path.startsWith(PREFIX) || name.length > LONGEST) return undefined;
  return [Buffer.from([ATTRIBUTE, name.length]), name, ...pseudonym];
}

/** Packs the keys of entities; returns them as they are if one does not fit the form. */
export function packEntities(keys: readonly string[]): Uint8Array | readonly string[] {
  const parts: Buffer[] = [];
  for (const key of keys) {
    const packed = packedKey(key);
    if (packed) parts.push(...packed);
    else {
      const text = Buffer.from(key);
      if (text.length > LONGEST) return keys;
      parts.push(Buffer.from([TEXT, text.length]), text);
    }
  }
  return Buffer.concat(parts);
}

function unpacked(bytes: Buffer): string[] {
  const keys: string[] = [];
  let at = 0;
  const text = (): string => {
    const length = bytes[at++] ?? 0;
    at += length;
    return bytes.toString('utf8', at - length, at);
  };
  while (at < bytes.length) {
    const kind = bytes[at++] ?? TEXT;
    if (kind === TEXT) {
      keys.push(text());
      continue;
    }
    const path = kind === ATTRIBUTE ? PREFIX + text() : KINDS[kind];
    const version = (bytes[at++] ?? 0).toString(36);
    keys.push(`${path}#${version}.${bytes.toString('base64url', at, at + DIGEST_BYTES).slice(0, CHARACTERS)}`);
    at += DIGEST_BYTES;
  }
  return keys;
}

/** The keys of a result's entities: packed, a list as results had it before, or Base64 as Lambda has it in a stream. */
export function unpackEntities(stored: unknown): readonly string[] {
  if (Array.isArray(stored)) return stored;
  if (typeof stored === 'string') return unpacked(Buffer.from(stored, 'base64'));
  return stored instanceof Uint8Array ? unpacked(Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)) : [];
}

export function wiredEntities(value: unknown): readonly string[] {
  const { L: list, B: packed } = (value ?? {}) as { readonly L?: ReadonlyArray<{ readonly S: string }>; B?: unknown };
  return list ? list.map(({ S }) => S) : unpackEntities(packed);
}
