import { setTimeout as delay } from 'node:timers/promises';
import Stripe from 'stripe';
import { newId } from '../../../shared/runtime/ids';
import { admin } from '../api';
import { askAfd } from '../ask-afd';
import { patient } from '../patience';
import { longNotes } from '../stores/long-notes';
import type { webhookAccount } from '../webhooks/webhook-account';
import type { WebhookReceiver } from '../webhooks/webhook-receiver';

type Account = Awaited<ReturnType<typeof webhookAccount>>;

const payment = (user_id: string, more: object) => ({ user_id, amount: 20, currency: 'EUR', ...more });

/** Outcomes in every way they arrive. Of `strict`, everything ends in review; nothing of `usual` does. */
export async function reportOutcomes(strict: Account, usual: Account, sweep: () => Promise<void>): Promise<void> {
  await askAfd(strict, 'GetEventPrediction', 'charged');
  const { decisions } = (await strict.get('/v1/decisions?user_id=user-charged')).json;
  const { decision_id: subject_id, decided_at: occurred_at } = decisions[0];
  const report = (by: Account, body: object) =>
    by.post('/v1/outcomes', { type: 'chargeback', occurred_at, ...body }, { 'Idempotency-Key': 'outcome' });
  for (let time = 0; time < 2; time += 1) {
    expect((await report(strict, { subject_id, source_id: 'dispute 1' })).json.label_in_force).toBe('fraud');
  }
  // A person's word on what is kept by now.
  const label = { assignedLabel: 'legit', labelTimestamp: occurred_at };
  expect((await askAfd(strict, 'UpdateEventLabel', 'charged', label)).text).toBe('{}');

  const declined = { type: 'declined', decline_reason: 'do_not_honor', source_id: 'charge 1', occurred_at };
  expect((await strict.post('/v1/outcomes', { subject_id, ...declined })).status).toBe(200);

  expect((await report(usual, { reference: 'order to come', source_id: 'dispute 2' })).status).toBe(202);
  expect((await usual.post('/v1/outcomes', { reference: 'order to come', ...declined })).status).toBe(202);
  await usual.post('/v1/transactions/screen', payment('late', { references: ['order to come'] }));
  await sweep();
  expect((await usual.get('/v1/users/late/risk-profile')).json.outcomes.confirmed_fraud).toBe(1);

  const [inbound_id, secret] = [newId('in', Date.now()), 'whsec_0123456789abcdef'];
  const address = { inbound_id, account_id: usual.account_id, provider: 'stripe', created_at: occurred_at } as const;
  await admin().inbound.create(address, secret);
  const timestamp = Math.floor(Date.parse(occurred_at) / 1000);
  const event = { type: 'charge.dispute.created', created: timestamp, data: { object: {} } };
  const signature = new Stripe(['sk', 'test', 'x'].join('_')).webhooks.generateTestHeaderString({
    ...{ payload: JSON.stringify(event), secret, timestamp },
  });
  const sent = await usual.post(`/v1/inbound/stripe/${inbound_id}`, event, { 'Stripe-Signature': signature });
  expect(sent.status).toBe(200);
  expect(await admin().inbound.asides(inbound_id)).toHaveLength(1);
}

/** Somebody of whom every kind of item knows, and who is then forgotten. Everything of the account ends in review. */
export async function eraseSomebody(by: Account, receiver: WebhookReceiver, erase: () => Promise<void>): Promise<void> {
  const { path } = await by.register(['case.created', 'decision.reviewed']);
  const once = { 'Idempotency-Key': 'somebody' };
  const where = { device_fingerprint: 'phone of somebody', ip_address: '91.64.0.2', references: ['order of somebody'] };
  const { json } = await by.post('/v1/transactions/screen', payment('somebody', where));
  await receiver.until(path);
  const { ip_address, references } = where;
  const report = { reference: references[0], type: 'user_report', source_id: 'report of somebody' };
  const reported = await by.post('/v1/outcomes', { ...report, occurred_at: json.screened_at });
  expect(reported.json.applied).toBe(true);
  const entities = [{ entityType: 'customer', entityId: 'somebody' }];
  // From their own address: others' would link them with people who used it before.
  const event = { entities, eventVariables: { order_price: '20', ip_address } };
  expect((await askAfd(by, 'GetEventPrediction', 'of somebody', event)).status).toBe(200);
  const next = payment('a neighbour', { ip_address, device_fingerprint: 'phone of a neighbour' });
  expect((await by.post('/v1/transactions/screen', next)).status).toBe(200);
  // Links trail the stream: once the neighbour's is there, those of the screening before it are.
  const deadline = Date.now() + patient(20_000);
  const isLinked = async () =>
    (await by.get('/v1/users/somebody/links')).json.nodes.filter(({ type }: { type: string }) => type === 'user')
      .length > 1;
  while (!(await isLinked())) {
    if (Date.now() > deadline) throw new Error('The neighbour was never linked');
    await delay(100);
  }
  expect((await by.post(`/v1/cases/${json.case_id}/comments`, { text: 'Called.' })).status).toBeLessThan(300);
  const { cases } = (await by.get('/v1/cases?user_id=somebody')).json;
  expect(cases.map(({ case_id }: { case_id: string }) => case_id)).toContain(json.case_id);
  await by.put('/v1/lists/stopped', { type: 'user_id', effect: 'block' });
  await by.post('/v1/lists/stopped/entries', { entries: [{ value: 'somebody' }] });
  await by.put('/v1/lists/watched', { type: 'user_id', effect: 'none' });
  await by.post('/v1/lists/watched/entries', { entries: [{ value: 'somebody' }] });
  const [{ keys }, { entries }] = [(await by.get('/v1/keys')).json, (await by.get('/v1/lists/watched/entries')).json];
  expect(entries).toMatchObject([{ added_by: keys[0].key_id, added_by_name: keys[0].name }]);
  const review = { decision: 'block', notes: longNotes() };
  expect((await by.post(`/v1/decisions/${json.decision_id}/review`, review, once)).status).toBe(200);
  // One message is stored with its delivery, the other is too large.
  await receiver.untilAll(path, 2);

  const forgotten = await by.post('/v1/users/somebody/forget-labels', { reason: 'a victim' }, once);
  expect(forgotten.json.forgotten.users).toBe(1);
  const exported = (await by.post('/v1/users/somebody/export')).json;
  expect(exported).toMatchObject({ comments: [{}], list_entries: [{}, {}] });
  const { erasure_id } = (await by.delete('/v1/users/somebody')).json;
  // Of somebody who wants everything gone, nothing stays as evidence.
  const { json: whole } = await by.delete('/v1/users/a%20neighbour?everything=true');
  await erase();
  expect((await by.get(`/v1/erasures/${whole.erasure_id}`)).json).toMatchObject({ status: 'completed' });
  expect((await by.get(`/v1/erasures/${erasure_id}`)).json).toMatchObject({
    ...{ status: 'completed', erased: { reference: 1, outcome: 1, client_event: 1 } },
  });
}
