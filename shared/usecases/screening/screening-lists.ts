import { phoneCountry } from '../../domain/entities/canonical-phone';
import type { EntityNames, EntityRef } from '../../domain/entities/entity-ref';
import type { IpFacts } from '../../domain/ip/ip-table';
import {
  type Candidate,
  candidatesOf,
  type KnownList,
  type ListFlag,
  type ListMatches,
  matchLists,
  type Naming,
} from '../../domain/lists/match-lists';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import type { RecordedEntity } from './screening-compensation';

/** The lists of accounts, as a screening needs them. */
export interface ScreeningLists {
  /** The lists of an account: known already, unless it has been a while. */
  inForce(accountId: string): readonly KnownList[] | Promise<readonly KnownList[]>;
  /** The lists that entities are on whose histories the screening does not record, by their keys. */
  flags(
    accountId: string,
    refs: readonly EntityRef[],
    limitMs: number,
  ): Promise<ReadonlyMap<string, readonly ListFlag[]>>;
}

/** The lists around a screening, as far as they could be read. */
export interface ListsRead {
  /** The names of what could not be read. */
  readonly missing: readonly string[];
  /** What of the screening is on which list, with what trip 1 recorded. */
  matches(recorded: readonly RecordedEntity[], atMs: number): ListMatches;
}

const NO_FLAGS: readonly ListFlag[] = [];
const UNKNOWN: ReadonlyMap<string, readonly ListFlag[]> = new Map();

/** A screening before its first trip. */
interface Surroundings {
  readonly subject: Subject;
  readonly names: EntityNames;
  readonly ip: Pick<IpFacts, 'country'> | undefined;
  /** The entities that record it. */
  readonly refs: readonly EntityRef[];
}

/** Reads what a screening must know about lists, beside trip 1; never rejects, since a screening can do without. */
export async function readLists(
  lists: ScreeningLists | undefined,
  accountId: string,
  { subject, names, ip, refs }: Surroundings,
  limitMs: number,
): Promise<ListsRead> {
  const naming: Naming = { names, refs, country: phoneCountry(subject.billing_address?.country, ip?.country) };
  const missing: string[] = [];
  const known = await inForce(lists, accountId).catch(() => {
    missing.push('lists');
    return [];
  });
  const candidates = known.length === 0 ? [] : candidatesOf(known, subject, naming);
  const others = unrecorded(candidates, naming.refs);
  const reading = others.length === 0 ? undefined : lists?.flags(accountId, others, limitMs);
  const flags = await reading?.catch(() => {
    missing.push('lists');
    return UNKNOWN;
  });
  return {
    missing,
    matches(recorded, atMs) {
      const flagsOf = ({ key }: EntityRef): readonly ListFlag[] =>
        recorded.find(({ ref }) => ref.key === key)?.flags ?? flags?.get(key) ?? NO_FLAGS;
      return matchLists(known, { subject, naming, candidates, flagsOf }, atMs);
    },
  };
}

const inForce = async (lists: ScreeningLists | undefined, accountId: string): Promise<readonly KnownList[]> =>
  lists === undefined ? [] : lists.inForce(accountId);

/** The entities of candidates that no history is recorded of, each once. */
function unrecorded(candidates: readonly Candidate[], refs: readonly EntityRef[]): EntityRef[] {
  const others = new Map<string, EntityRef>();
  for (const { ref } of candidates) if (!refs.some(({ key }) => key === ref.key)) others.set(ref.key, ref);
  return [...others.values()];
}
