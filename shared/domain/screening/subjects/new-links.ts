import type { AccountSettings } from '../../accounts/account';
import type { Counterpart, EntityHistory, EntityKind } from '../../entities/entity-history';
import { CROWD_USERS } from '../../entities/entity-links';
import type { EntityRef } from '../../entities/entity-ref';
import type { ScreeningRecord } from './screening-record';

interface Recorded {
  readonly refs: readonly EntityRef[];
  readonly recorded: ReadonlyArray<{ readonly ref: EntityRef; readonly history: EntityHistory }>;
}

/** What a user remembers of entities of a kind. */
const REMEMBERED_AS: Partial<Record<EntityKind, Counterpart>> = { device: 'devices', ip: 'ips' };

/**
 * Whether an entity and a user were seen together before. Either set may take a new member for a known one, the 64 buckets
 * of an IP up to one new user in three: only what both sides know is known. A known pair that is not recognized gets its
 * link written again, which changes nothing.
 */
function isKnown({ kind }: EntityRef, entity: EntityHistory, user: EntityHistory | undefined): boolean {
  if (entity.seen.users !== true) return false;
  if (user === undefined) return true;
  const remembered = REMEMBERED_AS[kind];
  return user.first_seen_ms !== undefined && (remembered === undefined || user.tried[remembered] !== false);
}

/**
 * Which entities of an attempt had not been seen with its user: a reader of the stream writes a link for each, once per
 * pair. What a crowd shares gets no further links: nobody walks through it. Nor do those who only use the same agent.
 */
export function newLinks(
  { keep_history }: Pick<AccountSettings, 'keep_history'>,
  { refs, recorded }: Recorded,
): Pick<ScreeningRecord, 'linked'> {
  if (keep_history === false) return {};
  const user = recorded.find(({ ref }) => ref.kind === 'user')?.history;
  let linked = '';
  for (const { ref, history } of recorded) {
    if (ref.kind === 'user' || ref.kind === 'agent' || isKnown(ref, history, user)) continue;
    if ((history.distinct.users ?? 0) <= CROWD_USERS) linked += refs.indexOf(ref).toString(36);
  }
  return linked === '' ? {} : { linked };
}

/** The entities that a stored screening links to its user. */
export const linkedEntities = ({ linked = '', entities }: Pick<ScreeningRecord, 'linked' | 'entities'>): string[] =>
  [...linked].flatMap((position) => entities[Number.parseInt(position, 36)] ?? []);
