import { randomUUID } from 'node:crypto';
import { call, newAccount, type Reply } from '../api';
import { countedOn } from '../audits/counted';
import { payment } from '../stores/screening-deps';

const { user_id, amount, currency, ip_address, device_fingerprint, custom_attributes } = payment();
const body = { user_id, amount, currency, ip_address, device_fingerprint, custom_attributes };

/** The effects of one payment that was sent many times at once with one `Idempotency-Key`. */
export interface Repeats {
  readonly replies: readonly Reply[];
  /** Payments that each entity has counted. */
  readonly counted: Readonly<Record<string, number>>;
}

/** Sends a payment of a new account so many times at once, as clients do that repeat a 503 with the same key. */
export async function sendRepeats(count: number): Promise<Repeats> {
  const { account_id, key } = await newAccount();
  const headers = { 'Idempotency-Key': randomUUID() };
  const send = async (): Promise<Reply> => {
    const reply = await call('POST', '/v1/transactions/screen', { key, body, headers });
    return reply.status === 503 ? send() : reply;
  };
  const replies = await Promise.all(Array.from({ length: count }, send));
  return { replies, counted: await countedOn(account_id, payment()) };
}

/** All that succeeded have the same bytes, one of them is the first, the others were refused as too early. */
export function expectOneEffect({ replies, counted }: Repeats): void {
  const done = replies.filter(({ status }) => status === 200);
  expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  expect(done.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  expect(counted).toEqual({ user: 1, device: 1, ip: 1, card_fingerprint: 1 });
}
