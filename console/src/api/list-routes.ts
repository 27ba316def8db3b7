import { call } from './client';
import type { AddedEntries, EntryPage, List, Lists } from './types';

/* The calls of the page with lists. */

const part = encodeURIComponent;

export interface EntryQuery {
  readonly cursor?: string | undefined;
  /** Only the entry that stands for this value. */
  readonly value?: string | undefined;
}

export interface TypedEntry {
  readonly value: string;
  readonly expires_at?: string;
  readonly reason?: string;
}

export const getLists = (signal?: AbortSignal): Promise<Lists> => call('GET', '/v1/lists', { signal });

export const putList = (name: string, list: Pick<List, 'type' | 'effect' | 'note'>): Promise<List> =>
  call('PUT', `/v1/lists/${part(name)}`, { body: list });

export const getEntries = (name: string, query: EntryQuery, signal?: AbortSignal): Promise<EntryPage> =>
  call('GET', `/v1/lists/${part(name)}/entries`, { query: { limit: 50, ...query }, signal });

export const addEntries = (name: string, entries: readonly TypedEntry[]): Promise<AddedEntries> =>
  call('POST', `/v1/lists/${part(name)}/entries`, { body: { entries } });

export const removeEntry = (name: string, value: string): Promise<void> =>
  call('DELETE', `/v1/lists/${part(name)}/entries/${part(value)}`);
