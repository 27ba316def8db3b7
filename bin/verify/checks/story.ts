import { described, type Reply } from '../api';
import { must, type VerifyContext } from '../check';

/** Where an attempt comes from. */
export interface Place {
  readonly ip_address: string;
  readonly device_fingerprint: string;
}

/** A server in a data centre that no earlier run has used, and a new device. */
export function newPlace({ newName }: VerifyContext): Place {
  const device_fingerprint = newName('device');
  const [third = 0, fourth = 0] = Buffer.from(device_fingerprint).subarray(-2);
  return { ip_address: `52.94.${third}.${fourth}`, device_fingerprint };
}

/** Screens a payment; anything but a decision is a failure. */
export async function pay(
  { api, key }: VerifyContext,
  body: object,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const reply = await api.call('POST', '/v1/transactions/screen', { key, body, headers });
  must(reply.status === 200, `POST /v1/transactions/screen answered ${described(reply)}`);
  return reply;
}

/** A user who signs up on a server and spends at once: ends in review. */
export async function hastyPurchase(context: VerifyContext, from: Place): Promise<Reply> {
  const user_id = context.newName('hasty');
  const body = { event_type: 'signup', user_id, ...from };
  const signup = await context.api.call('POST', '/v1/events', { key: context.key, body });
  must(signup.status === 200, `POST /v1/events answered ${described(signup)}`);
  const purchase = await pay(context, { user_id, amount: 300, currency: 'USD', ...from });
  const { decision, risk_score, case_id } = purchase.json;
  must(
    decision === 'review' && typeof case_id === 'string',
    `A purchase right after signing up on a server should be held for review; it got ${decision} at ${risk_score}` +
      `${case_id ? '' : ' without a case'}.`,
  );
  return purchase;
}
