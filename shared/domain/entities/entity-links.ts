import { hash } from 'node:crypto';
import type { EntityProfile } from './entity-history';
import { kindOfKey } from './entity-ref';

/** More users than a family or a small office has: shown, but not expanded. */
export const CROWD_USERS = 20;

/** Users, devices, addresses and attributes are nodes of a graph; seen together, two of them have an edge. */
export interface LinkNode {
  readonly id: string;
  readonly type: string;
  /** Anonymous: the kind of thing, and a few characters to tell it from others. */
  /** A user’s ID where it is known; else what kind of thing it is, and a few characters of its name. */
  readonly label: string;
  /** Users only, where it is known. */
  readonly user_id?: string;
  readonly confirmed_fraud: boolean;
  readonly users: number;
}

/** One end is the user, the other an entity that the user used. */
export interface LinkEdge {
  readonly from: string;
  readonly to: string;
  readonly sinceMs: number;
}

export interface LinkGraph {
  readonly nodes: readonly LinkNode[];
  readonly edges: readonly LinkEdge[];
  readonly truncated: boolean;
}

const SHORT = 6;

/** The ID of a node: the same for the same entity of an account, and not a key of the table. */
export const nodeId = (accountId: string, key: string): string =>
  `n_${hash('sha256', `link\n${accountId}\n${key}`, 'base64url').slice(0, 16)}`;

/** The kind of thing that a node stands for. */
export function nodeType(key: string): string {
  const kind = kindOfKey(key);
  if (kind === 'attribute') return `attribute:${key.slice('attribute.'.length, key.lastIndexOf('#'))}`;
  return kind === 'ip' ? 'ip_address' : kind;
}

/** A node built from its entity's profile, which may have been forgotten. */
export function linkNode(accountId: string, key: string, profile: EntityProfile | undefined, name?: string): LinkNode {
  const id = nodeId(accountId, key);
  const type = nodeType(key);
  const kind = type.startsWith('attribute:') ? type.slice('attribute:'.length) : type.replace('_', ' ');
  return {
    id,
    type,
    label: name ?? `${kind} ${id.slice(2, 2 + SHORT)}`,
    ...(name === undefined ? {} : { user_id: name }),
    confirmed_fraud: (profile?.labels.fraud ?? 0) > 0,
    users: type === 'user' ? 1 : Math.max(1, Math.round(profile?.distinct.users ?? 1)),
  };
}
