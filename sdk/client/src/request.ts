import type { ErrorBody, ErrorCode } from './types';
import { API_VERSION, VERSION } from './version';

/** One try of a call and its result; for your logs and metrics. Holds nothing personal. */
export interface Attempt {
  readonly method: string;
  /** With the ids in it, without the query. */
  readonly path: string;
  readonly attempt: number;
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly durationMs: number;
  /** How long the client waits before it retries; undefined when it does not. */
  readonly retryInMs: number | undefined;
}

/** Parts of the platform that the client uses; tests hand in their own. */
export interface Runtime {
  readonly fetch: typeof fetch;
  now(): number;
  /** Ends early when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
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
  /** Your trace (W3C Trace Context): the service logs its ID and passes it on to webhooks about the screening. */
  readonly traceparent?: string | undefined;
}

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
  /** The result of a screening when the service cannot decide in time. @default 'throw' */
  readonly failPolicy?: Policy | undefined;
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** For tests, and for runtimes whose `fetch` is not global. */
  readonly runtime?: Partial<Runtime> | undefined;
}

/** More would make a timer fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export const DEFAULT_LIMITS = { timeoutMs: 15_000, attemptTimeoutMs: 5_000, maxRetries: 3 } as const;

/** The base without a trailing slash. Throws on an obvious mistake. */
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

/** Failures before the API could answer, or of an answer that is not the API's. */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'unexpected_answer';

export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}

interface ErrorFacts {
  readonly code: FraudScreeningError['code'];
  readonly message: string;
  readonly retryable: boolean;
  readonly attempts: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly cause?: unknown;
}

/** Every failure of a call. `code` says which; the codes of the API are its own. */
export class FraudScreeningError extends Error {
  override readonly name = 'FraudScreeningError';
  /** The API may learn new codes, so a `switch` over them needs a `default`. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  readonly status: number | undefined;
  /** Quote it when you ask the operator of the service about this call. */
  readonly requestId: string | undefined;
  /** Every fault of the request at once; empty for errors that are not about one of its members. */
  readonly details: readonly ErrorDetail[];
  /** True when the same call may succeed later: no response, a timeout, 408, 429, 5xx, a key still in use. */
  readonly retryable: boolean;
  readonly attempts: number;

  constructor({ message, cause, ...facts }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.details = facts.details ?? [];
    this.retryable = facts.retryable;
    this.attempts = facts.attempts;
  }
}

/** The error of an unexpected answer. A proxy between us and the API may answer with anything. */
export function errorOfAnswer(response: Response, text: string, attempts: number): FraudScreeningError {
  const { status, headers } = response;
  const body = parseErrorBody(text);
  const requestId = headers.get('x-request-id') ?? body?.error.request_id;
  const facts = { status, requestId, attempts };
  if (!body) {
    const message = `HTTP ${status} with a body that is not from the API. Check baseUrl and any proxy in between.`;
    return new FraudScreeningError({ ...facts, code: 'unexpected_answer', message, retryable: isPassing(status) });
  }
  const { code, details = [] } = body.error;
  // The API's message names the first fault; the others are added to it.
  const faults = details.map((fault) => `${fault.field}: ${fault.message}`);
  const message = [body.error.message, ...faults.filter((fault) => !body.error.message.startsWith(fault))].join('; ');
  const retryable = isPassing(status) || code === 'idempotency_in_progress';
  return new FraudScreeningError({ ...facts, code, message, details, retryable });
}

const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    return typeof body?.error?.code === 'string' ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The result of a screening when the service cannot decide in time (timeout, no connection, 408, 429, 5xx after all
 * retries): `throw` the error, or proceed with `allow` or `review`. It never hides an invalid request (4xx).
 */
export type FailPolicy = 'throw' | 'allow' | 'review';

/** A decision of the fail policy, because the service made none. It has no score, no signals and no id. */
export interface Fallback {
  readonly fallback: true;
  readonly decision: 'allow' | 'review';
  readonly error: FraudScreeningError;
  /** Screen again with this key when the service is back: if it did work the first time, nothing counts twice. */
  readonly idempotencyKey: string;
}

export type OrFallback<Answer, Policy extends FailPolicy> = [Policy] extends ['throw']
  ? Answer
  : (Answer & { readonly fallback?: undefined }) | Fallback;

export async function orFallback<Answer, Policy extends FailPolicy>(
  policy: Policy,
  idempotencyKey: string,
  screen: () => Promise<Answer>,
): Promise<OrFallback<Answer, Policy>> {
  try {
    return (await screen()) as OrFallback<Answer, Policy>;
  } catch (error) {
    if (policy === 'throw' || !(error instanceof FraudScreeningError) || !error.retryable) throw error;
    const fallback: Fallback = { fallback: true, decision: policy, error, idempotencyKey };
    return fallback as OrFallback<Answer, Policy>;
  }
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Made by `pathOf`, so that ids are escaped. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
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

/** The arguments of `fetch`, but for the signal: the same on every try, the key of a POST included. */
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

export type HttpOutcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly response: Response }
  | { readonly kind: 'failed'; readonly error: FraudScreeningError; readonly response?: Response };

export interface Try {
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly attempt: number;
  readonly signal: AbortSignal | undefined;
}

/** One request, its body read to the end within the timeout. Throws only when the caller's signal is aborted. */
export async function tryOnce<Answer>(send: typeof fetch, sent: Try): Promise<HttpOutcome<Answer>> {
  const { url, init, timeoutMs, attempt, signal } = sent;
  signal?.throwIfAborted();
  // By hand: not every runtime has AbortSignal.any.
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, Math.min(timeoutMs, MAX_TIMER_MS));
  signal?.addEventListener('abort', abort);
  try {
    const response = await send(url, { ...init, signal: controller.signal });
    return outcomeOf<Answer>(response, await response.text(), attempt);
  } catch (cause) {
    signal?.throwIfAborted();
    const [code, message] = controller.signal.aborted
      ? (['timed_out', `No response within ${timeoutMs} ms`] as const)
      : (['connection_failed', `No connection to ${new URL(url).host}`] as const);
    return {
      kind: 'failed',
      error: new FraudScreeningError({ code, message, retryable: true, attempts: attempt, cause }),
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function outcomeOf<Answer>(response: Response, text: string, attempts: number): HttpOutcome<Answer> {
  if (!response.ok) return { kind: 'failed', error: errorOfAnswer(response, text, attempts), response };
  try {
    return { kind: 'answered', answer: (text === '' ? undefined : JSON.parse(text)) as Answer, response };
  } catch {
    return { kind: 'failed', error: errorOfAnswer(response, text, attempts), response };
  }
}

const BASE_MS = 200;
const CAP_MS = 5_000;

/**
 * How long to wait after a failed try (`attempt` counts from 1): full jitter, because clients that failed together
 * would otherwise come back together. What `Retry-After` asks for is the least; the jitter comes on top of it.
 */
export function backoffMs(attempt: number, random: number, retryAfterMs = 0): number {
  return Math.round(retryAfterMs + random * Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1)));
}

/** `Retry-After` in milliseconds: whole seconds or an HTTP date. Undefined when absent or not understood. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // Date.parse alone would take '-1' for a year.
  const at = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

export interface Transport {
  readonly runtime: Runtime;
  send<Answer>(call: Call): Promise<Answer>;
}

export function createTransport(options: ClientOptions): Transport {
  const base = checkedBaseUrl(options.baseUrl);
  const apiKey = checkedApiKey(options.apiKey);
  const runtime: Runtime = { ...platform, ...options.runtime };

  async function send<Answer>(call: Call): Promise<Answer> {
    const limit = (name: keyof typeof DEFAULT_LIMITS) => call.options?.[name] ?? options[name] ?? DEFAULT_LIMITS[name];
    const { signal } = call.options ?? {};
    const request = requestOf(base, apiKey, call, runtime.uuid);
    const deadline = runtime.now() + limit('timeoutMs');
    for (let attempt = 1; ; attempt++) {
      const startedAt = runtime.now();
      const timeoutMs = Math.max(0, Math.min(limit('attemptTimeoutMs'), deadline - startedAt));
      const outcome = await tryOnce<Answer>(runtime.fetch, { ...request, timeoutMs, attempt, signal });
      const waitMs = attempt <= limit('maxRetries') ? waitOf(outcome, attempt) : undefined;
      // A wait that would end past the deadline is not begun: the caller hears of the failure now.
      const retryInMs = waitMs !== undefined && runtime.now() + waitMs < deadline ? waitMs : undefined;
      options.onAttempt?.({
        method: call.method,
        path: call.path,
        attempt,
        status: outcome.response?.status,
        requestId: outcome.response?.headers.get('x-request-id') ?? undefined,
        durationMs: runtime.now() - startedAt,
        retryInMs,
      });
      if (outcome.kind === 'answered') return outcome.answer;
      if (retryInMs === undefined) throw outcome.error;
      await runtime.sleep(retryInMs, signal);
    }
  }

  function waitOf(outcome: HttpOutcome<unknown>, attempt: number): number | undefined {
    if (outcome.kind === 'answered' || !outcome.error.retryable) return undefined;
    const asked = retryAfterMs(outcome.response?.headers.get('retry-after') ?? null, runtime.now());
    return backoffMs(attempt, runtime.random(), asked);
  }

  return { runtime, send };
}

export abstract class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  protected send<Answer>(call: Call): Promise<Answer> {
    return this.#transport.send(call);
  }

  /** Deletes. It is not a failure if an earlier try has deleted it and its answer was lost. */
  protected async remove(call: Omit<Call, 'method'>): Promise<void> {
    try {
      await this.send({ ...call, method: 'DELETE' });
    } catch (error) {
      const isGone = error instanceof FraudScreeningError && error.code === 'not_found' && error.attempts > 1;
      if (!isGone) throw error;
    }
  }
}
