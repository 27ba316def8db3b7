import { apiAt } from '../../../bin/verify/api';
import { untilBy, type VerifyContext } from '../../../bin/verify/check';
import { webhooks } from '../../../bin/verify/checks/webhooks';
import type { Arrival } from '../../../bin/verify/receiver';
import { signatureHeaders } from '../../../shared/outbound/sign';
import { type Seen, type Step, scriptedServer } from '../../support/scripted-server';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

function arrival(messageId: string, signedWith = secret): Arrival {
  const body = Buffer.from(JSON.stringify({ id: messageId, type: 'transaction.screened', data: {} }));
  const timestampSeconds = Math.floor(Date.now() / 1000);
  return { headers: { ...signatureHeaders({ secret: signedWith, messageId, body, timestampSeconds }) }, body };
}

const delivery = (delivery_id: string, message_id: string, redelivery_of: string | null = null) => ({
  ...{ delivery_id, message_id, redelivery_of, status: 'delivered' },
  attempts: [{ outcome: 'delivered', status_code: 200, error: null }],
});

/** Runs the check against a service that lists these deliveries, and a receiver that got these. */
async function verify(listed: readonly object[], arrivals: readonly Arrival[]): Promise<string | undefined> {
  const answer = ({ method, path }: Seen): Step => {
    if (path === '/v1/transactions/screen') return { status: 200, body: {} };
    if (path === '/v1/webhooks') return { status: 201, body: { webhook_id: 'wh_1', signing_secret: secret } };
    if (path.endsWith('/redeliver')) return { status: 202, body: {} };
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: { deliveries: listed } };
  };
  const server = await scriptedServer(answer);
  let nowMs = 0;
  const wait = async (ms: number) => {
    nowMs += ms;
  };
  const receiver = { url: 'https://receiver.example', arrivals: async () => arrivals, close: async () => undefined };
  const until = untilBy(1_000, () => nowMs, wait);
  const context = { api: apiAt(server.url), key: 'key', receiver, until, newName: (prefix: string) => prefix };
  try {
    return await webhooks.run(context as unknown as VerifyContext);
  } finally {
    await server.close();
  }
}

const OURS = delivery('del_1', 'msg_1');
const REPEATED = delivery('del_2', 'msg_1', 'del_1');

it('passes although an event of an earlier check comes between a message and its redelivery', async () => {
  const late = delivery('del_3', 'msg_2');
  const arrivals = [arrival('msg_1'), arrival('msg_2'), arrival('msg_1')];
  expect(await verify([OURS, REPEATED, late], arrivals)).toBeUndefined();
});

it('fails if the redelivery comes under another name, or with a wrong signature', async () => {
  await expect(verify([OURS, REPEATED], [arrival('msg_1'), arrival('msg_9')])).rejects.toThrow(
    'The receiver got 1 of 2 deliveries with webhook-id msg_1 within 60 s (2 deliveries in all).',
  );
  const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
  await expect(verify([OURS, REPEATED], [arrival('msg_1'), arrival('msg_1', other)])).rejects.toThrow(
    'A delivery arrived, but its signature is wrong',
  );
});
