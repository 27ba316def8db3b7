import { signal } from '@preact/signals';
import { failureOf } from '../api/client';
import { claimCase, listCases } from '../api/routes';
import type { CaseList, CaseStatus, ReviewCase } from '../api/types';
import { plural } from '../text/words';
import { loader } from './loadable';
import { announce } from './page';
import { goTo, type QueueFilter } from './route';
import { session } from './session';

export const PAGE_SIZE = 20;

/** A case in the list; `left` when it no longer belongs there but stays put until the analyst moves on. */
export type Row = ReviewCase & { readonly left?: boolean };

export interface QueueView {
  readonly filter: QueueFilter;
  readonly rows: readonly Row[];
  /** How many of the rows the first request brought, which is the one that a refresh repeats. */
  readonly first: number;
  readonly total: number;
  /** Of a search: where the rest begins, if there is more. */
  readonly next: string | undefined;
  /** Of a search that stopped before the end: how far back it has come. */
  readonly searchedTo: string | undefined;
  readonly arrived: number;
}

export type Counts = Readonly<Record<CaseStatus, number>>;

const queue = loader<QueueView>();
export const queueView = queue.state;
export const counts = signal<Counts | undefined>(undefined);
/** The last background refresh failed: the list on the screen is out of date. */
export const isStale = signal(false);

// A list is read as of one moment, so that its pages do not shift while cases arrive. The moment is the newest case's,
// not this machine's clock, which may be wrong.
let anchor: { readonly of: string; readonly endDate: string } | undefined;

const dayStart = (day: string, plusDays = 0): string | undefined => {
  if (!day) return undefined;
  // An instant already, as the overview's links have them.
  if (day.includes('T')) return day;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + plusDays);
  return date.toISOString();
};

/** The dates of a filter as the API takes them: the analyst's own days, the last one included. */
export const datesOf = ({ from, to }: QueueFilter) => ({ start_date: dayStart(from), end_date: dayStart(to, 1) });

const statusOf = ({ status }: QueueFilter): CaseStatus | undefined => (status === 'all' ? undefined : status);
const listOf = ({ page: _any, ...rest }: QueueFilter): string => JSON.stringify(rest);

/** A search has no count and no numbered pages: it is read on from where it ended. */
const SEARCH_PAGE_SIZE = 50;
export const isSearch = ({ user, by, assignee, sort, signal, score, amount, kind, prefix }: QueueFilter): boolean =>
  [user, by, assignee, signal, score, amount, kind, prefix].some((text) => text !== '') || sort !== 'newest';

const searchOf = (filter: QueueFilter) => ({
  user_id: filter.user || undefined,
  user_prefix: filter.prefix || undefined,
  resolved_by: filter.by || undefined,
  assignee: filter.assignee || undefined,
  signal: filter.signal || undefined,
  min_score: filter.score || undefined,
  min_amount: filter.amount || undefined,
  subject_type: filter.kind || undefined,
  sort: filter.sort,
});

async function readPage(filter: QueueFilter, endDate: string | undefined, signal?: AbortSignal, cursor?: string) {
  const dates = datesOf(filter);
  return listCases(
    {
      status: statusOf(filter),
      ...(isSearch(filter)
        ? { ...searchOf(filter), limit: SEARCH_PAGE_SIZE, cursor }
        : { limit: PAGE_SIZE, offset: (filter.page - 1) * PAGE_SIZE }),
      start_date: dates.start_date,
      end_date: endDate ?? dates.end_date,
    },
    signal,
  );
}

const endOf = ({ next_cursor, searched_to }: CaseList) => ({
  next: next_cursor ?? undefined,
  searchedTo: searched_to ?? undefined,
});

/** A search continues by itself this far while it finds nothing, as the cases of a person may be anywhere in a long queue. */
const READ_ALONE = 10;

function foundNothing(filter: QueueFilter): boolean {
  const { data, failure, isLoading } = queueView.value;
  return !failure && !isLoading && data?.filter === filter && data.rows.length === 0 && data.next !== undefined;
}

export async function openQueue(filter: QueueFilter, fresh = false): Promise<void> {
  const of = listOf(filter);
  if (fresh || anchor?.of !== of) anchor = undefined;
  const counting = countCases(filter);
  const shown = queueView.value.data;
  // Under the name of one user, the rows of all would be wrong however briefly.
  const mayStay = shown !== undefined && (!isSearch(filter) || listOf(shown.filter) === of);
  await queue.load(async (signal) => {
    const page = await readPage(filter, anchor?.endDate, signal);
    const newest = page.cases[0];
    if (!anchor && newest && filter.page === 1 && filter.sort === 'newest') {
      anchor = { of, endDate: new Date(Date.parse(newest.created_at) + 1).toISOString() };
    }
    const { length: first } = page.cases;
    return { filter, rows: page.cases, first, total: page.total ?? first, ...endOf(page), arrived: 0 };
  }, mayStay);
  isStale.value = false;
  for (let read = 1; read < READ_ALONE && foundNothing(filter); read++) await moreCases();
  await counting;
}

/** Reads on, below what is there. */
export async function moreCases(): Promise<void> {
  const shown = queueView.value.data;
  if (!shown?.next) return;
  const { filter, next } = shown;
  await queue.load(async (signal) => {
    const page = await readPage(filter, anchor?.endDate, signal, next);
    const rows = [...shown.rows, ...page.cases];
    return { ...shown, rows, total: rows.length, ...endOf(page) };
  }, true);
}

/** Refreshes the list in place: nothing moves, cases that left are marked, new ones are counted. */
export async function refreshQueue(filter: QueueFilter): Promise<void> {
  const shown = queueView.value.data;
  if (!shown || queueView.value.isLoading) return;
  if (shown.rows.length === 0 && !isSearch(filter)) return openQueue(filter, true);
  const endDate = anchor?.endDate;
  try {
    const [page, later] = await Promise.all([
      readPage(filter, endDate),
      endDate && !isSearch(filter)
        ? listCases({ status: statusOf(filter), limit: 1, ...datesOf(filter), start_date: endDate })
        : undefined,
    ]);
    if (queueView.value.data !== shown) return;
    isStale.value = false;
    // Where nothing was found, there is something now.
    if (shown.rows.length === 0) return page.cases.length > 0 ? await openQueue(filter, true) : undefined;
    const current = new Map(page.cases.map((each) => [each.case_id, each]));
    const rows = shown.rows.map(
      (row, at): Row => current.get(row.case_id) ?? (at < shown.first ? { ...row, left: true } : row),
    );
    // Every row has left, so nothing needs to stay in place: show the rest.
    if (rows.every(({ left }) => left)) return await showRest(filter);
    queueView.value = {
      data: { ...shown, rows, total: page.total ?? rows.length, arrived: later?.total ?? 0 },
      isLoading: false,
    };
  } catch (error) {
    isStale.value = failureOf(error).kind !== 'offline';
  }
}

async function showRest(filter: QueueFilter): Promise<void> {
  const first = { ...filter, page: 1 };
  if (filter.page > 1) goTo({ page: 'queue', filter: first }, true);
  await openQueue(first, true);
  const left = queueView.value.data?.total ?? 0;
  announce(left === 0 ? 'The list is empty.' : `${plural(left, 'case')} left in the list.`);
}

export async function countCases(filter: QueueFilter): Promise<void> {
  const dates = datesOf(filter);
  const asker = session.value;
  const total = async (status: CaseStatus) => (await listCases({ status, limit: 1, ...dates })).total ?? 0;
  try {
    const [open, approved, rejected, expired] = await Promise.all([
      total('open'),
      total('approved'),
      total('rejected'),
      total('expired'),
    ]);
    if (session.value === asker) counts.value = { open, approved, rejected, expired };
  } catch {
    // The list itself shows what went wrong; the tabs work without counts.
    counts.value = undefined;
  }
}

export function closeQueue(): void {
  queue.reset();
  anchor = undefined;
  counts.value = undefined;
}

export const selection = signal<ReadonlySet<string>>(new Set());

/** Picks all of these, or none of them if all are picked already. */
export function toggle(caseIds: readonly string[]): void {
  const isPicked = caseIds.every((id) => selection.value.has(id));
  const rest = [...selection.value].filter((id) => !caseIds.includes(id));
  selection.value = new Set(isPicked ? rest : [...rest, ...caseIds]);
}

export const pick = (caseIds: readonly string[]): void => {
  selection.value = new Set(caseIds);
};

/** Gives cases to somebody until they expire; returns how many could not be given. */
export async function assign(cases: readonly Row[], to: string): Promise<number> {
  const analystId = session.value?.analystId ?? '';
  const given = await Promise.allSettled(cases.map(({ case_id }) => claimCase(case_id, analystId, to)));
  const failed = given.filter(({ status }) => status === 'rejected').length;
  announce(`${plural(cases.length - failed, 'case')} assigned to ${to}.`);
  const shown = queueView.value.data;
  if (shown) await refreshQueue(shown.filter);
  return failed;
}

const VIEWS = 'console-views';

/** Filters under names of the analyst's own; kept by this browser. A filter is an address, which holds no secret. */
export const savedViews = signal<Readonly<Record<string, string>>>(readViews());

function readViews(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(VIEWS) ?? '{}') as Readonly<Record<string, string>>;
  } catch {
    return {};
  }
}

/** Saves a view, or forgets it if there is no address. */
export function saveView(name: string, address: string | undefined): void {
  const { [name]: _before, ...others } = savedViews.value;
  savedViews.value = address === undefined ? others : { ...others, [name]: address };
  try {
    localStorage.setItem(VIEWS, JSON.stringify(savedViews.value));
  } catch {
    // They last as long as the page.
  }
}

const ring = loader<readonly Row[]>();
/** Open cases of users who belong together. */
export const ringView = ring.state;

/** Reads them, and picks all of them unless they are read again. */
export const openRing = (users: readonly string[], isAgain = false): Promise<void> =>
  ring.load(async (signal) => {
    const pages = await Promise.all(users.map((user_id) => listCases({ status: 'open', user_id, limit: 100 }, signal)));
    const cases = pages.flatMap((page) => page.cases).slice(0, RING_CASES);
    if (!isAgain) pick(cases.map(({ case_id }) => case_id));
    return cases;
  }, isAgain);

/** As many as can be decided in one request. */
const RING_CASES = 100;

export const closeRing = (): void => ring.reset();
