import { type HttpOutcome, tryOnce } from './attempt';
import { type ClientOptions, checkedApiKey, checkedBaseUrl, DEFAULT_LIMITS, platform, type Runtime } from './options';
import { type Call, requestOf } from './request';
import { backoffMs, retryAfterMs } from './retry';

/** Sends a call until it is answered or given up. */
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

  /** How long to wait before the next try; undefined when there is to be none. */
  function waitOf(outcome: HttpOutcome<unknown>, attempt: number): number | undefined {
    if (outcome.kind === 'answered' || !outcome.error.retryable) return undefined;
    const asked = retryAfterMs(outcome.response?.headers.get('retry-after') ?? null, runtime.now());
    return backoffMs(attempt, runtime.random(), asked);
  }

  return { runtime, send };
}
