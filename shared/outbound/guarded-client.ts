import type { IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { DeliveryOutcome, DeliveryPhase } from '../domain/webhooks/retry-schedule';
import { webhookUrlFault } from '../domain/webhooks/webhook-endpoint';
import { readExcerpt } from './answer-excerpt';
import { type LookupAll, type ResolvedAddress, resolvePublic, systemLookup } from './resolve-public';

export interface GuardedPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Milliseconds of any monotonic clock. Only for the duration; the deadline is a timer. */
  readonly now: () => number;
  /** One deadline for DNS, connect, TLS and headers. @default 10,000 ms */
  readonly deadlineMs?: number;
  /** Blocks that may be connected to although they are not public: the local escape hatch. @default none */
  readonly allowCidrs?: readonly string[];
  /** PEM of an authority trusted besides the public ones: the local escape hatch. @default none */
  readonly extraCa?: string;
  /** @default the operating system's resolver */
  readonly lookup?: LookupAll;
}

export const DEADLINE_MS = 10_000;

// Node gives each address but the last 250 ms to connect, then drops it, which loses receivers an ocean away.
const CONNECT_TIMEOUT_MS = 2_500;

/** Error codes of a socket whose connection is broken; any other error before the handshake is done comes from TLS. */
const SOCKET_CODES = new Set(['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * POSTs a delivery to a merchant's URL, which is hostile until proven otherwise: it may name or resolve to our own
 * network, redirect there, hang anywhere, or respond without end. Resolves whatever the receiver does; rejects
 * only for a mistake of ours, such as a header that cannot be sent.
 *
 *   0 ──dns──► check ALL ──connect to those──► tls ──► headers ──► status latched ──≤ 4 KB, ≤ 0.3 s──► outcome
 *   └───────────────────────── one deadline ─────────────────────┘
 */
export async function postGuarded(post: GuardedPost): Promise<DeliveryOutcome> {
  const { deadlineMs = DEADLINE_MS, allowCidrs = [], lookup = systemLookup, now } = post;
  const startedMs = now();
  const elapsed = (): number => Math.max(0, Math.round(now() - startedMs));

  const fault = webhookUrlFault(post.url, allowCidrs);
  if (fault) return { kind: 'blocked', reason: `the URL ${fault}`, duration_ms: elapsed() };
  const url = new URL(post.url);

  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  let phase: DeliveryPhase = 'dns';
  try {
    const resolving = resolvePublic(unbracketed(url.hostname), lookup, allowCidrs);
    const resolution = await Promise.race([resolving, aborted(deadline.signal)]);
    if (resolution.kind === 'blocked') return { ...resolution, duration_ms: elapsed() };
    if (resolution.kind === 'unresolved') return { ...resolution, kind: 'network', duration_ms: elapsed() };

    phase = 'connect';
    const options = requestOptions(post, url, resolution.addresses);
    const response = await answered({ ...options, signal: deadline.signal }, post.body, (reached) => {
      phase = reached;
    });
    // The status has decided: from here on, a missed deadline or a broken body does not change the outcome.
    clearTimeout(timer);
    const status_code = response.statusCode ?? 0;
    const kind = status_code >= 200 && status_code < 300 ? 'delivered' : 'refused';
    const retry_after = response.headers['retry-after'] ?? null;
    const duration_ms = elapsed();
    return { kind, status_code, duration_ms, answer: await readExcerpt(response), retry_after };
  } catch (error) {
    if (deadline.signal.aborted) return { kind: 'timeout', phase, duration_ms: elapsed() };
    return failure(error, phase, elapsed());
  } finally {
    clearTimeout(timer);
  }
}

function requestOptions(post: GuardedPost, url: URL, addresses: readonly ResolvedAddress[]): RequestOptions {
  const host = unbracketed(url.hostname);
  const options = {
    method: 'POST',
    hostname: host,
    port: url.port || 443,
    path: `${url.pathname}${url.search}`,
    headers: { ...post.headers, 'content-length': post.body.byteLength, host: url.host },
    // A new connection for each delivery attempt: a kept one would be to an address that was checked long ago.
    agent: false,
    // An address literal never reaches `lookup`; it was checked as it stands in the URL.
    lookup: only(addresses),
    autoSelectFamilyAttemptTimeout: CONNECT_TIMEOUT_MS,
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    // Explicit, although the default: NODE_TLS_REJECT_UNAUTHORIZED must not apply here.
    rejectUnauthorized: true,
    secureContext: trusting(post.extraCa),
    insecureHTTPParser: false,
    maxHeaderSize: 16_384,
  } as const;
  return options;
}

/** At most one authority is ever added, and reading the public ones as well takes 40 ms: too long for every request. */
let latest: { readonly extraCa: string | undefined; readonly context: SecureContext } | undefined;

function trusting(extraCa: string | undefined): SecureContext {
  if (latest === undefined || latest.extraCa !== extraCa) {
    const ca = extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] };
    // Explicit, although the default: --tls-min-v1.0 must not apply here.
    latest = { extraCa, context: createSecureContext({ minVersion: 'TLSv1.2', ...ca }) };
  }
  return latest.context;
}

/** A resolver that knows only the addresses that were checked, so the name cannot change before the connect. */
const only =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses;
    // Deferred, as in Node itself: a connect that fails at once would emit its error before anyone listens.
    process.nextTick(() => {
      if (all) callback(null, [...addresses]);
      else callback(null, first?.address ?? '', first?.family);
    });
  };

function answered(
  options: RequestOptions,
  body: Uint8Array,
  reach: (phase: DeliveryPhase) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(options, resolve);
    request.on('socket', (socket) => {
      socket.once('connect', () => reach('tls'));
      socket.once('secureConnect', () => reach('headers'));
    });
    request.on('error', reject);
    // An unrequested 101 closes the request without an error.
    request.on('close', () => reject(Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' })));
    request.end(body);
  });
}

function failure(error: unknown, phase: DeliveryPhase, duration_ms: number): DeliveryOutcome {
  // By shape, not by class: under jest, Node's own errors belong to another realm.
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code !== 'string' || name === 'TypeError') throw error;
  if (code === 'ETIMEDOUT') return { kind: 'timeout', phase, duration_ms };
  const isTls = /^(EPROTO$|ERR_SSL_|ERR_TLS_)/.test(code) || (phase === 'tls' && !SOCKET_CODES.has(code));
  return { kind: isTls ? 'tls' : 'network', reason: code, duration_ms };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const unbracketed = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
