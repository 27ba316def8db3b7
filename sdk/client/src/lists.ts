import { type CallOptions, type PostOptions, pathOf, Resource } from './request';
import type * as api from './types';

export interface ListEntryQuery {
  /** Entries per page, 1 to 100. @default 20, and 100 when all are read */
  readonly limit?: number | undefined;
  /** Only the entry that stands for this value. */
  readonly value?: string | undefined;
}

export class Lists extends Resource {
  put(name: string, request: api.PutListRequest, options?: CallOptions): Promise<api.List> {
    return this.send({ method: 'PUT', path: pathOf('/v1/lists/{}', name), body: request, options });
  }

  list(options?: CallOptions): Promise<api.Lists> {
    return this.send({ method: 'GET', path: '/v1/lists', options });
  }

  get(name: string, options?: CallOptions): Promise<api.List> {
    return this.send({ method: 'GET', path: pathOf('/v1/lists/{}', name), options });
  }

  delete(name: string, options?: CallOptions): Promise<void> {
    return this.remove({ path: pathOf('/v1/lists/{}', name), options });
  }

  /**
   * Adds up to 1,000 entries, which may take seconds: give it a longer `attemptTimeoutMs`, or send fewer. Those that are rejected
   * do not affect the others.
   */
  addEntries(name: string, request: api.AddListEntriesRequest, options?: PostOptions): Promise<api.AddedListEntries> {
    return this.send({
      method: 'POST',
      path: pathOf('/v1/lists/{}/entries', name),
      body: request,
      options,
    });
  }

  entries(
    name: string,
    query: ListEntryQuery & { readonly cursor?: string | undefined } = {},
    options?: CallOptions,
  ): Promise<api.ListEntryPage> {
    return this.send({ method: 'GET', path: pathOf('/v1/lists/{}/entries', name), query, options });
  }

  async *allEntries(name: string, options?: CallOptions): AsyncGenerator<api.ListEntry, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.entries(name, { limit: 100, cursor }, options);
      yield* page.entries;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  deleteEntry(name: string, value: string, options?: CallOptions): Promise<void> {
    return this.remove({ path: pathOf('/v1/lists/{}/entries/{}', name, value), options });
  }
}
