import { call, newAccount } from '../../support/api';

describe('webhooks', () => {
  const endpoint = { url: 'https://example.com/hooks', events: ['case.created'] };

  describe('webhook endpoints over HTTP', () => {
    it('registers, lists without the secret, deletes', async () => {
      const { key } = await newAccount();
      const created = await call('POST', '/v1/webhooks', {
        key,
        body: { ...endpoint, events: ['case.created', 'case.resolved', 'case.created'], label: 'orders' },
      });
      expect(created.status).toBe(201);
      expect(created.json).toEqual({
        webhook_id: expect.stringMatching(/^wh_[0-9A-HJKMNP-TV-Z]{26}$/),
        url: endpoint.url,
        events: ['case.created', 'case.resolved'],
        label: 'orders',
        status: 'enabled',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      });
      expect(created.headers.get('content-type')).toBe('application/json');
      expect(created.headers.get('x-request-id')).toBeTruthy();
      expect(created.headers.get('x-api-version')).toBe('2026-11-14');

      const { signing_secret, ...shown } = created.json;
      const listed = await call('GET', '/v1/webhooks', { key });
      expect(listed.json).toEqual({ webhooks: [shown] });
      expect(listed.text).not.toContain('whsec_');

      const deleted = await call('DELETE', `/v1/webhooks/${shown.webhook_id}`, { key });
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect(deleted.headers.get('x-request-id')).toBeTruthy();
      expect((await call('DELETE', `/v1/webhooks/${shown.webhook_id}`, { key })).status).toBe(404);
      expect((await call('GET', '/v1/webhooks', { key })).json).toEqual({ webhooks: [] });
    });

    it('shows a missing label as null', async () => {
      const { key } = await newAccount();
      expect((await call('POST', '/v1/webhooks', { key, body: endpoint })).json.label).toBeNull();
    });

    it('reports all faults of a body at once', async () => {
      const { key } = await newAccount();
      const reply = await call('POST', '/v1/webhooks', {
        key,
        body: { url: 'http://example.com', events: ['nope'], label: 7 },
      });
      expect(reply.status).toBe(400);
      expect(reply.json.error.code).toBe('invalid_request');
      expect(reply.json.error.request_id).toBe(reply.headers.get('x-request-id'));
      expect(reply.json.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
        'events.0',
        'label',
        'url',
      ]);
    });

    it.each([
      'http://example.com/',
      'https://127.0.0.1/',
      'https://localhost/',
      'https://u:p@example.com/',
      'nonsense',
    ])('refuses %s', async (url) => {
      const { key } = await newAccount();
      const reply = await call('POST', '/v1/webhooks', { key, body: { ...endpoint, url } });
      expect([reply.status, reply.json.error.details[0].field]).toEqual([400, 'url']);
    });

    it('ignores unknown members and names them', async () => {
      const { key } = await newAccount();
      const reply = await call('POST', '/v1/webhooks?debug=1', { key, body: { ...endpoint, Label: 'x' } });
      expect(reply.status).toBe(201);
      expect(reply.json.warnings).toEqual([
        'Unknown field Label was ignored; did you mean label?',
        'Unknown field debug was ignored.',
      ]);
      expect((await call('GET', '/v1/webhooks', { key })).text).not.toContain('warnings');
    });

    it('holds an account to 20 endpoints, also when 40 are asked for at once', async () => {
      const { key } = await newAccount();
      const replies = await Promise.all(
        Array.from({ length: 40 }, () => call('POST', '/v1/webhooks', { key, body: endpoint })),
      );
      const statuses = replies.map(({ status }) => status);
      // A conflict between rivals may end in a polite 503; none of them may slip through.
      expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(20);
      expect(new Set(statuses)).toEqual(new Set(statuses.filter((status) => [201, 400, 503].includes(status))));
      for (let i = statuses.filter((status) => status === 201).length; i < 20; i++) {
        expect((await call('POST', '/v1/webhooks', { key, body: endpoint })).status).toBe(201);
      }
      const refused = await call('POST', '/v1/webhooks', { key, body: endpoint });
      expect([refused.status, refused.json.error.code]).toEqual([400, 'invalid_request']);
      const listed = (await call('GET', '/v1/webhooks', { key })).json.webhooks;
      expect(listed).toHaveLength(20);
      expect((await call('DELETE', `/v1/webhooks/${listed[0].webhook_id}`, { key })).status).toBe(204);
      expect((await call('POST', '/v1/webhooks', { key, body: endpoint })).status).toBe(201);
    });

    it('counts a deletion once, however often it is asked for', async () => {
      const { key } = await newAccount();
      const { webhook_id } = (await call('POST', '/v1/webhooks', { key, body: endpoint })).json;
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => call('DELETE', `/v1/webhooks/${webhook_id}`, { key })),
      );
      expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
      for (let i = 0; i < 20; i++)
        expect((await call('POST', '/v1/webhooks', { key, body: endpoint })).status).toBe(201);
      expect((await call('POST', '/v1/webhooks', { key, body: endpoint })).status).toBe(400);
    });
  });
});
