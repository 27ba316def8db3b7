import HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator';
import Stripe from 'stripe';
import { unavailable } from '../../../shared/domain/errors';
import {
  type InboundAddress,
  receiveNotification,
  type SetAside,
} from '../../../shared/usecases/outcomes/receive-notification';
import { screened } from '../../support/changes';
import { interpose } from '../../support/memory/interpose';
import { BORN_MS, DAY_MS, FRAUD, names, world } from './outcomes-world';

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

const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';

/** A notification of Adyen with an item per dispute and payment. */
function adyenBody(...disputes: ReadonlyArray<readonly [dispute: string, payment: string, eventCode?: string]>) {
  const notificationItems = disputes.map(([pspReference, originalReference, eventCode = 'NOTIFICATION_OF_FRAUD']) => {
    const item = {
      ...{ pspReference, originalReference, merchantAccountCode: 'M', merchantReference: originalReference, eventCode },
      ...{ amount: { currency: 'EUR', value: 1130 }, eventDate: '2026-03-01T00:00:30Z', success: 'true' },
    };
    const hmacSignature = new HmacValidator().calculateHmac(item as never, HMAC_KEY);
    return { NotificationRequestItem: { ...item, additionalData: { hmacSignature } } };
  });
  return JSON.stringify({ live: 'false', notificationItems });
}

async function adyen() {
  const { deps, ...rest } = await world();
  const second = screened(BORN_MS + 1, { references: names('pi_2'), kept_until_ms: BORN_MS + 180 * DAY_MS });
  await rest.table.screenings.insert('acc_1', second);
  const address: InboundAddress = { ...ADDRESS, provider: 'adyen', secret: HMAC_KEY };
  const asides: SetAside[] = [];
  const inbound = {
    find: async () => address,
    setAside: async (_: InboundAddress, aside: SetAside) => void asides.push(aside),
  };
  const send = (body: string, outside = deps.outside) =>
    receiveNotification(
      { ...deps, outside, inbound },
      { provider: 'adyen', inbound_id: ID, body, signature: undefined },
    );
  return { ...rest, deps, asides, send };
}

it('records the items of one body at the same time, unless they are about one payment', async () => {
  const { send, deps, labels } = await adyen();
  let [running, most] = [0, 0];
  const counting = interpose(deps.outside, async (_, apply) => {
    most = Math.max(most, ++running);
    return apply().finally(() => running--);
  });
  // One reference of each is looked up by itself; all names of one item at once.
  const one = await send(adyenBody(['D1', 'pi_1'], ['D1', 'pi_1', 'CHARGEBACK']), counting);
  expect([one.applied, most]).toEqual([2, 2]);
  const two = await send(adyenBody(['D2', 'pi_1'], ['D3', 'pi_2'], ['D4', 'unknown']), counting);
  expect([two, most]).toEqual([{ account_id: 'acc_1', applied: 2, held: 1 }, 6]);
  expect(await labels()).toEqual(Array(2).fill('fraud by early_fraud_warning'));
});

it('records the other items if one has to be sent again, and each only once when it is', async () => {
  const { send, deps, labels, asides } = await adyen();
  const body = adyenBody(['D1', 'pi_1'], ['D2', 'pi_2']);
  const [failed] = names('pi_1');
  const failing = {
    ...deps.outside,
    reference: async (accountId: string, name: string, nowMs: number) => {
      if (name === failed) throw unavailable(new Error('busy'));
      return deps.outside.reference(accountId, name, nowMs);
    },
  };
  await expect(send(body, failing)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await labels()).toHaveLength(1);
  expect(await send(body)).toMatchObject({ applied: 2 });
  expect([await labels(), asides]).toEqual([Array(2).fill('fraud by early_fraud_warning'), []]);
});
