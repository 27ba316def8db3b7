import { type DecisionQuery, listDecisions } from '../api/routes';
import type { DecisionPage } from '../api/types';
import { loader } from './loadable';

/** A list of decisions, as far as it was fetched, and what it lists. */
export interface DecisionsView extends DecisionPage {
  readonly query: DecisionQuery;
}

const current = loader<DecisionsView>();
export const decisionsView = current.state;

const isSame = (a: DecisionQuery, b: DecisionQuery): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The decisions on the screen, if they are those that are asked for. */
export const shownDecisions = (query: DecisionQuery): DecisionsView | undefined => {
  const { data } = decisionsView.value;
  return data && isSame(data.query, query) ? data : undefined;
};

export const openDecisions = (query: DecisionQuery): Promise<void> =>
  current.load(async (abort) => ({ query, ...(await listDecisions(query, abort)) }));

/** Fetches the next page, below what is there. */
export async function moreDecisions(): Promise<void> {
  const shown = current.state.value.data;
  if (!shown?.next_cursor) return;
  const { query, next_cursor: cursor } = shown;
  await current.load(async (abort) => {
    const next = await listDecisions({ ...query, cursor }, abort);
    return { query, ...next, decisions: [...shown.decisions, ...next.decisions] };
  }, true);
}

export const closeDecisions = (): void => current.reset();
