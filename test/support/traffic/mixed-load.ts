import Stripe from 'stripe';
import { promote } from '../../../shared/domain/models/registry-state';
import { newId } from '../../../shared/runtime/ids';
import { admin, call, type Reply } from '../api';
import { localRun } from '../local-run';
import { MINUTE, pass } from '../machine/time-machine';
import { amountModel, cause, registered, registryUnderTest } from '../stores/registry';
import { webhookAccount } from '../webhooks/webhook-account';
import type { WebhookReceiver } from '../webhooks/webhook-receiver';

/** Each of three users once with each of two agents. */
const ROUNDS = 6;
// The second attempt comes after five seconds, and machines are busy.
const RETRY_WITHIN_MS = 60_000;
/** Scores of a holdout of ordinary shops: nearly all of it at the low end. */
const SCORE_SHARES = [0.82, 0.09, 0.03, 0.02, 0.01, 0.01, 0.008, 0.006, 0.004, 0.002];
/** Software that shops for a user: one that has proven whose it is, and one that only says so. */
const AGENTS = [
  { operator: 'agents.example.com', key_id: 'key-1', verified: true },
  { operator: 'agents.example.com', verified: false },
];

/** Puts a model in force that says how the scores of its training were spread, and lets functions notice. */
async function putModelInForce(letPass: (ms: number) => Promise<void>): Promise<void> {
  const model = amountModel(5_000);
  const version = await registered({ ...model, card: { ...model.card, score_shares: SCORE_SHARES } });
  await registryUnderTest().change((state) => promote(state, version, cause()));
  await letPass(2 * MINUTE);
}

/** A dispute as Stripe reports it, about a payment with this reference. */
async function dispute(account_id: string, payment_intent: string): Promise<Reply> {
  const secret = 'whsec_0123456789abcdef';
  const nowMs = Date.now();
  const endpoint = { inbound_id: newId('in', nowMs), account_id, provider: 'stripe' as const };
  await admin().inbound.create({ ...endpoint, created_at: new Date(nowMs).toISOString() }, secret);
  const timestamp = Math.floor(nowMs / 1_000);
  const object = { id: 'dp_1', payment_intent, reason: 'fraudulent', status: 'needs_response', created: timestamp };
  const money = { amount: 2_500, currency: 'eur' };
  const type = 'charge.dispute.created';
  const body = JSON.stringify({ id: 'evt_1', type, created: timestamp, data: { object: { ...object, ...money } } });
  const { webhooks } = new Stripe(['sk', 'test', 'x'].join('_'));
  const signature = webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  const headers = { 'Stripe-Signature': signature };
  return call('POST', `/v1/inbound/stripe/${endpoint.inbound_id}`, { body, headers });
}

/** Makes every schedule of the stack run now. */
export async function fireSchedules(): Promise<void> {
  const { url } = localRun();
  const names = (await (await fetch(`${url}/_local/schedules`)).json()) as string[];
  await Promise.all(
    names.map((name) => fetch(`${url}/_local/schedules/${encodeURIComponent(name)}`, { method: 'POST' })),
  );
}

/**
 * A little of everything that the service does, on a run whose clock may be moved: every function, every decision, faults of the
 * caller, webhooks that arrive and webhooks that do not, sweeps and a training run.
 */
export async function mixedLoad(receiver: WebhookReceiver, letPass = pass): Promise<void> {
  const account = await webhookAccount(receiver);
  const { key } = account;
  const healthy = await account.register();
  // Few events: five failures in a row would open its breaker, and no second attempt be made for half a minute.
  const failing = await account.register(['case.resolved']);
  receiver.answer(failing.path, () => 500);

  const ok = async (reply: Promise<Reply>): Promise<Reply> => {
    const { status, ...rest } = await reply;
    if (status >= 400) throw new Error(`The mixed load was refused: ${status} ${rest.text}`);
    return { status, ...rest };
  };
  const doubtful: { case_id: string; transaction_id: string }[] = [];
  for (let opened = 0; opened < 4; opened++) doubtful.push((await account.openCase()).payment);
  // Before the clock moves: a signature of Stripe's is good for five minutes.
  await account.pay({ references: ['pi_1'] });
  await ok(dispute(account.account_id, 'pi_1'));
  const rule = { expression: 'amount > 150000', action: 'block', state: 'active' };
  await ok(account.put('/v1/rules/much', rule));
  await putModelInForce(letPass);
  await account.pay({ amount: 200_000 });
  for (let round = 0; round < ROUNDS; round++) {
    const paid = await account.pay({
      user_id: `regular-${round % 3}`,
      ip_address: '91.0.0.1',
      device_fingerprint: 'd',
    });
    await account.pay({ user_id: `regular-${round % 3}`, agent: AGENTS[round % 2] });
    await account.pay({ amount: 90_000 });
    await ok(account.get(`/v1/transactions/${paid.transaction_id}`));
    await ok(account.get(`/v1/decisions/${paid.transaction_id}`));
    await ok(account.get(`/v1/users/${paid.user_id}/risk-profile`));
  }
  const [first, second] = doubtful;
  for (const path of ['/v1/me', '/v1/keys', '/v1/decisions?decision=block', '/v1/rules', '/v1/lists', '/v1/counters'])
    await ok(account.get(path));
  await ok(account.get('/v1/overview'));
  await ok(account.get('/v1/cases?status=open'));
  await ok(account.get(`/v1/cases/${first?.case_id}`));
  await ok(account.put(`/v1/cases/${first?.case_id}`, { status: 'rejected', analyst_id: 'ada' }));
  const review = { decision: 'allow', analyst_id: 'ada' };
  await ok(account.post(`/v1/decisions/${second?.transaction_id}/review`, review));

  await receiver.until(healthy.path);
  await receiver.until(failing.path, ({ headers }) => Number(headers['x-service-attempt']) > 1, RETRY_WITHIN_MS);
  const deliveries = `/v1/webhooks/${healthy.webhook_id}/deliveries`;
  const { json: made } = await ok(account.get(deliveries));
  await ok(account.post(`${deliveries}/${made.deliveries[0].delivery_id}/redeliver`));
  await ok(account.post(`/v1/webhooks/${healthy.webhook_id}/test`));
  await ok(account.get('/v1/webhooks'));
  await ok(account.unregister(failing.webhook_id));

  await call('POST', '/v1/transactions/screen', { key, body: { user_id: 1 } });
  await call('GET', '/v1/transactions/txn_unknown', { key });
  await call('GET', '/v1/webhooks', { key: 'no-key' });
  await fireSchedules();
}
