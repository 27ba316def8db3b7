import type { Caller } from './account';

/**
 * Who acts, for everything that records it (`updated_by`, `added_by`, `assignee`): the person whose key it is, else the
 * name that the request states, else the key itself. Never empty.
 */
export const actorOf = ({ person, key_id }: Pick<Caller, 'person' | 'key_id'>, stated?: string): string =>
  person ?? stated ?? key_id;
