import { ClaimTaken } from '../../../shared/domain/idempotency';
import { MAX_ENDPOINTS_PER_ACCOUNT, type WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint';
import { newId } from '../../../shared/runtime/ids';
import type { AnswersPort } from '../memory/memory-answers';
import type { WebhooksPort } from '../memory/memory-webhooks';
import { freshAccount, type MakePort, START_MS } from './fresh-account';

/** Endpoints, and the answers that are recorded with them. */
export interface WebhooksWorld {
  readonly webhooks: WebhooksPort;
  readonly answers: AnswersPort;
}

const endpointOf = (change: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  webhook_id: newId('wh', START_MS),
  url: 'https://receiver.example/hooks',
  events: ['transaction.screened', 'case.created'],
  label: null,
  status: 'enabled',
  created_at: new Date(START_MS).toISOString(),
  ...change,
});

const byId = (a: WebhookEndpoint, b: WebhookEndpoint): number => (a.webhook_id < b.webhook_id ? -1 : 1);

/** Tests that every store of webhook endpoints must pass. */
export function describeWebhooksConformance(name: string, makePort: MakePort<WebhooksWorld>): void {
  describe(`webhook endpoints in ${name}`, () => {
    let world: WebhooksWorld;
    let account: string;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
    });
    const insert = (endpoint: WebhookEndpoint, secret = 'whsec_1') =>
      world.webhooks.merchant.insert(account, { endpoint, secret }, START_MS);
    const answer = { scope: 'scope', body_hash: 'hash', status: 201, body: '{}' };

    it('shows an endpoint without its secret, except to its sender, and to its account only', async () => {
      const endpoint = endpointOf({ label: 'shop' });
      expect(await insert(endpoint)).toBe(true);
      const { merchant, sender } = world.webhooks;
      expect(await merchant.find(account, endpoint.webhook_id)).toEqual(endpoint);
      expect(await sender.find(account, endpoint.webhook_id)).toEqual({ ...endpoint, signing_secret: 'whsec_1' });
      expect(await merchant.find(freshAccount(), endpoint.webhook_id)).toBeUndefined();
      expect(await sender.find(freshAccount(), endpoint.webhook_id)).toBeUndefined();
    });

    it('lists the endpoints of an account by id', async () => {
      const endpoints = [endpointOf(), endpointOf(), endpointOf()];
      for (const endpoint of endpoints) await insert(endpoint);
      expect(await world.webhooks.merchant.list(account)).toEqual([...endpoints].sort(byId));
      expect(await world.webhooks.merchant.list(freshAccount())).toEqual([]);
    });

    it('never has more than an account may have, however many are registered at once', async () => {
      const tries = Array.from({ length: MAX_ENDPOINTS_PER_ACCOUNT + 3 }, () => insert(endpointOf()));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(MAX_ENDPOINTS_PER_ACCOUNT);
      const [first] = await world.webhooks.merchant.list(account);
      expect(await world.webhooks.merchant.remove(account, first?.webhook_id ?? '')).toBe(true);
      expect([await insert(endpointOf()), await insert(endpointOf())]).toEqual([true, false]);
    });

    it('registers an id once, and one that is removed twice makes room once', async () => {
      const endpoint = endpointOf();
      await insert(endpoint);
      expect(await insert({ ...endpoint, url: 'https://another.example' }, 'whsec_2')).toBe(false);
      expect(await world.webhooks.sender.find(account, endpoint.webhook_id)).toMatchObject({
        url: endpoint.url,
        signing_secret: 'whsec_1',
      });
      const { remove } = world.webhooks.merchant;
      expect(await remove(freshAccount(), endpoint.webhook_id)).toBe(false);
      const removed = await Promise.all([1, 2, 3].map(() => remove(account, endpoint.webhook_id)));
      expect(removed.filter(Boolean)).toHaveLength(1);
      for (let i = 0; i < MAX_ENDPOINTS_PER_ACCOUNT; i++) expect(await insert(endpointOf())).toBe(true);
      expect(await insert(endpointOf())).toBe(false);
    });

    it('records the answer with the endpoint, or neither', async () => {
      const { merchant } = world.webhooks;
      const [first, second] = [endpointOf(), endpointOf()];
      expect(await merchant.insert(account, { endpoint: first, secret: 'whsec_1' }, START_MS, answer)).toBe(true);
      expect(await world.answers.find(account, 'scope', START_MS)).toEqual(answer);
      const again = merchant.insert(account, { endpoint: second, secret: 'whsec_2' }, START_MS + 1, {
        ...answer,
        body: 'other',
      });
      await expect(again).rejects.toBeInstanceOf(ClaimTaken);
      expect(await merchant.list(account)).toEqual([first]);
      const taken = merchant.insert(account, { endpoint: first, secret: 'whsec_3' }, START_MS, {
        ...answer,
        scope: 'another',
      });
      expect(await taken).toBe(false);
      expect(await world.answers.find(account, 'another', START_MS)).toBeUndefined();
    });

    it('disables an endpoint once, for the reason that came first', async () => {
      const { merchant, sender } = world.webhooks;
      const endpoint = endpointOf();
      await insert(endpoint);
      expect(await sender.disable(account, endpoint.webhook_id, 'gone', START_MS + 5)).toBe(true);
      expect(await sender.disable(account, endpoint.webhook_id, 'failing', START_MS + 9)).toBe(false);
      expect(await merchant.find(account, endpoint.webhook_id)).toEqual({
        ...endpoint,
        status: 'disabled',
        disabled_at: new Date(START_MS + 5).toISOString(),
        disabled_reason: 'gone',
      });
      await merchant.remove(account, endpoint.webhook_id);
      expect(await sender.disable(account, endpoint.webhook_id, 'gone', START_MS)).toBe(false);
      expect(await merchant.find(account, endpoint.webhook_id)).toBeUndefined();
    });

    it('keeps the previous secret of a rotated endpoint for as long as receivers were given', async () => {
      const { admin, sender } = world.webhooks;
      const endpoint = endpointOf();
      await insert(endpoint);
      expect(await admin.rotate(account, endpoint.webhook_id, 'whsec_2', START_MS + 10)).toBe(true);
      expect(await sender.find(account, endpoint.webhook_id)).toEqual({
        ...endpoint,
        signing_secret: 'whsec_2',
        previous: { secret: 'whsec_1', untilMs: START_MS + 10 },
      });
      expect(await admin.rotate(account, newId('wh', START_MS), 'whsec_3', START_MS)).toBe(false);
    });
  });
}
