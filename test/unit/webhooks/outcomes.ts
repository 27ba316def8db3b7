import type { DeliveryOutcome } from '../../../shared/domain/webhooks/retry-schedule';

export const answered = (status_code: number, retry_after: string | null = null): DeliveryOutcome => ({
  kind: status_code >= 200 && status_code < 300 ? 'delivered' : 'refused',
  status_code,
  duration_ms: 12,
  answer: '',
  retry_after,
});

export const TIMEOUT: DeliveryOutcome = { kind: 'timeout', phase: 'headers', duration_ms: 10_000 };
export const TLS: DeliveryOutcome = { kind: 'tls', reason: 'CERT_HAS_EXPIRED', duration_ms: 20 };
export const BLOCKED: DeliveryOutcome = { kind: 'blocked', reason: 'private', duration_ms: 1 };
export const NETWORK: DeliveryOutcome = { kind: 'network', reason: 'ECONNREFUSED', duration_ms: 1 };
