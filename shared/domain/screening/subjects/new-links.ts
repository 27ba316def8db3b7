import type { AccountSettings } from '../../accounts/account';
import type { EntityHistory } from '../../entities/entity-history';
import { CROWD_USERS } from '../../entities/entity-links';
import type { EntityRef } from '../../entities/entity-ref';
import type { ScreeningRecord } from './screening-record';

interface Recorded {
  readonly refs: readonly EntityRef[];
  readonly recorded: ReadonlyArray<{ readonly ref: EntityRef; readonly history: EntityHistory }>;
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
  let linked = '';
  for (const { ref, history } of recorded) {
    if (ref.kind === 'user' || ref.kind === 'agent' || history.seen.users === true) continue;
    if ((history.distinct.users ?? 0) <= CROWD_USERS) linked += refs.indexOf(ref).toString(36);
  }
  return linked === '' ? {} : { linked };
}

/** The entities that a stored screening links to its user. */
export const linkedEntities = ({ linked = '', entities }: Pick<ScreeningRecord, 'linked' | 'entities'>): string[] =>
  [...linked].flatMap((position) => entities[Number.parseInt(position, 36)] ?? []);
