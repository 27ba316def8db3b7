import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, newAccount } from '../support/api';
import { startLocalRun, stopLocalRun } from '../support/local-run';
import { besideBusyCore } from '../support/machine/busy-core';
import { sized } from '../support/sized';
import { expectOneEffect, type Repeats, sendRepeats } from '../support/traffic/repeats';

describe('idempotency', () => {
  const body = { url: 'https://example.com/hooks', events: ['case.created'] };
  const post = (key: string, idempotencyKey: string, sent: unknown = body) =>
    call('POST', '/v1/webhooks', { key, body: sent, headers: { 'Idempotency-Key': idempotencyKey } });
  const countOf = async (key: string): Promise<number> =>
    (await call('GET', '/v1/webhooks', { key })).json.webhooks.length;

  describe('Idempotency-Key', () => {
    it('gives the first answer again, byte for byte, and does nothing twice', async () => {
      const { key } = await newAccount();
      const once = randomUUID();
      const first = await post(key, once);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      const again = await post(key, once);
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      expect(await countOf(key)).toBe(1);
    });

    it('does not show the secret once the endpoint is gone, and makes no other', async () => {
      const { key } = await newAccount();
      const once = randomUUID();
      const first = await post(key, once);
      await call('DELETE', `/v1/webhooks/${first.json.webhook_id}`, { key });
      const again = await post(key, once);
      expect([again.status, again.json.error.code]).toEqual([404, 'not_found']);
      expect(await countOf(key)).toBe(0);
    });

    it('has one effect for 50 parallel requests, and byte-equal answers', async () => {
      const { key } = await newAccount();
      const once = randomUUID();
      const replies = await Promise.all(Array.from({ length: 50 }, () => post(key, once)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
      expect(await countOf(key)).toBe(1);
    });

    it('refuses the same key with another body', async () => {
      const { key } = await newAccount();
      const once = randomUUID();
      await post(key, once);
      const other = await post(key, once, { ...body, label: 'other' });
      expect([other.status, other.json.error.code]).toEqual([422, 'idempotency_mismatch']);
      expect(await countOf(key)).toBe(1);
    });

    it('takes a body in another member order for the same', async () => {
      const { key } = await newAccount();
      const once = randomUUID();
      const first = await post(key, once);
      const again = await post(key, once, { events: body.events, url: body.url });
      expect(again.text).toBe(first.text);
    });

    it('belongs to the account that sent it', async () => {
      const [one, other] = [await newAccount(), await newAccount()];
      const once = randomUUID();
      const first = await post(one.key, once);
      const second = await post(other.key, once);
      expect(second.status).toBe(201);
      expect(second.json.webhook_id).not.toBe(first.json.webhook_id);
    });

    it('keeps nothing of a refused request: the corrected one may use the same key', async () => {
      const { key } = await newAccount();
      const once = randomUUID();
      expect((await post(key, once, { ...body, url: 'http://example.com' })).status).toBe(400);
      expect((await post(key, once)).status).toBe(201);
    });

    it('takes labels back once', async () => {
      const { key } = await newAccount();
      await call('POST', '/v1/events', { key, body: { event_type: 'login', user_id: 'victim' } });
      const forget = (reason: string) =>
        call('POST', '/v1/users/victim/forget-labels', {
          key,
          body: { reason },
          headers: { 'Idempotency-Key': 'once' },
        });
      const [first, again, other] = [await forget('stolen'), await forget('stolen'), await forget('other')];
      expect([first.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
      expect(other.json.error.code).toBe('idempotency_mismatch');
    });

    it('is at most 255 characters', async () => {
      const { key } = await newAccount();
      expect((await post(key, 'k'.repeat(255))).status).toBe(201);
      const long = await post(key, 'k'.repeat(256));
      expect([long.status, long.json.error.details[0].field]).toEqual([400, 'Idempotency-Key']);
    });
  });
});

describe('repeats', () => {
  const ROUNDS = sized(10, 1);
  const REPEATS = 50;

  /** Nothing has run yet in this run: every function begins with its cold start, 50 requests at once. */
  async function onColdFunctions(act: () => Promise<Repeats>): Promise<Repeats> {
    const shared = process.env.LOCAL_RUN_DIR;
    const dataDir = mkdtempSync(join(tmpdir(), 'cold-functions-'));
    const { child } = await startLocalRun(dataDir, ['--concurrency', '6']);
    process.env.LOCAL_RUN_DIR = dataDir;
    try {
      return await act();
    } finally {
      process.env.LOCAL_RUN_DIR = shared;
      await stopLocalRun(child);
      rmSync(dataDir, { recursive: true, force: true });
    }
  }

  describe('50 requests at once with one Idempotency-Key count once on every entity', () => {
    const rounds = Array.from({ length: ROUNDS }, (_, at) => at + 1);

    it.each(rounds)(
      'on cold functions, round %i',
      async () => {
        expectOneEffect(await onColdFunctions(() => sendRepeats(REPEATS)));
      },
      300_000,
    );

    it.each(rounds)(
      'on cold functions beside a busy core, round %i',
      async () => {
        expectOneEffect(await onColdFunctions(() => besideBusyCore(() => sendRepeats(REPEATS))));
      },
      300_000,
    );
  });
});
