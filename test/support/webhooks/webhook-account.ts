import { EVENT_TYPES } from '../../../shared/domain/webhooks/webhook-endpoint';
import { call, newAccount, type Reply } from '../api';
import type { Received, WebhookReceiver } from './webhook-receiver';

let serial = 0;

/** An account of the test's own, whose endpoints are paths of the receiver. */
export async function webhookAccount(receiver: WebhookReceiver) {
  const { key, account_id } = await newAccount();
  const post = (path: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> =>
    call('POST', path, { key, headers, ...(body ? { body } : {}) });

  return {
    key,
    account_id,
    post,
    get: (path: string): Promise<Reply> => call('GET', path, { key }),
    put: (path: string, body: object): Promise<Reply> => call('PUT', path, { key, body }),
    delete: (path: string): Promise<Reply> => call('DELETE', path, { key }),

    async register(events: readonly string[] = EVENT_TYPES) {
      const path = `/hooks/${++serial}`;
      const { status, json } = await post('/v1/webhooks', { url: receiver.url(path), events });
      if (status !== 201) throw new Error(`No endpoint: ${status}`);
      return { path, webhook_id: json.webhook_id as string, secret: json.signing_secret as string };
    },
    unregister: (webhookId: string) => call('DELETE', `/v1/webhooks/${webhookId}`, { key }),

    async pay(change: object = {}) {
      const body = { user_id: `user-${++serial}`, amount: 25, currency: 'EUR', ...change };
      const { status, json } = await post('/v1/transactions/screen', body);
      if (status !== 200) throw new Error(`Not screened: ${status}`);
      return json;
    },
    /** A fresh signup that spends a lot at once: ends in review. */
    async openCase() {
      const user_id = `hasty-${++serial}`;
      const where = { device_fingerprint: `device-${serial}`, ip_address: `52.94.76.${(serial % 250) + 1}` };
      const signup = (await post('/v1/events', { event_type: 'signup', user_id, ...where })).json;
      const body = { user_id, amount: 1500, currency: 'USD', ...where };
      const payment = (await post('/v1/transactions/screen', body)).json;
      if (payment.decision !== 'review') throw new Error(`Not under review: ${payment.decision}`);
      return { signup, payment };
    },
    deliveries: async (webhookId: string, query = '') =>
      (await call('GET', `/v1/webhooks/${webhookId}/deliveries${query}`, { key })).json,
  };
}

/** Headers spelt as the vendors' guides spell them; Node lower-cases what it receives. */
export const signatureOf = ({ headers }: Received): Record<string, string> => ({
  'X-Service-Signature': String(headers['x-service-signature']),
  'webhook-id': String(headers['webhook-id']),
  'webhook-timestamp': String(headers['webhook-timestamp']),
  'webhook-signature': String(headers['webhook-signature']),
});
