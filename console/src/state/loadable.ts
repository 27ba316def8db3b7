import { type Signal, signal } from '@preact/signals';
import { type Failure, failureOf } from '../api/failure';

/** A fetched value: the data, whether it is loading, and why it failed. */
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

/** Holds one fetched thing. */
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
