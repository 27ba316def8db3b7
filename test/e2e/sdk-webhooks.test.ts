import { type Delivery, FraudScreening } from '../../sdk/client/src';
import { newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { useTimeMachine } from '../support/time-machine';
import { useReceiver } from '../support/webhook-receiver';

const receiver = useReceiver();
useTimeMachine(receiver.env);

it('the client registers an endpoint, verifies what arrives there, and finds it in the list of deliveries', async () => {
  const { key } = await newAccount();
  const client = new FraudScreening({ apiKey: key, baseUrl: localRun().url, timeoutMs: 60_000 });
  const { webhook_id, signing_secret } = await client.webhooks.create({
    url: receiver.url('/sdk'),
    events: ['transaction.screened'],
  });
  const screened = await client.transactions.screen({ user_id: 'u', amount: 25, currency: 'EUR' });

  const received = await receiver.until('/sdk');
  const event = await client.webhooks.constructEvent(received.body, received.headers, signing_secret);
  if (event.type !== 'transaction.screened') throw new Error(event.type);
  expect(event.data).toEqual(screened);
  const tampered = Buffer.from(received.body.toString().replace('"amount":25', '"amount":52'));
  await expect(client.webhooks.constructEvent(tampered, received.headers, [signing_secret])).rejects.toMatchObject({
    reason: 'signature_mismatch',
  });

  const asked = await client.webhooks.test(webhook_id);
  const arrived = await receiver.until('/sdk', ({ json }) => json.id === asked.message_id);
  expect(await client.webhooks.constructEvent(arrived.body, arrived.headers, signing_secret)).toMatchObject({
    type: 'webhook.test',
    data: { webhook_id },
  });

  const again = await client.deliveries.redeliver(webhook_id, String(received.headers['x-service-delivery']));
  expect(again).toMatchObject({ message_id: event.id, redelivery_of: received.headers['x-service-delivery'] });
  const repeated = await receiver.until('/sdk', ({ headers }) => headers['x-service-delivery'] === again.delivery_id);
  expect(repeated.body.equals(received.body)).toBe(true);

  const walked: Delivery[] = [];
  for await (const delivery of client.deliveries.all(webhook_id, { limit: 1 })) walked.push(delivery);
  expect(walked.map(({ delivery_id }) => delivery_id)).toEqual([
    again.delivery_id,
    asked.delivery_id,
    received.headers['x-service-delivery'],
  ]);
  await expect(client.deliveries.list('wh_nonsense')).rejects.toMatchObject({ code: 'not_found' });
});
