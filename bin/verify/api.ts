import { CheckFailure } from './check-failure';

/** A response as a caller of the API sees it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: checks read responses of every shape, also wrong ones.
  readonly json: any;
}

export interface RequestParts {
  readonly key?: string;
  /** Sent as JSON unless it is a string. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Api {
  /** Without a slash at its end. */
  readonly url: string;
  call(method: string, path: string, parts?: RequestParts): Promise<Reply>;
}

const TIMEOUT_MS = 30_000;

/** Calls a URL; a connection that fails is a finding like any other. */
export async function request(method: string, url: string, parts: RequestParts = {}): Promise<Reply> {
  const { key, body, headers = {} } = parts;
  const sent = {
    ...(key ? { Authorization: `Bearer ${key}` } : {}),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const init = { method, headers: sent, redirect: 'manual', signal } as const;
    const response = await fetch(url, body === undefined ? init : { ...init, body: text });
    const received = await response.text();
    return { status: response.status, headers: response.headers, text: received, json: parsed(received) };
  } catch (error) {
    const { message, cause } = error as Error;
    throw new CheckFailure(`${method} ${url} got no response: ${cause instanceof Error ? cause.message : message}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The API at a URL. */
export function apiAt(url: string): Api {
  const base = url.replace(/\/+$/, '');
  return { url: base, call: (method, path, parts) => request(method, base + path, parts) };
}

/** A response in one line, for a message about what is wrong with it. */
export const described = ({ status, text }: Reply): string =>
  `${status}${text === '' ? ' without a body' : `: ${text.replace(/\s+/g, ' ').slice(0, 200)}`}`;
