import { canonicalText } from '../../entities/canonical-value';
import type { EntityNames, EntityRef } from '../../entities/entity-ref';

/** Software that acts for the user, as the merchant's edge saw it. */
export interface Agent {
  /** Who runs it, such as the host name of its key directory. */
  readonly operator: string;
  /** The key that signed the request. */
  readonly key_id?: string | undefined;
  /** Whether the merchant verified the signature. */
  readonly verified: boolean;
}

/**
 * The agent as an entity. Keys are rotated, so the operator has the history. Anybody can claim to be an operator: what is
 * only claimed has a history of its own, which can neither harm nor use the good name of those who sign.
 */
export function agentRef(names: EntityNames, { operator, verified }: Agent): EntityRef | undefined {
  const name = canonicalText(operator).toLowerCase();
  return name === '' ? undefined : names.exact('agent', `${verified ? 'verified' : 'claimed'}:${name}`);
}
