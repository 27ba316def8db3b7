import { isPublicAddress, isWithin } from '../ip/network-address';

/** The event types an endpoint may subscribe to. */
export const EVENT_TYPES = [
  'transaction.screened',
  'transaction.decision.block',
  'event.screened',
  'case.created',
  'case.resolved',
  'decision.reviewed',
  'list.changed',
  'rule.changed',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const MAX_ENDPOINTS_PER_ACCOUNT = 20;

/** A registered receiver of deliveries, without its secret. */
export interface WebhookEndpoint {
  readonly webhook_id: string;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly label: string | null;
  readonly status: 'enabled' | 'disabled';
  readonly created_at: string;
  readonly disabled_at?: string;
  readonly disabled_reason?: DisableReason;
}

/** Why deliveries to an endpoint ended: it responded with 410, or with nothing but failures for five days. */
export type DisableReason = 'gone' | 'failing';

/** An endpoint to be registered; its secret is separate, because it is stored sealed. */
export interface NewEndpoint {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** An endpoint as its sender needs it. */
export interface SecretEndpoint extends WebhookEndpoint {
  readonly signing_secret: string;
  /** After a rotation, while receivers switch. */
  readonly previous?: { readonly secret: string; readonly untilMs: number };
}

/**
 * A delivery attempt begins at most this long after its endpoint was read, and a deletion responds no sooner than
 * this long after its commit: no attempt begins after the 204.
 */
export const START_WITHIN_MS = 300;

/** A signing secret in the format that the verifiers of Stripe, Standard Webhooks and Svix accept. */
export const signingSecret = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`;

export const SIGNING_SECRET_BYTES = 32;

const MAX_LENGTH = 2048;
const LOCAL_NAMES = /(^|\.)(localhost|local|internal)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point.
const CONTROL_OR_SPACE = /[\u0000-\u0020\u007f-\u009f\u2028\u2029\ufeff]/;

/**
 * Why a URL may not be registered; undefined if it may. Names are not resolved here: the dispatcher
 * checks every resolved address at the moment it connects, so a name that moves later gains nothing.
 * `allowedCidrs` is the local escape hatch; it is empty in every deployment.
 */
export function webhookUrlFault(text: string, allowedCidrs: readonly string[] = []): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (CONTROL_OR_SPACE.test(text)) return 'must not contain spaces or control characters';
  const url = parse(text);
  if (!url) return 'must be an absolute URL such as https://example.com/hooks';
  if (url.protocol !== 'https:') return 'must start with https://; plain HTTP is not allowed';
  if (url.username || url.password) return 'must not contain a user name or password';

  // The parser has already turned 2130706433, 0x7f.1 and fullwidth digits into 127.0.0.1.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '') return 'must name a host';
  if (isLiteral(host)) {
    const allowed = isPublicAddress(host) || isWithin(host, allowedCidrs);
    return allowed ? undefined : 'must not point at a private, local or reserved address';
  }
  if (LOCAL_NAMES.test(host)) {
    const isLocalhost = host === 'localhost' || host.endsWith('.localhost');
    return isLocalhost && isWithin('127.0.0.1', allowedCidrs) ? undefined : 'must not point at a local host name';
  }
  return host.includes('.') ? undefined : 'must name a public host';
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const isLiteral = (host: string): boolean => host.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(host);

// IPv6 space that is allocated to Internet hosts. Outside it, ipaddr.js calls some addresses unicast that are
// not: ::7f00:1 (which is how a URL spells [::127.0.0.1]), 4000::1 and the like.
const GLOBAL_IPV6 = ['2000::/3'];

/** Whether a delivery may connect to an address literal. `allowCidrs` is the local escape hatch. */
export function isDeliverableAddress(address: string, allowCidrs: readonly string[]): boolean {
  if (isWithin(address, allowCidrs)) return true;
  // isWithin and isPublicAddress both treat ::ffff:1.2.3.4 as an IPv4 address.
  return isPublicAddress(address) && (isIPv4(address) || isWithin(address, GLOBAL_IPV6));
}

const isIPv4 = (address: string): boolean => isWithin(address, ['0.0.0.0/0']);
