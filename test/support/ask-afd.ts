import type { Reply } from './api';

interface Asking {
  readonly key: string;
  post(path: string, body: object, headers: Record<string, string>): Promise<Reply>;
}

/** An operation of Amazon Fraud Detector's client, with the header that it would sign. */
export function askAfd(by: Asking, operation: string, eventId: string, more: object = {}): Promise<Reply> {
  const scope = `${by.key}/20261116/eu-central-1/frauddetector/aws4_request`;
  const headers = {
    Authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
    'Content-Type': 'application/x-amz-json-1.1',
    'X-Amz-Target': `AWSHawksNestServiceFacade.${operation}`,
  };
  const event = {
    ...{ eventId, eventTypeName: 'purchase', eventTimestamp: '2026-11-16T12:00:00Z', detectorId: 'checkout' },
    entities: [{ entityType: 'customer', entityId: `user-${eventId}` }],
    eventVariables: { order_price: '20', ip_address: '91.64.0.1' },
  };
  return by.post('/afd', { ...event, ...more }, headers);
}
