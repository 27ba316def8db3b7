import { hash } from 'node:crypto';
import type { EntityKind } from './entity-history';

/** An entity that takes part in an attempt. Its value is hashed with the account: its id holds no email or card. */
export interface EntityRef {
  readonly kind: EntityKind;
  /** What a person calls it: `user`, `device`, `ip`, or the attribute's key. */
  readonly name: string;
  /** `user#…` or `attribute.email#…`: its id within the account. */
  readonly key: string;
}

const HASH_CHARACTERS = 22;

/** Refers to an entity of an account by its value. */
export function entityRef(accountId: string, kind: EntityKind, name: string, value: string): EntityRef {
  const path = kind === 'attribute' ? `attribute.${name}` : kind;
  // The one-shot form takes a third of the time of createHash, and a screening makes four to eight of these.
  const digest = hash('sha256', `${accountId}\n${path}\n${value}`, 'base64url');
  return { kind, name, key: `${path}#${digest.slice(0, HASH_CHARACTERS)}` };
}

/** The kind of an entity, from its key. */
export const kindOfKey = (key: string): EntityKind =>
  key.startsWith('attribute.') ? 'attribute' : (key.slice(0, key.indexOf('#')) as EntityKind);
