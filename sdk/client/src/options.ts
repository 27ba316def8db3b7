import type { FailPolicy } from './fail-policy';

/** What happened to one try of a call; for your logs and metrics. Holds nothing personal. */
export interface Attempt {
  readonly method: string;
  /** With the ids in it, without the query. */
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly durationMs: number;
  /** How long the client waits before it tries again; undefined when it does not. */
  readonly retryInMs: number | undefined;
}

/** What the client takes from the platform; tests hand in their own. */
export interface Runtime {
  readonly fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now(): number;
  /** Ends early when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to, but not including, 1. */
  random(): number;
  uuid(): string;
}

/** Limits of a call; those of the client apply where a call names none. */
export interface CallOptions {
  /** Aborting it ends the call with the signal's reason, whatever the fail policy. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole call, retries and waits included. @default 15000 */
  readonly timeoutMs?: number | undefined;
  /** For one try. @default 5000 */
  readonly attemptTimeoutMs?: number | undefined;
  /** Tries after the first. @default 3 */
  readonly maxRetries?: number | undefined;
  /** Your trace (W3C Trace Context): the service logs its ID, and hands it on to webhooks about what was screened. */
  readonly traceparent?: string | undefined;
}

/** Options of a POST. */
export interface PostOptions extends CallOptions {
  /** Makes the call happen once in 24 hours, however often it is sent. @default a new one for every call */
  readonly idempotencyKey?: string | undefined;
}

export interface ClientOptions<Policy extends FailPolicy = FailPolicy>
  extends Omit<CallOptions, 'signal' | 'traceparent'> {
  /** `sk_test_…` or `sk_live_…`. Keep it on servers: anyone who has it can read and resolve your cases. */
  readonly apiKey: string;
  /** Where your deployment answers, without `/v1`: its `ApiUrl`, or `http://localhost:3000`. */
  readonly baseUrl: string;
  /** What a screening answers when no decision can be had in time. @default 'throw' */
  readonly failPolicy?: Policy | undefined;
  /** Called after every try. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** For tests, and for runtimes whose `fetch` is not global. */
  readonly runtime?: Partial<Runtime> | undefined;
}

/** More would make a timer fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export const DEFAULT_LIMITS = { timeoutMs: 15_000, attemptTimeoutMs: 5_000, maxRetries: 3 } as const;

/** The base without a slash at its end. Throws on what can only be a mistake. */
export function checkedBaseUrl(baseUrl: string): string {
  if (!baseUrl) throw new TypeError('baseUrl is empty: pass the ApiUrl of your deployment, or http://localhost:3000');
  const url = new URL(baseUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  // The API key travels with every request.
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw new TypeError(`baseUrl must be https, or http on localhost: ${url.origin}`);
  }
  if (url.username || url.search || url.hash) throw new TypeError('baseUrl must not have a user, query or fragment');
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  if (base.endsWith('/v1')) throw new TypeError('baseUrl must not include /v1; the client adds it');
  return base;
}

export function checkedApiKey(apiKey: string): string {
  if (!/^sk_(test|live)_\w+$/.test(apiKey)) throw new TypeError('apiKey must be a key such as sk_test_…');
  return apiKey;
}

/** The platform's own. `fetch` is called unbound: edge runtimes refuse it as a method of another object. */
export const platform: Runtime = {
  fetch: (input, init) => fetch(input, init),
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS));
      signal?.addEventListener('abort', done);
    }),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
};
