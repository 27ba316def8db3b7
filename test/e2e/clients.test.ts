import {
  type Case,
  type CreateWebhookRequest,
  type Delivery,
  FraudScreening,
  FraudScreeningError,
} from '../../sdk/client/src';
import { isRolledOut } from '../../shared/domain/rules/rule-set';
import { newUlid } from '../../shared/runtime/ids';
import { newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { MINUTE, pass, useTimeMachine } from '../support/machine/time-machine';
import { type Received, useReceiver } from '../support/webhooks/webhook-receiver';

describe('sdk client', () => {
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
});

describe('sdk webhooks', () => {
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

  describe('rules and lists', () => {
    const EXPENSIVE = { expression: 'amount > 500', action: 'block' } as const;
    const USERS = Array.from({ length: 12 }, (_, i) => `user-${i}`);
    /** Within a minute every function follows. */
    const applied = () => pass(MINUTE);

    async function merchant(events: CreateWebhookRequest['events']) {
      const { key } = await newAccount();
      const client = new FraudScreening({ apiKey: key, baseUrl: localRun().url, timeoutMs: 60_000 });
      const path = `/${newUlid(Date.now())}`;
      const { signing_secret } = await client.webhooks.create({ url: receiver.url(path), events });
      return {
        client,
        pay: (user_id: string, amount = 600) => client.transactions.screen({ user_id, amount, currency: 'EUR' }),
        /** A delivery of which the data looks like this, verified with the endpoint's secret. */
        verified: async (data: object) => {
          const isIt = ({ json }: Received) => Object.entries(data).every(([name, value]) => json.data[name] === value);
          const { body, headers } = await receiver.until(path, isIt);
          const tampered = Buffer.from(body.toString().replace('"data":{', '"data":{"x":1,'));
          // The functions' clock is some minutes ahead of this one.
          const options = { toleranceSeconds: 3_600 };
          await expect(
            client.webhooks.constructEvent(tampered, headers, signing_secret, options),
          ).rejects.toMatchObject({
            reason: 'signature_mismatch',
          });
          return client.webhooks.constructEvent(body, headers, signing_secret, options);
        },
      };
    }
    const decidedBy = async (shop: Awaited<ReturnType<typeof merchant>>, users: readonly string[]) => {
      const paid = await Promise.all(users.map((user) => shop.pay(user)));
      return users.filter((_, at) => paid[at]?.decided_by.name === 'expensive');
    };

    it('a rule goes from draft over shadow and 10 % to 100 % and is paused, and each change is reported', async () => {
      const shop = await merchant(['rule.changed']);
      const { rules, decisions } = shop.client;
      const first = await shop.pay('user-0');
      await decisions.review(first.decision_id, { decision: 'block' });
      const draft = await rules.put('expensive', EXPENSIVE);
      expect([draft.version, draft.state]).toEqual([1, 'draft']);
      expect(await shop.verified({ version: 1 })).toMatchObject({
        type: 'rule.changed',
        data: { change: 'created', name: 'expensive', state: 'draft', ...EXPENSIVE },
      });
      expect(await rules.test(EXPENSIVE)).toMatchObject({ labelled: 1, fraud_matched: 1, legitimate_matched: 0 });

      await rules.put('expensive', { ...EXPENSIVE, state: 'shadow' }, { ifVersion: 1 });
      await applied();
      const watched = await shop.pay('user-1');
      expect(watched.rules).toEqual([]);
      expect((await decisions.get(watched.decision_id)).shadow_rules).toEqual([
        { name: 'expensive', version: 2, action: 'block' },
      ]);

      await rules.put('expensive', { ...EXPENSIVE, state: 'active', rollout_percent: 10 }, { ifVersion: 2 });
      await applied();
      const tenth = USERS.filter((user) => isRolledOut('expensive', user, 10));
      expect(tenth.length).toBeGreaterThan(0);
      expect(await decidedBy(shop, USERS)).toEqual(tenth);

      await rules.put('expensive', { ...EXPENSIVE, state: 'active' }, { ifVersion: 3 });
      await applied();
      expect(await decidedBy(shop, USERS)).toEqual(USERS);
      expect(await shop.pay('user-2')).toMatchObject({
        decision: 'block',
        decided_by: { kind: 'rule', name: 'expensive' },
        rules: [{ name: 'expensive', version: 4, action: 'block' }],
      });
      expect((await shop.pay('user-2', 500)).rules).toEqual([]);

      await rules.put('expensive', { ...EXPENSIVE, state: 'paused' }, { ifVersion: 4 });
      await applied();
      expect(await decidedBy(shop, USERS)).toEqual([]);
      await rules.delete('expensive');
      expect(await shop.verified({ change: 'deleted' })).toMatchObject({ type: 'rule.changed' });
      for (const version of [2, 3, 4, 5]) {
        expect(await shop.verified({ version })).toMatchObject({ data: { change: 'updated' } });
      }
    });

    it('a stale edit is refused, and of two editors at once one is', async () => {
      const { rules } = (await merchant(['rule.changed'])).client;
      await rules.put('expensive', EXPENSIVE);
      const edits = await Promise.allSettled(
        ['ann', 'bob'].map((note) => rules.put('expensive', { ...EXPENSIVE, note }, { ifVersion: 1 })),
      );
      expect(edits.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const refused = edits.find((edit) => edit.status === 'rejected');
      expect(refused?.reason).toMatchObject({ status: 412, code: 'version_mismatch' });
      await expect(rules.put('expensive', EXPENSIVE, { ifVersion: 1 })).rejects.toMatchObject({ status: 412 });
      expect((await rules.versions('expensive')).versions.map(({ version }) => version)).toEqual([2, 1]);
    });

    it('a rule that allows does not beat a confirmed fraud, unless it says so', async () => {
      const shop = await merchant(['rule.changed']);
      const fraud = await shop.pay('mallory');
      await shop.client.decisions.review(fraud.decision_id, { decision: 'block' });
      const trust = { expression: 'amount > 0', action: 'allow', state: 'active' } as const;
      await shop.client.rules.put('trust', trust);
      await applied();
      expect((await shop.pay('honest')).decided_by).toEqual({ kind: 'rule', name: 'trust' });
      const held = await shop.pay('mallory');
      expect([held.decided_by.kind, held.decision === 'allow']).toEqual(['score', false]);
      await shop.client.rules.put('trust', { ...trust, override_labels: true });
      await applied();
      expect(await shop.pay('mallory')).toMatchObject({ decision: 'allow', decided_by: { name: 'trust' } });
    });

    it('changes of a list are reported without its values', async () => {
      const shop = await merchant(['list.changed']);
      const { lists } = shop.client;
      await lists.put('vips', { type: 'user_id', effect: 'allow' });
      await lists.addEntries('vips', { entries: [{ value: 'listed-1' }, { value: 'listed-2' }] });
      await lists.deleteEntry('vips', 'listed-1');
      await lists.delete('vips');
      const about = { type: 'list.changed', data: { name: 'vips', type: 'user_id', effect: 'allow' } };
      expect(await shop.verified({ change: 'created' })).toMatchObject(about);
      expect(await shop.verified({ change: 'entries', added: 2 })).toMatchObject(about);
      expect(await shop.verified({ change: 'entries', removed: 1 })).toMatchObject(about);
      expect(await shop.verified({ change: 'deleted' })).toMatchObject(about);
      expect(receiver.received.some(({ body }) => body.includes('listed-1'))).toBe(false);
    });
  });
});
