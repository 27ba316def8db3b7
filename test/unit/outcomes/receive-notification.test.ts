import Stripe from 'stripe';
import {
  type InboundAddress,
  receiveNotification,
  type SetAside,
} from '../../../shared/usecases/outcomes/receive-notification';
import { BORN_MS, FRAUD, world } from './outcomes-world';

const { webhooks } = new Stripe(['sk', 'test', 'x'].join('_'));
const secret = 'whsec_0123456789abcdef';
const ID = `in_${'0'.repeat(26)}`;
const ADDRESS: InboundAddress = { inbound_id: ID, account_id: 'acc_1', provider: 'stripe', secret };
const NOW_S = BORN_MS / 1000 + 60;
const DISPUTE = {
  ...{ id: 'dp_1', charge: 'ch_1', payment_intent: 'pi_1', reason: 'fraudulent', created: NOW_S },
  ...{ amount: 100, currency: 'eur', status: 'needs_response' },
};

async function receiving() {
  const { deps, ...rest } = await world();
  const asides: SetAside[] = [];
  const inbound = {
    find: async (id: string) => (id === ID ? ADDRESS : undefined),
    setAside: async (_: InboundAddress, aside: SetAside) => void asides.push(aside),
  };
  const send = (object: object, change: object = {}, type = 'charge.dispute.created') => {
    const body = JSON.stringify({ type, created: NOW_S, data: { object } });
    const signature = webhooks.generateTestHeaderString({ payload: body, secret, timestamp: NOW_S });
    return receiveNotification(
      { ...deps, inbound },
      { provider: 'stripe', inbound_id: ID, body, signature, ...change },
    );
  };
  return { ...rest, asides, send };
}

it('turns a dispute into one outcome, however often it is sent', async () => {
  const { send, counted, labels } = await receiving();
  const received = await Promise.all(Array.from({ length: 20 }, () => send(DISPUTE)));
  expect(received).toEqual(received.map(() => ({ account_id: 'acc_1', applied: 1, held: 0 })));
  expect([await counted(), await labels()]).toEqual([FRAUD, ['fraud by chargeback']]);
  await send({ ...DISPUTE, status: 'won' }, {}, 'charge.dispute.closed');
  expect(await labels()).toEqual([]);
});

it('holds what nobody has named yet, and ignores everything else', async () => {
  const { send } = await receiving();
  expect(await send({ ...DISPUTE, id: 'dp_2', charge: 'ch_2', payment_intent: 'pi_2' })).toMatchObject({ held: 1 });
  expect(await send({}, {}, 'charge.succeeded')).toEqual({ account_id: 'acc_1', applied: 0, held: 0 });
});

it.each([
  ['another signature', { signature: 't=1,v1=00' }],
  ['no signature', { signature: undefined }],
  ['another body', { body: '{}' }],
  ['another provider', { provider: 'adyen' }],
  ['an unknown address', { inbound_id: `in_${'1'.repeat(26)}` }],
  ['what is not an address', { inbound_id: 'constructor' }],
])('refuses %s, and changes nothing', async (_, change) => {
  const { send, counted, asides } = await receiving();
  await expect(send(DISPUTE, change)).rejects.toMatchObject({ code: 'unauthorized' });
  expect([await counted(), asides]).toEqual([undefined, []]);
});

it('sets aside what it cannot read', async () => {
  const { send, asides } = await receiving();
  expect(await send({ id: 7 })).toMatchObject({ unreadable: 'no dispute ID' });
  expect(asides).toEqual([expect.objectContaining({ reason: 'no dispute ID', at_ms: BORN_MS + 60_000 })]);
  expect(JSON.parse(asides[0]?.body ?? '')).toMatchObject({ data: { object: { id: 7 } } });
});
