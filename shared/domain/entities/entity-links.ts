import { hash } from 'node:crypto';
import type { EntityProfile } from './entity-history';
import { kindOfKey } from './entity-ref';

/** More users than a family or a small office has: shown, but not walked through. */
export const CROWD_USERS = 20;

/** Users, devices, addresses and attributes are nodes of a graph; seen together, two of them have an edge. */
export interface LinkNode {
  readonly id: string;
  /** `user`, `device`, `ip_address`, or `attribute:` and its key. */
  readonly type: string;
  /** Names nobody: what kind of thing it is, and a few characters to tell it from others. */
  readonly label: string;
  readonly confirmed_fraud: boolean;
  /** Different users in the last 30 to 60 days, an estimate beyond about 30. */
  readonly users: number;
}

/** The user is at one end, an entity that was used at the other. */
export interface LinkEdge {
  readonly from: string;
  readonly to: string;
  readonly sinceMs: number;
}

export interface LinkGraph {
  readonly nodes: readonly LinkNode[];
  readonly edges: readonly LinkEdge[];
  /** More is known than is shown. */
  readonly truncated: boolean;
}

const SHORT = 6;

/** The ID of a node: the same for the same entity of an account, and nothing that the table holds. */
export const nodeId = (accountId: string, key: string): string =>
  `n_${hash('sha256', `link\n${accountId}\n${key}`, 'base64url').slice(0, 16)}`;

/** What kind of thing a node is. */
export function nodeType(key: string): string {
  const kind = kindOfKey(key);
  if (kind === 'attribute') return `attribute:${key.slice('attribute.'.length, key.lastIndexOf('#'))}`;
  return kind === 'ip' ? 'ip_address' : kind;
}

/** A node from what is known of its entity, which may have been forgotten. */
export function linkNode(accountId: string, key: string, profile: EntityProfile | undefined, name?: string): LinkNode {
  const id = nodeId(accountId, key);
  const type = nodeType(key);
  const kind = type.startsWith('attribute:') ? type.slice('attribute:'.length) : type.replace('_', ' ');
  return {
    id,
    type,
    label: name ?? `${kind} ${id.slice(2, 2 + SHORT)}`,
    confirmed_fraud: (profile?.labels.fraud ?? 0) > 0,
    users: type === 'user' ? 1 : Math.max(1, Math.round(profile?.distinct.users ?? 1)),
  };
}
