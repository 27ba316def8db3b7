import { hash } from 'node:crypto';
import { KEY_PREFIX, type Stage } from '../stage';
import type { Role } from './role';

// sk_test_ + 32 base62 characters (190 bits) + 6 checksum characters: junk is refused without a read.
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^(sk_test_|sk_live_)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** The stored form of a key: never the key itself. */
export interface ApiKeyRecord {
  readonly key_id: string;
  readonly account_id: string;
  readonly key_hash: string;
  /** The first and last characters, so that a person can tell two keys apart. */
  readonly hint: string;
  readonly label: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly role: Role;
  /** Who acts when this key is used; null for a key that is not personal. */
  readonly person: string | null;
  /** From this instant on the key is refused like a revoked one. */
  readonly expires_at: string | null;
}

/** A key as a list shows it. */
export interface ListedApiKey extends ApiKeyRecord {
  /** The start of the hour in which it was last used; null if it never was. */
  readonly last_used_at: string | null;
}

/** A key without its hash, for people to look at. */
export type ShownApiKey = Omit<ListedApiKey, 'key_hash'>;

/** The name that people see for a key: its person, else its label, else its first and last characters. */
export const keyName = ({ person, label, hint }: Pick<ShownApiKey, 'person' | 'label' | 'hint'>): string =>
  person ?? label ?? hint;

/** A key's use is recorded to the hour: at most one write per hour, however busy the key is. */
export const USE_STEP_MS = 60 * 60 * 1000;

export const useHour = (nowMs: number): string => new Date(nowMs - (nowMs % USE_STEP_MS)).toISOString();

const PERSON = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,127}$/u;

/** Whether this can name a person: a name that audit trails and lists show without quotes, such as `ana.silva`. */
export const isPersonName = (text: string): boolean => PERSON.test(text);

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function checksum(prefixAndBody: string): string {
  let rest = crc32(prefixAndBody);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new key for a stage. `randomBytes` must be cryptographically strong. */
export function newApiKey(stage: Stage, randomBytes: (size: number) => Uint8Array): string {
  let body = '';
  while (body.length < BODY_LENGTH) {
    // 248 = 4 × 62: bytes of 248 and above are dropped, so that every character is equally likely.
    for (const byte of randomBytes(BODY_LENGTH)) {
      if (byte < 248 && body.length < BODY_LENGTH) body += BASE62.charAt(byte % 62);
    }
  }
  const prefixAndBody = KEY_PREFIX[stage] + body;
  return prefixAndBody + checksum(prefixAndBody);
}

/** Whether a string can be a key of this stage at all: format, prefix and checksum. */
export function isApiKeyOf(stage: Stage, candidate: string): boolean {
  const match = SHAPE.exec(candidate);
  return match !== null && match[1] === KEY_PREFIX[stage] && checksum(`${match[1]}${match[2]}`) === match[3];
}

/** The form in which a key is stored and looked up. */
export const hashApiKey = (key: string): string => hash('sha256', key, 'hex');

/** The part of a key that a list may show. */
export const maskApiKey = (key: string): string => `${key.slice(0, 12)}…${key.slice(-4)}`;

/**
 * The header of a request that AWS's signature version 4 signed for Amazon Fraud Detector. Nobody can check the
 * signature here: that would take a secret which both sides know. Its form is checked, so that nothing else passes.
 */
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=([0-9A-Za-z_]{1,200})\/\d{8}\/[a-z0-9-]{1,32}\/frauddetector\/aws4_request, ?SignedHeaders=[a-z0-9;-]{1,1000}, ?Signature=[0-9a-f]{64}$/;

/** The key that a client of AWS sent as its access key ID; undefined if there is none in this stage's format. */
export function signedKey(stage: Stage, header: string | undefined): string | undefined {
  const key = SIGNED.exec(header ?? '')?.[1];
  return key !== undefined && isApiKeyOf(stage, key) ? key : undefined;
}

/** The key in an `Authorization` header; undefined if there is none in this stage's format. */
export function bearerKey(stage: Stage, header: string | undefined): string | undefined {
  const match = /^Bearer ([!-~]{1,200})$/i.exec(header ?? '');
  return match?.[1] !== undefined && isApiKeyOf(stage, match[1]) ? match[1] : undefined;
}
