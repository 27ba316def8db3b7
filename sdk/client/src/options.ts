import type { ErrorBody, ErrorCode } from './types';

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
