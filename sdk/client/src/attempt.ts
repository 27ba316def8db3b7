import { errorOfAnswer, FraudScreeningError } from './errors';
import { MAX_TIMER_MS } from './options';

export type HttpOutcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly response: Response }
  | { readonly kind: 'failed'; readonly error: FraudScreeningError; readonly response?: Response };

export interface Try {
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  /** From 1. */
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
