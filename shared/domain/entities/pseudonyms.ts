import { createCipheriv, hash, hkdfSync } from 'node:crypto';
import { hmacBy } from '../keyed-hash';

/**
 * Names for values that must not be stored: without the stage's key nobody can tell whose they are by trying all
 * values, nor find two values that share a bucket of a sketch.
 */
export interface Pseudonyms {
  /** `1.` and 22 characters: the number of the key, and 132 bits of HMAC-SHA-256. */
  of(accountId: string, path: string, value: string): string;
  /** 16 bits for a value of an observed attribute; the same in all accounts, so that models can learn from them. */
  bucketOf(name: string, value: string): number;
  /** A pseudonym under the current key, from one made with an older key or none: see `rekeyItem`. */
  renewed(pseudonym: string): string;
  /** As they were named under each key, the oldest first: files keep the pseudonyms of their time. */
  byEachKey(): readonly Pseudonyms[];
  /** Encrypts what is kept with one record, which `context` names; any beginning of the result opens as far as it goes. */
  seal(context: string, plain: string): Uint8Array;
  /** Opens what was sealed in this context; undefined if no key of the stage sealed it. */
  open(context: string, sealed: Uint8Array): string | undefined;
}

const KEY_BYTES = 32;
const AES_BYTES = 16;
const CHARACTERS = 22;
/** Values of categories and networks repeat all the time; bounded, since anyone may send others. */
const MOST_BUCKETS = 5_000;
const MOST_NETWORKS = 5_000;

/**
 * AES-256 in counter mode (NIST SP 800-38A), which starts at a block that only the context leads to, so that no two records
 * share a key stream. It hides, and does not authenticate: who can write to the table could write anything in clear as well.
 * Works in place, and is its own inverse.
 * One cipher for all records: Node 24 takes 38 µs to make one from bytes, and as long for an HMAC.
 */
function cipherOf(key: Uint8Array): (context: string, bytes: Uint8Array, from: number) => void {
  const sealing = Buffer.from(hkdfSync('sha256', key, '', 'fraud-screening evidence key v1', 32));
  const blocks = createCipheriv('aes-256-ecb', sealing, null).setAutoPadding(false);
  let counters = Buffer.alloc(AES_BYTES);
  return (context, bytes, from) => {
    const length = AES_BYTES * Math.ceil((bytes.length - from) / AES_BYTES);
    if (counters.length < length) counters = Buffer.alloc(length);
    counters.write(hash('sha256', context, 'binary'), 0, AES_BYTES, 'latin1');
    let last = counters.readUInt16BE(AES_BYTES - 2);
    for (let at = AES_BYTES; at < length; at += AES_BYTES) {
      for (let byte = 0; byte < AES_BYTES - 2; byte++) counters[at + byte] = counters[byte] as number;
      last++;
      counters[at + AES_BYTES - 2] = last >> 8;
      counters[at + AES_BYTES - 1] = last;
    }
    const stream = blocks.update(counters.subarray(0, length));
    for (let at = from; at < bytes.length; at++) bytes[at] = (bytes[at] as number) ^ (stream[at - from] as number);
  };
}

const digestOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, CHARACTERS);

const hmacOfDigest = (key: Uint8Array): ((digest: string) => string) => {
  const hmac = hmacBy(key, CHARACTERS);
  return (digest) => hmac(digest, 'base64url').slice(0, CHARACTERS);
};

/**
 * Pseudonyms by the keys of a stage, oldest first, each of 32 bytes. A key is applied to what the key before it made,
 * and the first to the plain digest: so stored pseudonyms can be renewed without the values they stand for.
 */
export function pseudonymsBy(keys: readonly Uint8Array[]): Pseudonyms {
  const [first, ...later] = keys.map(hmacOfDigest);
  if (first === undefined || keys.some(({ length }) => length !== KEY_BYTES)) throw new Error('No key of 32 bytes');
  const prefix = `${keys.length.toString(36)}.`;
  const keyed = (digest: string): string => later.reduce((made, next) => next(made), first(digest));
  /** By name and then value: joining the two for every lookup would cost more than the lookup. */
  const buckets = new Map<string, Map<string, number>>();
  let known = 0;
  const networks = new Map<string, string>();
  const ciphers = keys.map((key) => {
    let made: ReturnType<typeof cipherOf> | undefined;
    return (context: string, bytes: Uint8Array, from: number) => {
      made ??= cipherOf(key);
      made(context, bytes, from);
    };
  });
  const newest = ciphers.at(-1) as (typeof ciphers)[number];
  return {
    byEachKey: () => keys.map((_, at) => pseudonymsBy(keys.slice(0, at + 1))),
    seal(context, plain) {
      const sealed = Buffer.from(`\0${plain}`);
      newest(context, sealed, 1);
      sealed[0] = keys.length;
      return sealed;
    },
    open(context, sealed) {
      const cipher = ciphers[(sealed[0] ?? 0) - 1];
      const plain = Buffer.from(sealed.subarray(1));
      cipher?.(context, plain, 0);
      return cipher && plain.toString();
    },
    of(accountId, path, value) {
      const text = `${accountId}\n${path}\n${value}`;
      if (path !== 'network') return prefix + keyed(digestOf(text));
      const found = networks.get(text);
      if (found !== undefined) return found;
      if (networks.size >= MOST_NETWORKS) networks.clear();
      const pseudonym = prefix + keyed(digestOf(text));
      networks.set(text, pseudonym);
      return pseudonym;
    },
    bucketOf(name, value) {
      const found = buckets.get(name)?.get(value);
      if (found !== undefined) return found;
      if (++known > MOST_BUCKETS) {
        buckets.clear();
        known = 1;
      }
      const bucket = Buffer.from(keyed(digestOf(`observed\n${name}\n${value}`)), 'base64url').readUInt16LE();
      const ofName = buckets.get(name) ?? new Map<string, number>();
      buckets.set(name, ofName.set(value, bucket));
      return bucket;
    },
    renewed(pseudonym) {
      const { number, made } = partsOf(pseudonym);
      return prefix + [first, ...later].slice(number).reduce((text, next) => next(text), made);
    },
  };
}

/** The number of the key that made a pseudonym, 0 for a digest without one, and the digest. */
function partsOf(pseudonym: string): { readonly number: number; readonly made: string } {
  const dot = pseudonym.indexOf('.');
  if (dot < 0) return { number: 0, made: pseudonym };
  return { number: Number.parseInt(pseudonym.slice(0, dot), 36), made: pseudonym.slice(dot + 1) };
}

/*
 * References and the IDs of disputes are stored by pseudonyms, like everything that may name somebody: an order ID can
 * be a customer's email, and a payment intent leads to one.
 */

/** The pseudonyms of references, each once. */
export const referenceNames = (
  pseudonyms: Pseudonyms,
  accountId: string,
  references: readonly string[],
): readonly string[] => [...new Set(references)].map((value) => pseudonyms.of(accountId, 'reference', value));

/** The pseudonym of a source's ID for an outcome. */
export const sourceName = (pseudonyms: Pseudonyms, accountId: string, sourceId: string): string =>
  pseudonyms.of(accountId, 'source', sourceId);
