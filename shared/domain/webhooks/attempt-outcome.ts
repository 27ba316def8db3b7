/** How far an attempt had come. */
export type AttemptPhase = 'dns' | 'connect' | 'tls' | 'headers';

/**
 * How one attempt to deliver ended. The status line decides: anything but a 2xx is a failure, and so is a redirect,
 * which is not followed.
 */
export type AttemptOutcome =
  | ({ readonly kind: 'delivered' } & Answered)
  | ({ readonly kind: 'refused' } & Answered)
  | { readonly kind: 'timeout'; readonly phase: AttemptPhase; readonly duration_ms: number }
  /** The URL or an address behind its name is one we do not connect to. No socket was opened. */
  | { readonly kind: 'blocked'; readonly reason: string; readonly duration_ms: number }
  /** No trusted TLS 1.2+ session with the host that the URL names; `reason` is a code such as CERT_HAS_EXPIRED. */
  | { readonly kind: 'tls'; readonly reason: string; readonly duration_ms: number }
  /** No answer for another reason; `reason` is a code such as ENOTFOUND or ECONNREFUSED. */
  | { readonly kind: 'network'; readonly reason: string; readonly duration_ms: number };

interface Answered {
  readonly status_code: number;
  readonly duration_ms: number;
  /** The first 1 KB of the answer as text, for the merchant who looks for what went wrong. */
  readonly answer: string;
  /** The `Retry-After` header as it came, or null. */
  readonly retry_after: string | null;
}
