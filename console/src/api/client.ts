/** Why a call failed, by what a person can do about it. */
export type Failure = { readonly message: string } & (
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly details: ReadonlyArray<{ readonly field: string; readonly message: string }>;
    }
  | { readonly kind: 'broken'; readonly requestId: string | undefined }
);

export class CallFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.kind);
  }
}

const isLate = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

/** Any other error than a late answer is a bug; it is shown as well, never swallowed. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallFailed) return error.failure;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'broken', message: isLate(error) ? LATE : message, requestId: undefined };
}

/** The failure of a fetch: one that ran into its time limit says nothing about the connection. */
export const unanswered = (error: unknown): CallFailed =>
  new CallFailed(isLate(error) ? failureOf(error) : { kind: 'offline', message: UNREACHABLE });

export const hasCode = (failure: Failure, code: string): boolean => failure.kind === 'refused' && failure.code === code;

const LATE = 'The service did not answer in time. Try again.';
const UNREACHABLE = 'Cannot reach the service. Check your connection and try again.';
const API_VERSION = '2026-11-14';
const TIMEOUT_MS = 15_000;
const MAX_WAIT_MS = 5_000;

// A key lives in this closure and nowhere else: no storage, no URL, no DOM. A reload forgets it.
let credential: () => Promise<string> = async () => '';
let onUnauthorized: () => void = () => undefined;
let onReachable: (reachable: boolean) => void = () => undefined;

export const useKey = (key: string | undefined): void => useTokens(async () => key ?? '');

/** Calls are made with an access token, asked for at each call because it may need to be renewed. */
export const useTokens = (fresh: () => Promise<string>): void => {
  credential = fresh;
};

/** Registers callbacks for changes of the session and the connection. */
export function listen(listeners: { unauthorized(): void; reachable(reachable: boolean): void }): void {
  onUnauthorized = listeners.unauthorized;
  onReachable = listeners.reachable;
}

type Query = Readonly<Record<string, string | number | undefined>>;

export interface CallOptions {
  readonly query?: Query;
  readonly body?: object;
  /** Sent as `Idempotency-Key`: a POST that is repeated with the same one has no second effect. */
  readonly once?: string;
  /** Sent as `If-Match`: the call is refused if the thing has another version by now. */
  readonly ifVersion?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? path : `${path}?${search}`;
}

async function send(method: string, path: string, options: CallOptions): Promise<Response> {
  const { query, body, once, ifVersion, signal } = options;
  const authorization = await credential();
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(addressOf(path, query), {
      method,
      headers: {
        Authorization: `Bearer ${authorization}`,
        'X-Api-Version': API_VERSION,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...(once ? { 'Idempotency-Key': once } : {}),
        ...(ifVersion === undefined ? {} : { 'If-Match': `"${ifVersion}"` }),
      },
      credentials: 'omit',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    onReachable(true);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    const failed = unanswered(error);
    if (failed.failure.kind === 'offline') onReachable(false);
    throw failed;
  }
}

async function failureFrom(response: Response): Promise<Failure> {
  const { status, headers } = response;
  const error = await response
    .json()
    .then((body) => body?.error)
    .catch(() => undefined);
  if (status < 500 && error)
    return { kind: 'refused', status, code: error.code, message: error.message, details: error.details ?? [] };
  const message = error?.message ?? `The service returned HTTP ${status}.`;
  return { kind: 'broken', message, requestId: error?.request_id ?? headers.get('X-Request-Id') ?? undefined };
}

const waitOf = (response: Response): number =>
  Math.min(MAX_WAIT_MS, Number(response.headers.get('Retry-After') ?? 1) * 1000 || 1000);

/** One API call. A read that got 429 or 503 is retried once, after the time the service asks for. */
export async function call<Answer>(
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  options: CallOptions = {},
  triesLeft = method === 'GET' ? 1 : 0,
): Promise<Answer> {
  const response = await send(method, path, options).catch((error: unknown) => {
    if (hasCode(failureOf(error), 'unauthorized')) onUnauthorized();
    throw error;
  });
  if (response.status === 204) return undefined as Answer;
  if (response.ok) return (await response.json()) as Answer;
  if ((response.status === 429 || response.status === 503) && triesLeft > 0) {
    await new Promise((resolve) => setTimeout(resolve, waitOf(response)));
    return call(method, path, options, triesLeft - 1);
  }
  const failure = await failureFrom(response);
  if (response.status === 401) onUnauthorized();
  throw new CallFailed(failure);
}
