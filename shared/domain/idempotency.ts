import { hash } from 'node:crypto';

export const IDEMPOTENCY_WINDOW_MS = 24 * 60 * 60 * 1000;
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** One use of an `Idempotency-Key`: the effect it stands for, and the body it was first sent with. */
export interface IdempotencyClaim {
  /** Hash of route, path and key: the same key on another path is another claim. */
  readonly scope: string;
  readonly body_hash: string;
}

/** A claim together with the response that a repeat of it gets. */
export interface IdempotencyRecord extends IdempotencyClaim {
  readonly status: number;
  readonly body: string;
}

/** The holder of an `Idempotency-Key`: the screening that was started under it. */
export interface ClaimHolder {
  readonly ulid: string;
  readonly body_hash: string;
  readonly claimed_at_ms: number;
}

/** Another request with the same key has committed first, or is committing now. */
export class ClaimTaken extends Error {
  override readonly name = 'ClaimTaken';
}

const sha256 = (text: string): string => hash('sha256', text, 'hex');

/**
 * JSON with sorted members: a client that serialises its retry with another member order, or with different white
 * space, still sends the same body.
 */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** The claim of a request that carries an `Idempotency-Key`. */
export function idempotencyClaim(method: string, path: string, key: string, body: unknown): IdempotencyClaim {
  return { scope: sha256(`${method} ${path}\n${key}`), body_hash: sha256(canonicalJson(body ?? null)) };
}
