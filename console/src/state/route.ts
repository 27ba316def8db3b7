import { signal } from '@preact/signals';
import type { CaseStatus } from '../api/types';

/** Which cases the queue shows; part of the address, so that a reload and the back button keep it. */
export interface QueueFilter {
  readonly status: CaseStatus | 'all';
  /** Days as `YYYY-MM-DD`, both included, or instants, the last one excluded; empty means open-ended. */
  readonly from: string;
  readonly to: string;
  /** Cases of this user only; empty means of all. */
  readonly user: string;
  /** Cases that this person resolved; empty means by anybody. */
  readonly by: string;
  /** Cases that this person works on or was given; empty means anybody. */
  readonly assignee: string;
  readonly sort: CaseSort;
  readonly signal: string;
  readonly score: string;
  /** In US dollars. */
  readonly amount: string;
  readonly kind: string;
  /** How the user's ID begins. */
  readonly prefix: string;
  readonly page: number;
}

export const CASE_SORTS = ['newest', 'score', 'amount', 'expires'] as const;
export type CaseSort = (typeof CASE_SORTS)[number];

/** Texts of a filter, by their names in the address. */
const TEXTS = ['user', 'by', 'assignee', 'signal', 'score', 'amount', 'kind', 'prefix'] as const;

export const RANGES = ['24h', '7d', '30d', '90d'] as const;
export type Range = (typeof RANGES)[number];

export const DECISION_KINDS = ['block', 'challenge', 'review', 'missed_fraud'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

export type Route =
  | { readonly page: 'queue'; readonly filter: QueueFilter }
  | { readonly page: 'case'; readonly caseId: string }
  | { readonly page: 'user'; readonly userId: string }
  | { readonly page: 'decision'; readonly decisionId: string }
  /** The text of a search box, and the kind of thing it is taken for. */
  | { readonly page: 'find'; readonly text: string; readonly by: string }
  | {
      readonly page: 'decisions';
      readonly kind: DecisionKind;
      /** Instants; empty means open-ended. */
      readonly from: string;
      readonly to: string;
    }
  | { readonly page: 'overview'; readonly range: Range }
  | { readonly page: 'keys' }
  | { readonly page: 'lists'; readonly list?: string | undefined }
  /** `rule` is one of them; a new one has no name yet. */
  | { readonly page: 'rules'; readonly rule?: string | undefined; readonly isNew?: boolean | undefined }
  /** One of a kind; a new one has no name yet. */
  | {
      readonly page: 'declarations';
      readonly kind?: DeclarationKind | undefined;
      readonly name?: string | undefined;
      readonly isNew?: boolean | undefined;
    };

export const DECLARATION_KINDS = ['attributes', 'event_types', 'counters'] as const;
export type DeclarationKind = (typeof DECLARATION_KINDS)[number];

export const FIRST_FILTER: QueueFilter = {
  ...({ status: 'open', from: '', to: '', user: '', by: '', assignee: '', sort: 'newest' } as const),
  ...{ signal: '', score: '', amount: '', kind: '', prefix: '', page: 1 },
};

const STATUSES: readonly QueueFilter['status'][] = ['open', 'approved', 'rejected', 'expired', 'all'];
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const instant = (text: string | null): string => (text && TIME.test(text) ? text : '');
const day = (text: string | null): string => (text && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : instant(text));

/** The ID at the end of a path; undefined for one that cannot be read. */
function idIn(path: string, begin: string): string | undefined {
  if (!path.startsWith(begin)) return undefined;
  try {
    return decodeURIComponent(path.slice(begin.length)).slice(0, 128) || undefined;
  } catch {
    return undefined;
  }
}

/** Reads an address; anything unrecognised opens the default queue. */
export function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const query = new URLSearchParams(search);
  const [, caseId] = /^cases\/(case_[0-9A-Z]{26})$/.exec(path) ?? [];
  if (caseId) return { page: 'case', caseId };
  const [, decisionId] = /^decisions\/(dec_[0-9A-Z]{26})$/.exec(path) ?? [];
  if (decisionId) return { page: 'decision', decisionId };
  if (path === 'find') return { page: 'find', text: (query.get('q') ?? '').slice(0, 256), by: query.get('by') ?? '' };
  const userId = idIn(path, 'users/');
  if (userId) return { page: 'user', userId };
  if (path === 'keys') return { page: 'keys' };
  if (path === 'decisions') {
    const kind = DECISION_KINDS.find((known) => known === query.get('kind')) ?? 'block';
    return { page: 'decisions', kind, from: instant(query.get('from')), to: instant(query.get('to')) };
  }
  if (path === 'overview')
    return { page: 'overview', range: RANGES.find((known) => known === query.get('range')) ?? '7d' };
  const [, list] = /^lists(?:\/([a-z][a-z0-9_-]{0,62}))?$/.exec(path) ?? [];
  if (list !== undefined || path === 'lists') return { page: 'lists', list };
  const [, rule] = /^rules(?:\/([a-z][a-z0-9_-]{0,62}))?$/.exec(path) ?? [];
  if (rule !== undefined || path === 'rules') return { page: 'rules', rule, isNew: query.has('new') };
  const [, kindIn] = /^definitions(?:\/(\w+)(?:\/|$)|$)/.exec(path) ?? [];
  const kind = DECLARATION_KINDS.find((known) => known === kindIn);
  if (kind !== undefined || path === 'definitions') {
    return { page: 'declarations', kind, name: idIn(path, `definitions/${kind}/`), isNew: query.has('new') };
  }
  const status = STATUSES.find((known) => known === query.get('status')) ?? FIRST_FILTER.status;
  const page = Math.max(1, Math.floor(Number(query.get('page')) || 1));
  const sort = CASE_SORTS.find((known) => known === query.get('sort')) ?? FIRST_FILTER.sort;
  const texts = Object.fromEntries(TEXTS.map((name) => [name, (query.get(name) ?? '').slice(0, 128)]));
  const dates = { from: day(query.get('from')), to: day(query.get('to')) };
  return { page: 'queue', filter: { ...FIRST_FILTER, status, ...dates, ...texts, sort, page } };
}

export function addressOf(route: Route): string {
  if (route.page === 'case') return `#/cases/${route.caseId}`;
  if (route.page === 'overview') return route.range === '7d' ? '#/overview' : `#/overview?range=${route.range}`;
  if (route.page === 'lists') return route.list === undefined ? '#/lists' : `#/lists/${route.list}`;
  if (route.page === 'keys') return '#/keys';
  if (route.page === 'decision') return `#/decisions/${route.decisionId}`;
  if (route.page === 'find') return `#/find?${new URLSearchParams({ q: route.text, by: route.by })}`;
  if (route.page === 'user') return `#/users/${encodeURIComponent(route.userId)}`;
  if (route.page === 'rules') return route.rule ? `#/rules/${route.rule}` : `#/rules${route.isNew ? '?new' : ''}`;
  if (route.page === 'declarations') {
    const { kind, name, isNew } = route;
    const parts = [kind, ...(name === undefined ? [] : [encodeURIComponent(name)])];
    return kind === undefined ? '#/definitions' : `#/definitions/${parts.join('/')}${isNew ? '?new' : ''}`;
  }
  const query = new URLSearchParams();
  if (route.page === 'decisions') {
    query.set('kind', route.kind);
    if (route.from) query.set('from', route.from);
    if (route.to) query.set('to', route.to);
    return `#/decisions?${query}`;
  }
  const { status, from, to, sort, page } = route.filter;
  if (status !== FIRST_FILTER.status) query.set('status', status);
  if (from) query.set('from', from);
  if (to) query.set('to', to);
  for (const name of TEXTS) if (route.filter[name]) query.set(name, route.filter[name]);
  if (sort !== FIRST_FILTER.sort) query.set('sort', sort);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? '#/queue' : `#/queue?${query}`;
}

export const caseAddress = (caseId: string): string => addressOf({ page: 'case', caseId });

export const decisionAddress = (decisionId: string): string => addressOf({ page: 'decision', decisionId });

export const userAddress = (userId: string): string => addressOf({ page: 'user', userId });

export const route = signal<Route>(routeOf(location.hash));
/** The last filter of the queue: where "back to the queue" leads. */
export const lastFilter = signal<QueueFilter>(route.value.page === 'queue' ? route.value.filter : FIRST_FILTER);

addEventListener('hashchange', () => {
  route.value = routeOf(location.hash);
  if (route.value.page === 'queue') lastFilter.value = route.value.filter;
});

/** Navigates, adding a step for the back button; `replace` adds none. */
export function goTo(to: Route, replace = false): void {
  const address = addressOf(to);
  if (address === location.hash) return;
  if (replace) location.replace(address);
  else location.hash = address;
}

export const goToQueue = (): void => goTo({ page: 'queue', filter: lastFilter.value });
