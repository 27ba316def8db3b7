import {
  type ClientOptions,
  checkedApiKey,
  checkedBaseUrl,
  DEFAULT_LIMITS,
  errorOfAnswer,
  FraudScreeningError,
  MAX_TIMER_MS,
  type PostOptions,
  platform,
  type Runtime,
} from './options';
import { API_VERSION, VERSION } from './version';

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
