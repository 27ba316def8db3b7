import type { PostOptions } from './options';
import { API_VERSION } from './types';
import { VERSION } from './version';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Made by `pathOf`, so that ids are escaped. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  /** Beyond those that every call has. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly options?: PostOptions | undefined;
}

/** `/v1/users/{}/risk-profile` with the ids put in. A segment that a URL cannot carry would call another route. */
export function pathOf(template: string, ...ids: readonly string[]): string {
  let at = 0;
  return template.replace(/\{\}/g, () => {
    const id = ids[at++] ?? '';
    if (id === '' || id === '.' || id === '..') throw new TypeError(`Not a valid ID for a URL: "${id}"`);
    return encodeURIComponent(id);
  });
}

/** What `fetch` is given, but for the signal: the same on every try, the key of a POST included. */
export function requestOf(base: string, apiKey: string, call: Call, uuid: () => string) {
  const { method, path, query = {}, body, headers: further = {}, options } = call;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, textOf(value));
  const headers = {
    Accept: 'application/json',
    Authorization: `Bearer ${apiKey}`,
    'User-Agent': `fraud-screening-client/${VERSION}`,
    'X-Api-Version': API_VERSION,
    ...(body ? { 'Content-Type': 'application/json' } : {}),
    ...(method === 'POST' ? { 'Idempotency-Key': options?.idempotencyKey ?? uuid() } : {}),
    ...(options?.traceparent ? { traceparent: options.traceparent } : {}),
    ...further,
  };
  // A redirect would carry the API key to another place, or turn a POST into a GET.
  const init: RequestInit = { method, headers, redirect: 'manual', ...(body ? { body: JSON.stringify(body) } : {}) };
  return { url: `${base}${path}?${search}`.replace(/\?$/, ''), init };
}

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));
