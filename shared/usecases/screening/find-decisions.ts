import type { Caller } from '../../domain/accounts/account';
import { entityNames } from '../../domain/entities/entity-ref';
import { referenceNames } from '../../domain/entities/pseudonyms';
import type { EntityLink } from '../../domain/entities/seen-with';
import { ipPrefix } from '../../domain/ip/parse-ip';
import { isRetained, type ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { lowestUlid } from '../../domain/ulid';
import type { DecisionPage, ListDecisionsDeps } from './list-decisions';

/** Dependencies of finding decisions by what was sent with them. */
export interface FindDecisionsDeps extends Pick<ListDecisionsDeps, 'clock' | 'pseudonyms' | 'decisions'> {
  /** The screening that a reference belongs to. */
  readonly references: { subjectOf(accountId: string, name: string, nowMs: number): Promise<string | undefined> };
  readonly links: { usersOf(accountId: string, entity: string, limit: number): Promise<readonly EntityLink[]> };
}

export interface SoughtDecisions {
  /** The merchant's or the processor's name for it. */
  readonly reference?: string | undefined;
  /** A device, an IP address or the value of a tracked attribute. */
  readonly seen_with?: string | undefined;
  readonly limit: number;
}

/** Anything that more users share belongs to a crowd, and leads nowhere. */
const MOST_USERS = 20;
const DAY_MS = 86_400_000;

/** Decisions by a reference, or by something that was sent with them, newest first. They are one page. */
export async function findDecisions(
  deps: FindDecisionsDeps,
  caller: Caller,
  { reference, seen_with = '', limit }: SoughtDecisions,
): Promise<DecisionPage> {
  const nowMs = deps.clock.now();
  const found =
    reference === undefined
      ? await seenWith(deps, caller, seen_with, limit)
      : await ofReference(deps, caller, reference);
  const decisions = found
    .filter((record) => isRetained(record, nowMs))
    .sort((a, b) => (a.ulid < b.ulid ? 1 : -1))
    .slice(0, limit);
  const mayHaveOutcomes = decisions.filter(({ kept_until_ms }) => kept_until_ms !== undefined);
  return {
    decisions,
    kept: await deps.decisions.keptOf(
      caller.account_id,
      mayHaveOutcomes.map(({ ulid }) => ulid),
    ),
    nextCursor: null,
    isListing: caller.settings.keep_history !== false,
  };
}

async function ofReference(deps: FindDecisionsDeps, { account_id }: Caller, reference: string) {
  const [name = ''] = referenceNames(await deps.pseudonyms(), account_id, [reference]);
  const ulid = await deps.references.subjectOf(account_id, name, deps.clock.now());
  return ulid === undefined ? [] : deps.decisions.findAll(account_id, [ulid]);
}

/** Screenings that were sent a value: those of the users who were seen with it, as far as they have it. */
async function seenWith(
  deps: FindDecisionsDeps,
  { account_id, settings }: Caller,
  value: string,
  limit: number,
): Promise<ScreeningRecord[]> {
  const names = entityNames(account_id, await deps.pseudonyms());
  const address = ipPrefix(value);
  const keys = [
    names.device(value),
    address === undefined ? undefined : names.exact('ip', address),
    ...settings.tracked_attributes.map((key) => names.attribute(key, value)),
  ].flatMap((ref) => ref?.key ?? []);
  const linked = await Promise.all(keys.map((key) => deps.links.usersOf(account_id, key, MOST_USERS)));
  const users = [...new Set(linked.flat().map(({ user }) => user))].slice(0, MOST_USERS);
  const span = { from: lowestUlid(0), before: lowestUlid(deps.clock.now() + DAY_MS) };
  const slices = await Promise.all(users.map((user) => deps.decisions.ofUser(account_id, user, span, { limit })));
  const records = await deps.decisions.findAll(
    account_id,
    slices.flatMap(({ ulids }) => ulids),
  );
  return records.filter(({ entities }) => entities.some((key) => keys.includes(key)));
}
