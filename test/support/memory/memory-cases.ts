import type { CaseSlice } from '../../../shared/domain/cases/case-search';
import {
  type CaseClass,
  type CaseSelection,
  classOf,
  DAY_MS,
  dayStart,
  HOUR_MS,
  hourStart,
  MINUTE_MS,
} from '../../../shared/domain/cases/case-tally';
import { CASE_LIFE_MS, type ReviewCase } from '../../../shared/domain/cases/review-case';
import { ulidTimeMs } from '../../../shared/domain/ulid';
import type { ListCasesDeps } from '../../../shared/usecases/cases/list-cases';
import type { MeasureCasesDeps } from '../../../shared/usecases/cases/measure-cases';
import type { SearchCasesDeps } from '../../../shared/usecases/cases/search-cases';
import type { SweepCasesDeps } from '../../../shared/usecases/cases/sweep-cases';

/** Cases as they are read, listed, swept and measured. */
export type CasesPort = ListCasesDeps['cases'] &
  SearchCasesDeps['cases'] &
  SweepCasesDeps['cases'] &
  MeasureCasesDeps['cases'] & {
    readonly shards: readonly number[];
    find(accountId: string, ulid: string): Promise<ReviewCase | undefined>;
  };

const SHARDS = [0, 1, 2, 3];
const shardOf = (ulid: string): number => ulid.charCodeAt(ulid.length - 1) % SHARDS.length;
const dueAtOf = ({ created_at_ms }: ReviewCase): string => new Date(created_at_ms + CASE_LIFE_MS).toISOString();
const byKey = <Item>(keyOf: (item: Item) => string) => {
  return (a: Item, b: Item): number => (keyOf(a) < keyOf(b) ? -1 : 1);
};

interface Held {
  readonly accountId: string;
  readonly stored: ReviewCase;
  /** As lists show it: the sweep makes an expiry durable without touching the lists. */
  readonly listed: ReviewCase;
}

/** Cases in memory, with how they are opened and resolved: parts of larger steps, which check before they write. */
export function memoryCases() {
  const cases = new Map<string, Held>();
  const keyOf = (accountId: string, ulid: string): string => `${accountId}/${ulid}`;
  const put = (accountId: string, reviewCase: ReviewCase): void => {
    cases.set(keyOf(accountId, reviewCase.ulid), { accountId, stored: reviewCase, listed: reviewCase });
  };
  const listedOf = (accountId: string): ReviewCase[] =>
    [...cases.values()].filter((held) => held.accountId === accountId).map(({ listed }) => listed);

  /** Those of one day, as a list reads a day at a time. */
  const selected = (accountId: string, { fromMs, toMs, classes }: CaseSelection): ReviewCase[] =>
    listedOf(accountId).filter(
      ({ ulid, status, created_at_ms }) =>
        ulidTimeMs(ulid) >= fromMs &&
        ulidTimeMs(ulid) < toMs &&
        dayStart(created_at_ms) === dayStart(toMs - 1) &&
        classes.includes(classOf(status)),
    );

  function tally(accountId: string, fromMs: number, toMs: number, stepMs: number) {
    const counts = new Map<number, Record<CaseClass, number>>();
    for (const { ulid, status } of listedOf(accountId)) {
      const createdMs = ulidTimeMs(ulid);
      if (createdMs < fromMs || createdMs >= toMs) continue;
      const at = createdMs - (createdMs % stepMs);
      const part = counts.get(at) ?? { unresolved: 0, approved: 0, rejected: 0 };
      part[classOf(status)] += 1;
      counts.set(at, part);
    }
    return counts;
  }

  const waitingOf = (shard: number): Held[] =>
    [...cases.values()]
      .filter(({ stored }) => stored.status === 'open' && shardOf(stored.ulid) === shard)
      .sort(byKey(({ stored }) => dueAtOf(stored)));

  return {
    put,
    ofAccount: listedOf,
    /** Erases one, from lists and tallies too. */
    remove: (accountId: string, ulid: string): void => void cases.delete(keyOf(accountId, ulid)),
    /** Whether it is open and has not changed since it was read. */
    isOpen(accountId: string, { ulid, revision }: ReviewCase, nowMs: number): boolean {
      const stored = cases.get(keyOf(accountId, ulid))?.stored;
      const isSame = (stored?.revision ?? 0) === (revision ?? 0);
      return isSame && stored?.status === 'open' && stored.created_at_ms > nowMs - CASE_LIFE_MS;
    },
    isAsRead(accountId: string, { ulid, revision, status }: ReviewCase): boolean {
      const stored = cases.get(keyOf(accountId, ulid))?.stored;
      return stored?.status === status && (stored.revision ?? 0) === (revision ?? 0);
    },

    shards: SHARDS,
    find: async (accountId: string, ulid: string) => cases.get(keyOf(accountId, ulid))?.stored,
    hours: async (accountId: string, fromMs: number, toMs: number) =>
      tally(accountId, dayStart(fromMs), dayStart(toMs) + DAY_MS, HOUR_MS),
    minutes: async (accountId: string, hourMs: number) =>
      tally(accountId, hourStart(hourMs), hourStart(hourMs) + HOUR_MS, MINUTE_MS),
    newest: async (accountId: string, selection: CaseSelection, limit: number) =>
      selected(accountId, selection)
        .sort(byKey(({ ulid }) => ulid))
        .reverse()
        .slice(0, limit),
    ofDay: async (accountId: string, selection: CaseSelection, { beyond, limit, isOldestFirst }: CaseSlice) => {
      const order = isOldestFirst ? 1 : -1;
      const isBeyond = ({ ulid }: ReviewCase): boolean =>
        beyond === undefined || (isOldestFirst ? ulid > beyond : ulid < beyond);
      return selected(accountId, selection)
        .filter(isBeyond)
        .sort((a, b) => (a.ulid < b.ulid ? -order : order))
        .slice(0, limit);
    },
    findAll: async (accountId: string, ulids: readonly string[]) =>
      ulids.flatMap((ulid) => cases.get(keyOf(accountId, ulid))?.stored ?? []),
    count: async (accountId: string, selection: CaseSelection) => selected(accountId, selection).length,

    async due(shard: number, nowMs: number, limit: number) {
      const now = new Date(nowMs).toISOString();
      return waitingOf(shard)
        .filter(({ stored }) => dueAtOf(stored) <= now)
        .slice(0, limit)
        .map(({ accountId, stored }) => ({ pk: accountId, sk: stored.ulid, dueAt: dueAtOf(stored) }));
    },
    async waiting(shard: number, nowMs: number) {
      const now = new Date(nowMs).toISOString();
      const waiting = waitingOf(shard).filter(({ stored }) => dueAtOf(stored) > now);
      return { count: waiting.length, firstDueAt: waiting[0] && dueAtOf(waiting[0].stored) };
    },
    async expire({ pk, sk }: { readonly pk: string; readonly sk: string }, nowMs: number) {
      const held = cases.get(keyOf(pk, sk));
      if (held?.stored.status !== 'open' || held.stored.created_at_ms > nowMs - CASE_LIFE_MS) return false;
      cases.set(keyOf(pk, sk), { ...held, stored: { ...held.stored, status: 'expired' } });
      return true;
    },
  } satisfies CasesPort & Record<string, unknown>;
}

export type MemoryCases = ReturnType<typeof memoryCases>;
