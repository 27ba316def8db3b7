import { actorOf, type Caller, DEFAULT_LABEL_WINDOW_DAYS, labelEndMs } from '../../domain/accounts/account';
import { entityNames, pseudonymOf } from '../../domain/entities/entity-ref';
import { ENTITY_LIFE_MS } from '../../domain/entities/kind-spec';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { DomainError, notFound } from '../../domain/errors';
import { type Erasure, MAX_ERASURES_PER_DAY } from '../../domain/personal-data/erasure';
import { lowestUlid } from '../../domain/ulid';
import { type ErasedMark, erasedMarks } from '../../domain/warehouse/erased-people';
import type { ExportUserDeps } from './export-user';

/** Dependencies of asking for an erasure. */
export interface RequestErasureDeps {
  readonly clock: { now(): number };
  readonly newUlid: (nowMs: number) => string;
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly decisions: Pick<ExportUserDeps['decisions'], 'ofUser'>;
  readonly links: Pick<ExportUserDeps['links'], 'profiles'>;
  readonly naming: ExportUserDeps['naming'];
  readonly erasures: {
    /** Counts an erasure that an account asks for on a day; false if there were that many already. */
    count(accountId: string, nowMs: number, most: number): Promise<boolean>;
    insert(erasure: Erasure, user: string): Promise<void>;
  };
  readonly traces: {
    /** Erases the profile; what is evidence of fraud stays until the given time, if there is one. */
    eraseProfile(accountId: string, user: string, nowMs: number, untilMs: number | undefined): Promise<void>;
  };
  /** Hides somebody from the views of the warehouse; its files follow. @default there is none */
  readonly warehouse?: { hide(erasureId: string, marks: readonly ErasedMark[]): Promise<void> } | undefined;
}

const DAY_MS = 86_400_000;

/** Pseudonyms by a stage's first identity key begin like this; later keys may not have renamed everything yet. */
const FIRST_KEY = /^1\./;

/**
 * Whether there may be anything to erase. Every screening leaves a profile, which outlives it, and is in the history: who
 * has neither, nor an entry on a list, is not known. Without history, or where labels outlive profiles, nobody can tell.
 */
async function mayBeKnown(deps: RequestErasureDeps, { account_id, settings }: Caller, key: string): Promise<boolean> {
  const nowMs = deps.clock.now();
  const user = pseudonymOf({ key });
  const { keep_history, label_window_days = DEFAULT_LABEL_WINDOW_DAYS } = settings;
  const canTell = keep_history !== false && label_window_days * DAY_MS <= ENTITY_LIFE_MS && FIRST_KEY.test(user);
  if (!canTell) return true;
  if ((await deps.links.profiles(account_id, [key], nowMs)).size > 0) return true;
  const always = { from: lowestUlid(0), before: lowestUlid(nowMs + DAY_MS) };
  if ((await deps.decisions.ofUser(account_id, user, always, { limit: 1 })).ulids.length > 0) return true;
  return (await deps.naming.entries(account_id, [key])).length > 0;
}

function tooMany(nowMs: number): DomainError {
  const retryAfterSeconds = Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000);
  const message = `An account may erase ${MAX_ERASURES_PER_DAY.toLocaleString('en-US')} users per day (UTC). Erase the others tomorrow.`;
  return new DomainError('rate_limited', message, [], { retryAfterSeconds });
}

/**
 * Asks for everything about a user to be erased. The profile goes at once, the rest within 24 hours. It is not an error if
 * nothing is known of the user: the answer tells nothing about them, and the erasure is done. Unless `everything` goes,
 * evidence of fraud stays by pseudonym for as long as labels do: a right to be forgotten is none to be trusted again.
 */
export async function requestErasure(
  deps: RequestErasureDeps,
  caller: Caller,
  userId: string,
  everything = false,
): Promise<Erasure> {
  const nowMs = deps.clock.now();
  const { account_id, settings } = caller;
  const untilMs = everything ? undefined : labelEndMs(settings, { screened_at_ms: nowMs });
  if (!(await deps.erasures.count(account_id, nowMs, MAX_ERASURES_PER_DAY))) throw tooMany(nowMs);
  const pseudonyms = await deps.pseudonyms();
  const { key } = entityNames(account_id, pseudonyms).user(userId);
  const isKnown = await mayBeKnown(deps, caller, key);
  const requested_at = new Date(nowMs).toISOString();
  const erasure: Erasure = {
    erasure_id: `era_${deps.newUlid(nowMs)}`,
    account_id,
    status: isKnown ? 'pending' : 'completed',
    requested_at,
    requested_by: actorOf(caller),
    completed_at: isKnown ? null : requested_at,
    evidence_until: untilMs === undefined ? null : new Date(untilMs).toISOString(),
    looked_at: 0,
    erased: {},
  };
  // Known here or not: the warehouse remembers for longer. Before the erasure is recorded, so that none is without it.
  await deps.warehouse?.hide(erasure.erasure_id, erasedMarks(account_id, userId, pseudonyms, nowMs));
  // Recorded first: whatever happens next, the worker erases the profile too.
  await deps.erasures.insert(erasure, key);
  if (isKnown) await deps.traces.eraseProfile(account_id, key, nowMs, untilMs);
  return erasure;
}

/** Dependencies of reading an erasure. */
export interface GetErasureDeps {
  readonly erasures: { find(accountId: string, erasureId: string): Promise<Erasure | undefined> };
}

/** How far an erasure has come. */
export async function getErasure({ erasures }: GetErasureDeps, caller: Caller, id: string): Promise<Erasure> {
  const erasure = await erasures.find(caller.account_id, id);
  if (!erasure) throw notFound('erasure');
  return erasure;
}
