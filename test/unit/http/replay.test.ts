import type { Context } from 'aws-lambda';
import type { IdempotencyClaim, IdempotencyRecord } from '../../../shared/domain/idempotency';
import { idempotencyClaim } from '../../../shared/domain/idempotency';
import { endpoint } from '../../../shared/http/endpoint';
import { createdWebhookAnswer } from '../../../shared/http/presenters/webhook-answer';
import { createWebhookRoute } from '../../../shared/routes/create-webhook';
import { screenEventRoute } from '../../../shared/routes/screen-event';
import { testWebhookRoute } from '../../../shared/routes/test-webhook';
import { newId } from '../../../shared/runtime/ids';
import { type CreatedWebhook, createWebhook, mayShowAgain } from '../../../shared/usecases/webhooks/create-webhook';
import { memoryTable } from '../../support/memory/memory-table';
import { eventOf } from '../../support/proxy-event';

const NOW = Date.UTC(2026, 10, 16);
const HEADERS = [
  ['Content-Type', 'application/json'],
  ['Idempotency-Key', 'key'],
] as const;
const common = { clock: { now: () => NOW }, log: { info: () => undefined, error: () => undefined } as never };
const context = {} as Context;

describe('what an Idempotency-Key is claimed on', () => {
  const body = { event_type: 'login', user_id: 'u' };
  const scopes: string[] = [];
  const seen = (claim: IdempotencyClaim | undefined): void => void scopes.push(claim?.scope ?? '');
  const events = endpoint(screenEventRoute, common, async ({ claim }) => {
    seen(claim);
    return {} as never;
  });
  beforeEach(() => scopes.splice(0));

  it.each(['/v1/events', '/v1/events/', '/v1/event%73', '/%761/events', '/base/v1/events'])('%s', async (path) => {
    await events(eventOf('POST', path, { headers: HEADERS, body: JSON.stringify(body) }), context);
    // As it was when the path itself was hashed: keys in use on the day of the change still find their answers.
    expect(scopes).toEqual([idempotencyClaim('POST', '/v1/events', 'key', body).scope]);
  });

  it('is another resource for another ID', async () => {
    const find = async (_account: string, scope: string): Promise<IdempotencyRecord | undefined> => {
      scopes.push(scope);
      return undefined;
    };
    const test = endpoint(testWebhookRoute, { ...common, answers: { find } }, async () => ({}) as never);
    const ids = ['wh_01K9ZC3V5T8QJ4M2N6P7R8S9TB', 'wh_01K9ZC3V5T8QJ4M2N6P7R8S9TC'];
    for (const id of [...ids, `%77${ids[0]?.slice(1)}`]) {
      await test(eventOf('POST', `/v1/webhooks/${id}/test`, { headers: HEADERS }), context);
    }
    const [first, second, third] = scopes;
    expect(first).not.toBe(second);
    expect(third).toBe(first);
    expect(first).toBe(idempotencyClaim('POST', `/v1/webhooks/${ids[0]}/test`, 'key', null).scope);
  });
});

describe('a repeated registration of an endpoint', () => {
  const table = memoryTable();
  const deps = {
    ...common,
    newId,
    randomBytes: (size: number) => new Uint8Array(size).fill(7),
    webhooks: table.webhooks.merchant,
    answers: table.answers,
  };
  const register = endpoint(
    createWebhookRoute,
    deps,
    async ({ caller, body, record }) => {
      const recordOf = record && ((created: CreatedWebhook) => record(createdWebhookAnswer(created)));
      return createdWebhookAnswer(await createWebhook(deps, caller, body, recordOf));
    },
    { mayReplay: (caller, created) => mayShowAgain(deps, caller, created) },
  );
  const body = JSON.stringify({ url: 'https://example.com/hooks', events: ['case.created'] });
  const ask = () => register(eventOf('POST', '/v1/webhooks', { headers: HEADERS, body }), context);

  it('gets the first answer again, but not the secret of an endpoint that is gone', async () => {
    const first = await ask();
    expect(first.statusCode).toBe(201);
    const again = await ask();
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect(again.headers?.['Idempotent-Replayed']).toBe('true');

    await table.webhooks.merchant.remove('acc_1', JSON.parse(first.body).webhook_id);
    const late = await ask();
    expect(late.statusCode).toBe(404);
    expect(late.body).not.toContain('whsec_');
    expect(JSON.parse(late.body).error).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('deleted'),
    });
    expect(await table.webhooks.merchant.list('acc_1')).toEqual([]);
  });
});
