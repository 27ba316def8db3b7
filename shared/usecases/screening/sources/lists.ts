import { phoneCountry } from '../../../domain/entities/canonical-value';
import type { EntityRef } from '../../../domain/entities/entity-ref';
import {
  type Candidate,
  candidatesOf,
  type KnownList,
  type ListFlag,
  matchLists,
  type Naming,
} from '../../../domain/lists/match-lists';
import type { MatchedList } from '../../../domain/screening/decide-by-policy';
import type { Prepared } from '../prepare';
import type { RecordedEntity } from './histories';
import { NOTHING_MISSING, type Reading, type Source } from './source';

/** The lists of accounts, as a screening needs them. */
export interface ScreeningLists {
  current(accountId: string): readonly KnownList[] | Promise<readonly KnownList[]>;
  flags(
    accountId: string,
    refs: readonly EntityRef[],
    limitMs: number,
  ): Promise<ReadonlyMap<string, readonly ListFlag[]>>;
}

/** The account's lists, as far as they could be read. */
export interface ListsReading extends Reading {
  /** The lists that something of the screening is on, with what the histories say about their entities. */
  matches(recorded: readonly RecordedEntity[]): readonly MatchedList[];
}

const NO_FLAGS: readonly ListFlag[] = [];
const MISSING: readonly string[] = ['lists'];
const matchesNone = (): readonly MatchedList[] => [];
const NONE: ListsReading = { missing: NOTHING_MISSING, matches: matchesNone };

/** The account's own lists. Entities that record the attempt return their flags with it; the others are read. */
export const listSource: Source<'lists', { readonly lists: ScreeningLists }, ListsReading> = {
  name: 'lists',
  read({ lists }, prepared, limitMs) {
    if (prepared.forced) return NONE;
    const known = lists.current(prepared.caller.account_id);
    if (known instanceof Promise) return known.then((each) => readFlags(lists, prepared, each, limitMs));
    return known.length === 0 ? NONE : readFlags(lists, prepared, known, limitMs);
  },
  without: () => ({ missing: MISSING, matches: matchesNone }),
  standIn: { lists: { current: () => [], flags: async () => new Map() } },
};

async function readFlags(
  lists: ScreeningLists,
  { caller: { account_id }, subject, names, ip, refs, attempt }: Prepared,
  known: readonly KnownList[],
  limitMs: number,
): Promise<ListsReading> {
  if (known.length === 0) return NONE;
  const naming: Naming = { names, refs, country: phoneCountry(subject.billing_address?.country, ip?.country) };
  const candidates = candidatesOf(known, subject, naming);
  const others = unrecorded(candidates, refs);
  const flags =
    others.length === 0 ? undefined : await lists.flags(account_id, others, limitMs).catch(() => 'unknown' as const);
  return {
    missing: flags === 'unknown' ? MISSING : NOTHING_MISSING,
    matches(recorded) {
      const read = flags === 'unknown' ? undefined : flags;
      const flagsOf = ({ key }: EntityRef): readonly ListFlag[] =>
        recorded.find(({ ref }) => ref.key === key)?.flags ?? read?.get(key) ?? NO_FLAGS;
      return matchLists(known, { subject, naming, candidates, flagsOf }, attempt.at_ms).matched;
    },
  };
}

function unrecorded(candidates: readonly Candidate[], refs: readonly EntityRef[]): EntityRef[] {
  const others = new Map<string, EntityRef>();
  for (const { ref } of candidates) if (!refs.some(({ key }) => key === ref.key)) others.set(ref.key, ref);
  return [...others.values()];
}
