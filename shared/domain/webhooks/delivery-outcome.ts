/** How far a delivery attempt got. */
export type DeliveryPhase = 'dns' | 'connect' | 'tls' | 'headers';

/**
 * How one delivery attempt ended. The status line decides: anything but a 2xx is a failure, including a redirect,
 * which is not followed.
 */
export type DeliveryOutcome =
  | ({ readonly kind: 'delivered' } & Answered)
  | ({ readonly kind: 'refused' } & Answered)
  | { readonly kind: 'timeout'; readonly phase: DeliveryPhase; readonly duration_ms: number }
  /** The URL, or an address that its name resolves to, is one we do not connect to. No socket was opened. */
  | { readonly kind: 'blocked'; readonly reason: string; readonly duration_ms: number }
  /** No trusted TLS 1.2+ session with the host in the URL; `reason` is a code such as CERT_HAS_EXPIRED. */
  | { readonly kind: 'tls'; readonly reason: string; readonly duration_ms: number }
  /** No response for another reason; `reason` is a code such as ENOTFOUND or ECONNREFUSED. */
  | { readonly kind: 'network'; readonly reason: string; readonly duration_ms: number };

interface Answered {
  readonly status_code: number;
  readonly duration_ms: number;
  /** The first 1 KB of the response as text, for a merchant who is looking for the cause. */
  readonly answer: string;
  /** The `Retry-After` header, unparsed, or null. */
  readonly retry_after: string | null;
}
