import HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator';
import { FraudDetectorClient, GetEventPredictionCommand } from '@aws-sdk/client-frauddetector';
import Stripe from 'stripe';
import { type Check, described, must, type VerifyContext } from '../check';
import { pay, succeed } from './screening';

export const afd: Check = {
  name: 'afd',
  proves: 'Amazon Fraud Detector’s own client gets a prediction',
  needs: 'http',
  async run({ api, key, newName }) {
    const client = new FraudDetectorClient({
      endpoint: `${api.url}/afd`,
      region: 'us-east-1',
      credentials: { accessKeyId: key, secretAccessKey: 'not used' },
    });
    try {
      const { ruleResults } = await client.send(
        new GetEventPredictionCommand({
          detectorId: 'verify',
          eventId: newName('event'),
          eventTypeName: 'purchase',
          eventTimestamp: new Date().toISOString(),
          entities: [{ entityType: 'customer', entityId: newName('user') }],
          eventVariables: { order_price: '20', payment_currency: 'EUR' },
        }),
      );
      must((ruleResults?.length ?? 0) > 0, 'Amazon’s client got a prediction without a rule result.');
      return ruleResults?.flatMap(({ outcomes = [] }) => outcomes).join(', ');
    } catch (error) {
      const { name, message } = error as Error;
      must(false, `Amazon’s client failed: ${name}: ${message}`);
    } finally {
      client.destroy();
    }
  },
};

export const outcomes: Check = {
  name: 'outcomes',
  proves: 'a payment is named by a reference, and a chargeback by that reference labels it',
  needs: 'http',
  async run(context) {
    const { transaction_id: id } = (await pay(context, payment(context))).json;
    const reference = context.newName('order');
    await succeed(context, 'POST', `/v1/transactions/${id}/references`, { references: [reference] });
    const body = { reference, type: 'chargeback', source_id: context.newName('dispute'), occurred_at: now() };
    const { json } = await succeed(context, 'POST', '/v1/outcomes', body);
    must(json.label_in_force === 'fraud', `After a chargeback the label should be fraud: ${JSON.stringify(json)}`);
    return undefined;
  },
};

const now = (): string => new Date().toISOString();
const payment = ({ newName }: VerifyContext) => ({ user_id: newName('user'), amount: 25, currency: 'EUR' });

/** A dispute about a payment, signed by the processor's own library. */
const PROCESSORS = {
  stripe: {
    secret: `whsec_${'verify'.repeat(6)}`,
    dispute(reference: string, secret: string) {
      const created = Math.floor(Date.now() / 1_000);
      const object = { id: `dp_${reference}`, payment_intent: reference, created, reason: 'fraudulent' };
      const event = { id: `evt_${reference}`, type: 'charge.dispute.created', created, data: { object } };
      const payload = JSON.stringify({ ...event, data: { object: { ...object, amount: 2500, currency: 'eur' } } });
      // Any text will do for a key: nothing is sent to Stripe.
      const { webhooks } = new Stripe('not-used');
      const signature = webhooks.generateTestHeaderString({ payload, secret, timestamp: created });
      return { body: payload, headers: { 'Stripe-Signature': signature } };
    },
  },
  adyen: {
    secret: '0123456789ABCDEF'.repeat(4),
    dispute(reference: string, secret: string) {
      const item = {
        ...{ pspReference: `dispute-${reference}`, originalReference: reference, merchantReference: reference },
        ...{ merchantAccountCode: 'Verify', amount: { value: 2500, currency: 'EUR' }, eventCode: 'CHARGEBACK' },
        ...{ success: 'true', eventDate: now() },
      };
      const hmacSignature = new HmacValidator().calculateHmac(item as never, secret);
      const additionalData = { hmacSignature, chargebackReasonCode: '10.4', chargebackSchemeCode: 'visa' };
      const notificationItems = [{ NotificationRequestItem: { ...item, additionalData } }];
      return { body: JSON.stringify({ live: 'false', notificationItems }), headers: {} };
    },
  },
} as const;

export const inbound: Check = {
  name: 'inbound',
  proves: 'disputes signed by Stripe’s and Adyen’s own libraries label their payments, and forged ones are refused',
  needs: 'admin',
  async run(context) {
    const { api, account } = context;
    must(account !== undefined, 'There is no account to make an address for.');
    for (const [provider, { secret, dispute }] of Object.entries(PROCESSORS)) {
      const { id, remove } = await account.newInbound(provider as keyof typeof PROCESSORS, secret);
      try {
        const reference = context.newName('pi').replaceAll('-', '_');
        const { user_id } = (await pay(context, { ...payment(context), references: [reference] })).json;
        const path = `/v1/inbound/${provider}/${id}`;
        const forged = dispute(reference, provider === 'adyen' ? 'F'.repeat(64) : `${secret}x`);
        const refused = await api.call('POST', path, forged);
        must(
          refused.status === 401,
          `A forged notification of ${provider} should be 401; it was ${described(refused)}`,
        );
        const sent = await api.call('POST', path, dispute(reference, secret));
        must(sent.status === 200, `A notification signed by ${provider}’s library got ${described(sent)}`);
        const profile = await succeed(context, 'GET', `/v1/users/${user_id}/risk-profile`);
        must(
          profile.json.outcomes?.confirmed_fraud === 1,
          `After a dispute at ${provider} the payer should have one confirmed fraud; the profile is ${described(profile)}`,
        );
      } finally {
        await remove();
      }
    }
    return undefined;
  },
};
