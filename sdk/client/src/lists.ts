import { type CallOptions, FraudScreeningError, type PostOptions } from './options';
import { pathOf, type Transport } from './request';
import type {
  AddedListEntries,
  AddListEntriesRequest,
  Lists as All,
  List,
  ListEntry,
  ListEntryPage,
  PutListRequest,
} from './types';

export interface ListEntryQuery {
  /** Entries per page, 1 to 100. @default 20, and 100 when all are read */
  readonly limit?: number | undefined;
  /** Only the entry that stands for this value. */
  readonly value?: string | undefined;
}

/** An earlier try has deleted it and its answer was lost. */
const isGone = (error: unknown): boolean =>
  error instanceof FraudScreeningError && error.code === 'not_found' && error.attempts > 1;

export class Lists {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a list, or changes its effect and note. */
  put(name: string, request: PutListRequest, options?: CallOptions): Promise<List> {
    return this.#transport.send({ method: 'PUT', path: pathOf('/v1/lists/{}', name), body: request, options });
  }

  list(options?: CallOptions): Promise<All> {
    return this.#transport.send({ method: 'GET', path: '/v1/lists', options });
  }

  get(name: string, options?: CallOptions): Promise<List> {
    return this.#transport.send({ method: 'GET', path: pathOf('/v1/lists/{}', name), options });
  }

  delete(name: string, options?: CallOptions): Promise<void> {
    return this.#delete(pathOf('/v1/lists/{}', name), options);
  }

  /** Adds up to 1,000 entries. Those that are rejected do not affect the others. */
  addEntries(name: string, request: AddListEntriesRequest, options?: PostOptions): Promise<AddedListEntries> {
    return this.#transport.send({
      method: 'POST',
      path: pathOf('/v1/lists/{}/entries', name),
      body: request,
      options,
    });
  }

  /** One page of entries. */
  entries(
    name: string,
    query: ListEntryQuery & { readonly cursor?: string | undefined } = {},
    options?: CallOptions,
  ): Promise<ListEntryPage> {
    return this.#transport.send({ method: 'GET', path: pathOf('/v1/lists/{}/entries', name), query, options });
  }

  /** Every entry, page by page as you ask for them. */
  async *allEntries(name: string, options?: CallOptions): AsyncGenerator<ListEntry, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.entries(name, { limit: 100, cursor }, options);
      yield* page.entries;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  deleteEntry(name: string, value: string, options?: CallOptions): Promise<void> {
    return this.#delete(pathOf('/v1/lists/{}/entries/{}', name, value), options);
  }

  async #delete(path: string, options: CallOptions | undefined): Promise<void> {
    try {
      await this.#transport.send({ method: 'DELETE', path, options });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}
