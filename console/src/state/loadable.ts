import { type Signal, signal } from '@preact/signals';
import { type Failure, failureOf } from '../api/client';
import {
  type DecisionQuery,
  getDecision,
  getEvidence,
  getKeys,
  getLinks,
  getOverview,
  listDecisions,
} from '../api/routes';
import type { ApiKey, Decision, DecisionPage, Evidence, LinkGraph, Overview } from '../api/types';
import { visible } from '../text/words';
import type { Range } from './route';

export interface Loadable<T> {
  readonly data?: T | undefined;
  readonly failure?: Failure | undefined;
  readonly isLoading: boolean;
}

export interface Loader<T> {
  readonly state: Signal<Loadable<T>>;
  /** Fetches. Of several at once only the last one counts; `keep` leaves the old data up until the new is there. */
  load(fetch: (signal: AbortSignal) => Promise<T>, keep?: boolean): Promise<void>;
  reset(): void;
}

export function loader<T>(): Loader<T> {
  const state = signal<Loadable<T>>({ isLoading: false });
  let current: AbortController | undefined;
  return {
    state,
    load: async (fetch, keep = false) => {
      current?.abort();
      const mine = new AbortController();
      current = mine;
      state.value = { ...(keep ? { data: state.value.data } : {}), isLoading: true };
      try {
        const data = await fetch(mine.signal);
        if (current === mine) state.value = { data, isLoading: false };
      } catch (error) {
        if (current !== mine || mine.signal.aborted) return;
        state.value = { data: state.value.data, failure: failureOf(error), isLoading: false };
      }
    },
    reset: () => {
      current?.abort();
      current = undefined;
      state.value = { isLoading: false };
    },
  };
}

const keys = loader<readonly ApiKey[]>();

export const keysView = keys.state;

export const openKeys = (): Promise<void> => keys.load(getKeys, true);
export const closeKeys = (): void => keys.reset();

/** Who did something: a person, else the label of the key; those who see no keys need no ID of one. */
export const personOf = (actor: string): string =>
  keys.state.value.data?.find(({ key_id }) => key_id === actor)?.name ??
  (actor.startsWith('key_') ? 'a shared key' : visible(actor));

interface UserLinks {
  readonly userId: string;
  readonly graph: LinkGraph;
}

const links = loader<UserLinks>();
export const linksView = links.state;

export const openLinks = (userId: string): Promise<void> =>
  links.load(
    async (abort) => ({ userId, graph: await getLinks(userId, abort) }),
    linksView.value.data?.userId === userId,
  );

export const closeUser = (): void => links.reset();

const HOUR_MS = 3_600_000;
const RANGE_MS: Readonly<Record<Range, number>> = {
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
  '90d': 90 * 24 * HOUR_MS,
};

export interface RangeOverview {
  readonly range: Range;
  readonly overview: Overview;
}

const currentOverview = loader<RangeOverview>();
export const overviewView = currentOverview.state;

/** Fetches the overview of a range that ends now; the previous one stays visible until it arrives. */
export const openOverview = (range: Range): Promise<void> =>
  currentOverview.load(async (abort) => {
    const since = new Date(Date.now() - RANGE_MS[range]).toISOString();
    return { range, overview: await getOverview(since, abort) };
  }, true);

export const closeOverview = (): void => currentOverview.reset();

export interface DecisionsView extends DecisionPage {
  readonly query: DecisionQuery;
}

const currentDecisions = loader<DecisionsView>();
export const decisionsView = currentDecisions.state;

const isSame = (a: DecisionQuery, b: DecisionQuery): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The decisions on the screen, if they belong to this query. */
export const shownDecisions = (query: DecisionQuery): DecisionsView | undefined => {
  const { data } = decisionsView.value;
  return data && isSame(data.query, query) ? data : undefined;
};

export const openDecisions = (query: DecisionQuery): Promise<void> =>
  currentDecisions.load(async (abort) => ({ query, ...(await listDecisions(query, abort)) }));

export async function moreDecisions(): Promise<void> {
  const shown = currentDecisions.state.value.data;
  if (!shown?.next_cursor) return;
  const { query, next_cursor: cursor } = shown;
  await currentDecisions.load(async (abort) => {
    const next = await listDecisions({ ...query, cursor }, abort);
    return { query, ...next, decisions: [...shown.decisions, ...next.decisions] };
  }, true);
}

export const closeDecisions = (): void => currentDecisions.reset();

const currentDecision = loader<Decision>();
export const decisionView = currentDecision.state;

export const openDecision = (id: string): Promise<void> =>
  currentDecision.load((abort) => getDecision(id, abort), decisionView.value.data?.decision_id === id);

const sent = loader<Evidence>();
export const evidenceView = sent.state;

export const openEvidence = (id: string, analystId: string): Promise<void> =>
  sent.load((abort) => getEvidence(id, analystId, abort));

export function closeDecision(): void {
  currentDecision.reset();
  sent.reset();
}
