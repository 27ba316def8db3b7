import { randomUUID } from 'node:crypto';
import { call, newAccount } from '../support/api';
import { DAY, HOUR, pass, SECOND, useTimeMachine } from '../support/time-machine';

useTimeMachine();

const payment = { user_id: 'u', amount: 10, currency: 'USD' };

it('keeps a result for 90 days by the clock, and not a second longer', async () => {
  const { key } = await newAccount();
  const { transaction_id, decision_id } = (await call('POST', '/v1/transactions/screen', { key, body: payment })).json;
  await pass(90 * DAY - 30 * SECOND);
  expect((await call('GET', `/v1/transactions/${transaction_id}`, { key })).status).toBe(200);
  expect((await call('GET', `/v1/decisions/${decision_id}`, { key })).status).toBe(200);
  await pass(31 * SECOND);
  for (const path of [`/v1/transactions/${transaction_id}`, `/v1/decisions/${decision_id}`]) {
    const gone = await call('GET', path, { key });
    expect([gone.status, gone.json.error.code]).toEqual([404, 'not_found']);
  }
  const review = await call('POST', `/v1/decisions/${decision_id}/review`, { key, body: { decision: 'allow' } });
  expect(review.status).toBe(404);
});

it('remembers an Idempotency-Key for 24 hours', async () => {
  const { key } = await newAccount();
  const headers = { 'Idempotency-Key': randomUUID() };
  const endpoint = { url: 'https://example.com/hooks', events: ['case.created'] };
  const screen = () => call('POST', '/v1/transactions/screen', { key, body: payment, headers });
  const register = () => call('POST', '/v1/webhooks', { key, body: endpoint, headers });
  const [screened, registered] = [await screen(), await register()];
  await pass(24 * HOUR - 30 * SECOND);
  expect((await screen()).text).toBe(screened.text);
  expect((await register()).text).toBe(registered.text);
  await pass(31 * SECOND);
  expect((await screen()).json.transaction_id).not.toBe(screened.json.transaction_id);
  expect((await register()).json.webhook_id).not.toBe(registered.json.webhook_id);
});
