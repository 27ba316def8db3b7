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
