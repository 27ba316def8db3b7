import { type Case, FraudScreening, FraudScreeningError } from '../../sdk/client/src';
import { newAccount } from '../support/api';
import { localRun } from '../support/local-run';

const newClient = async (): Promise<FraudScreening> => {
  const { key } = await newAccount();
  return new FraudScreening({ apiKey: key, baseUrl: localRun().url, timeoutMs: 30_000, attemptTimeoutMs: 20_000 });
};

/** A payment right after a signup from a cloud server: it goes to review. */
async function suspicious(client: FraudScreening, user_id: string, ip_address = '52.94.76.1') {
  const origin = { user_id, ip_address, device_fingerprint: `device of ${user_id}` };
  await client.events.screen({ ...origin, event_type: 'signup' });
  return client.transactions.screen({ ...origin, amount: 1500, currency: 'USD' });
}

describe('the client against the local run', () => {
  it('goes through a payment, its case and its review', async () => {
    const client = await newClient();
    const screened = await suspicious(client, 'mallory/é ');
    expect(screened).toMatchObject({ user_id: 'mallory/é ', decision: 'review', case_id: expect.any(String) });
    expect(await client.transactions.get(screened.transaction_id)).toEqual(screened);

    const opened = await client.cases.get(screened.case_id ?? '');
    expect(opened).toMatchObject({ status: 'open', subject_id: screened.transaction_id });
    const resolved = await client.cases.resolve(opened.case_id, { status: 'rejected', analyst_id: 'ann' });
    expect(resolved).toMatchObject({ status: 'rejected', resolved_by: 'ann' });
    await expect(client.cases.resolve(opened.case_id, { status: 'approved' })).rejects.toMatchObject({
      code: 'case_not_open',
      status: 409,
      requestId: expect.any(String),
    });

    const decision = await client.decisions.get(screened.decision_id);
    expect(decision).toMatchObject({ decision: 'block', automated_decision: 'review' });
    const overridden = await client.decisions.review(screened.transaction_id, { decision: 'allow' });
    expect(overridden).toMatchObject({ decision_id: decision.decision_id, decision: 'allow' });
    const profile = await client.users.riskProfile('mallory/é ');
    expect(profile).toMatchObject({ transactions: { count: 1, reviewed: 1 }, events: { by_type: { signup: 1 } } });
  });

  it('an idempotency key of one’s own makes a screening happen once', async () => {
    const client = await newClient();
    const payment = { user_id: 'twice', amount: 10, currency: 'EUR' };
    const [first, second] = [
      await client.transactions.screen(payment, { idempotencyKey: 'order-1' }),
      await client.transactions.screen(payment, { idempotencyKey: 'order-1' }),
    ];
    expect(second).toEqual(first);
    const third = await client.transactions.screen(payment);
    expect(third.transaction_id).not.toBe(first.transaction_id);
    expect((await client.users.riskProfile('twice')).transactions.count).toBe(2);
    const other = client.transactions.screen({ ...payment, amount: 11 }, { idempotencyKey: 'order-1' });
    await expect(other).rejects.toMatchObject({ code: 'idempotency_mismatch', status: 422 });
  });

  it('walks over all open cases while resolving them', async () => {
    const client = await newClient();
    const opened: string[] = [];
    for (const host of [1, 2, 3, 4, 5, 6, 7]) {
      opened.unshift((await suspicious(client, `user ${host}`, `52.94.76.${host}`)).case_id ?? '');
    }
    const walked: Case[] = [];
    for await (const each of client.cases.all({ status: 'open', limit: 2 })) {
      walked.push(each);
      await client.cases.resolve(each.case_id, { status: 'approved' });
    }
    expect(walked.map(({ case_id }) => case_id)).toEqual(opened);
    const page = await client.cases.list({ limit: 3, offset: 1 });
    expect(page).toMatchObject({ total: 7, limit: 3, offset: 1, has_more: true });
    expect(page.cases.map(({ case_id, status }) => [case_id, status])).toEqual(
      opened.slice(1, 4).map((id) => [id, 'approved']),
    );
  });

  it('registers, lists and deletes webhook endpoints', async () => {
    const client = await newClient();
    const created = await client.webhooks.create({ url: 'https://example.com/hooks', events: ['case.created'] });
    expect(created.signing_secret).toMatch(/^whsec_/);
    const { signing_secret: _secret, ...shown } = created;
    expect(await client.webhooks.list()).toEqual({ webhooks: [shown] });
    await client.webhooks.delete(created.webhook_id);
    expect(await client.webhooks.list()).toEqual({ webhooks: [] });
    await expect(client.webhooks.delete(created.webhook_id)).rejects.toBeInstanceOf(FraudScreeningError);
  });

  it('says what is wrong with a request', async () => {
    const client = await newClient();
    const call = client.transactions.screen({ user_id: '', amount: 0, currency: 'euro' });
    await expect(call).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'user_id' }, { field: 'amount' }, { field: 'currency' }],
    });
    await expect(client.users.riskProfile('nobody')).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });
});
