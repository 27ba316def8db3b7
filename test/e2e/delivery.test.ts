import { EVENT_TYPES } from '../../shared/domain/webhook-endpoint';
import { call, newAccount } from '../support/api';
import { useTimeMachine } from '../support/time-machine';
import { useReceiver } from '../support/webhook-receiver';

const receiver = useReceiver();
useTimeMachine(receiver.env);

let serial = 0;
async function register(key: string, events: readonly string[] = EVENT_TYPES) {
  const path = `/hooks/${++serial}`;
  const { json, status } = await call('POST', '/v1/webhooks', { key, body: { url: receiver.url(path), events } });
  expect(status).toBe(201);
  return { path, ...json };
}
const payment = { user_id: 'user-1', amount: 25, currency: 'EUR' };

it('a screening right after the 201 of its endpoint reaches the receiver, as its GET would answer', async () => {
  const { key } = await newAccount();
  const { path } = await register(key);
  const { json } = await call('POST', '/v1/transactions/screen', { key, body: payment });
  const { headers, json: message } = await receiver.until(path);
  expect(message).toEqual({
    id: headers['webhook-id'],
    type: 'transaction.screened',
    created_at: json.screened_at,
    api_version: '2026-11-14',
    livemode: false,
    data: json,
  });
});
