import { inspect } from 'node:util';
import { FraudScreening, FraudScreeningError } from '../../../sdk/client/src';
import { errorStep, type Step } from '../../support/scripted-server';
import { against } from './client-under-test';

const payment = { user_id: 'u', amount: 1, currency: 'EUR' };
const login = { user_id: 'u', event_type: 'login' } as const;
const unavailable = errorStep(503, 'unavailable');

describe('fail policy', () => {
  it.each<[string, Step]>([
    ['the service is unavailable', unavailable],
    ['it is rate-limited', errorStep(429, 'rate_limited')],
    ['nobody answers', 'reset'],
    ['a proxy answers for it', { status: 504, body: 'Gateway Timeout' }],
  ])('goes on when %s, and says that nothing was screened', async (_name, step) => {
    await against<'review'>(
      [step],
      async ({ client, requests }) => {
        const result = await client.transactions.screen(payment);
        expect(result).toEqual({
          fallback: true,
          decision: 'review',
          error: expect.any(FraudScreeningError),
          idempotencyKey: requests[0]?.headers['idempotency-key'],
        });
        expect(await client.events.screen(login)).toMatchObject({ fallback: true, decision: 'review' });
      },
      { failPolicy: 'review', maxRetries: 1 },
    );
  });

  it('goes on when time is up', async () => {
    await against<'allow'>(
      ['hang'],
      async ({ client }) => {
        const result = await client.transactions.screen(payment);
        expect(result).toMatchObject({ fallback: true, decision: 'allow', error: { code: 'timed_out' } });
      },
      { failPolicy: 'allow', timeoutMs: 100, maxRetries: 0 },
    );
  });

  it('never hides a mistake of the caller’s', async () => {
    await against<'allow'>(
      [errorStep(401, 'unauthorized')],
      async ({ client }) => {
        await expect(client.transactions.screen(payment)).rejects.toMatchObject({ code: 'unauthorized' });
      },
      { failPolicy: 'allow' },
    );
  });

  it('is to throw where none was chosen, and a call may choose its own', async () => {
    await against([unavailable], async ({ client }) => {
      await expect(client.transactions.screen(payment)).rejects.toMatchObject({ code: 'unavailable' });
      const chosen = await client.transactions.screen(payment, { failPolicy: 'allow', idempotencyKey: 'order-1' });
      expect(chosen).toMatchObject({ fallback: true, decision: 'allow', idempotencyKey: 'order-1' });
    });
  });

  it('leaves an answer of the service as it is', async () => {
    const answer = { transaction_id: 'txn_1', risk_score: 7, decision: 'allow' };
    await against<'review'>(
      [{ status: 200, body: answer }],
      async ({ client }) => expect(await client.transactions.screen(payment)).toEqual(answer),
      { failPolicy: 'review' },
    );
  });
});

describe('a try whose answer was lost', () => {
  const resolved = { case_id: 'case_1', status: 'rejected', resolved_by: 'ann', notes: null };
  const closed = errorStep(409, 'case_not_open');

  it('had resolved the case: its own conflict is no error', async () => {
    await against(['reset', closed, { status: 200, body: resolved }], async ({ client, requests }) => {
      const result = await client.cases.resolve('case_1', { status: 'rejected', analyst_id: 'ann' });
      expect(result).toEqual(resolved);
      expect(requests.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'GET']);
    });
  });

  it.each([
    ['another analyst was faster', { ...resolved, resolved_by: 'bob' }],
    ['it was resolved the other way', { ...resolved, status: 'approved' }],
    ['other notes stand there', { ...resolved, notes: 'seen it' }],
  ])('but the conflict stays when %s', async (_name, found) => {
    await against(['reset', closed, { status: 200, body: found }], async ({ client }) => {
      const call = client.cases.resolve('case_1', { status: 'rejected', analyst_id: 'ann' });
      await expect(call).rejects.toMatchObject({ code: 'case_not_open' });
    });
  });

  it('a conflict on the first try is believed', async () => {
    await against([closed], async ({ client, requests }) => {
      await expect(client.cases.resolve('case_1', { status: 'approved' })).rejects.toMatchObject({ status: 409 });
      expect(requests).toHaveLength(1);
    });
  });

  it('had deleted the endpoint: it is gone, as asked', async () => {
    await against(['reset', errorStep(404, 'not_found')], async ({ client }) => {
      await client.webhooks.delete('wh_1');
    });
    await against([errorStep(404, 'not_found')], async ({ client }) => {
      await expect(client.webhooks.delete('wh_1')).rejects.toMatchObject({ code: 'not_found' });
    });
  });
});

describe('requests', () => {
  it('pin the version, carry the key, and no body on a GET', async () => {
    await against([{ status: 200, body: {} }], async ({ client, requests }) => {
      await client.users.riskProfile('a/b ü%?#');
      const [{ method, path, headers, body } = { headers: {} }] = requests as [(typeof requests)[number]];
      expect([method, path, body]).toEqual(['GET', '/v1/users/a%2Fb%20%C3%BC%25%3F%23/risk-profile', '']);
      expect(headers).toMatchObject({
        authorization: expect.stringMatching(/^Bearer sk_test_/),
        'x-api-version': '2026-11-14',
        'user-agent': expect.stringMatching(/^fraud-screening-client\/\d/),
      });
      expect(headers).not.toHaveProperty('idempotency-key');
      expect(headers).not.toHaveProperty('content-type');
    });
  });

  it('put what is asked for into the query, dates as ISO 8601, and leave out what is undefined', async () => {
    await against([{ status: 200, body: { cases: [], has_more: false } }], async ({ client, requests }) => {
      const start_date = new Date('2026-11-14T00:00:00Z');
      await client.cases.list({ status: 'open', limit: 5, offset: undefined, start_date, end_date: '2026-11-15' });
      await client.cases.list();
      expect(requests.map(({ path }) => path)).toEqual([
        '/v1/cases?status=open&limit=5&start_date=2026-11-14T00%3A00%3A00.000Z&end_date=2026-11-15',
        '/v1/cases',
      ]);
    });
  });

  it.each(['', '.', '..'])('never go out for the id %p, which would be another route', async (id) => {
    await against([{ status: 200, body: {} }], async ({ client, requests }) => {
      await expect(async () => client.users.riskProfile(id)).rejects.toThrow(TypeError);
      expect(requests).toHaveLength(0);
    });
  });

  it('name every fault in the message of the error', async () => {
    const details = [
      { field: 'amount', message: 'must be more than 0' },
      { field: 'currency', message: 'is missing' },
    ];
    const error = { code: 'invalid_request', message: 'Two faults', request_id: 'r', details };
    await against([{ status: 400, body: { error } }], async ({ client }) => {
      await expect(client.transactions.screen(payment)).rejects.toMatchObject({
        message: 'Two faults; amount: must be more than 0; currency: is missing',
        details,
        requestId: 'r',
      });
    });
  });
});

it('errors name no fault twice: the message of the API names the first', async () => {
  const details = [
    { field: 'amount', message: 'must be greater than 0' },
    { field: 'currency', message: 'is required, and must be a string' },
  ];
  const message = 'amount: must be greater than 0 (and 1 more, see details)';
  const error = { code: 'invalid_request', message, request_id: 'r', details };
  await against([{ status: 400, body: { error } }], async ({ client }) => {
    await expect(client.transactions.screen(payment)).rejects.toMatchObject({
      message: `${message}; currency: is required, and must be a string`,
      details,
    });
  });
});

describe('options', () => {
  const apiKey = ['sk', 'live', 'x'].join('_');
  it.each([
    ['plain http', { apiKey, baseUrl: 'http://api.example.com' }, /https/],
    ['a base with /v1', { apiKey, baseUrl: 'https://api.example.com/v1/' }, /must not include \/v1/],
    ['a base with a query', { apiKey, baseUrl: 'https://api.example.com/?a=1' }, /query/],
    ['an empty base', { apiKey, baseUrl: '' }, /baseUrl is empty/],
    ['no URL', { apiKey, baseUrl: 'api.example.com' }, /URL/],
    ['no key', { apiKey: '', baseUrl: 'https://api.example.com' }, /apiKey/],
    ['a key with a line break', { apiKey: `${apiKey}\nX: y`, baseUrl: 'https://api.example.com' }, /apiKey/],
  ])('%s is refused at once', (_name, options, message) => {
    expect(() => new FraudScreening(options)).toThrow(message);
  });

  it('a base may have a path, as API Gateway’s has its stage', async () => {
    const seen: string[] = [];
    const client = new FraudScreening({
      apiKey,
      baseUrl: 'https://abc.execute-api.eu-central-1.amazonaws.com/sandbox/',
      runtime: {
        fetch: async (input) => {
          seen.push(String(input));
          return new Response('{"webhooks":[]}');
        },
      },
    });
    await client.webhooks.list();
    expect(seen).toEqual(['https://abc.execute-api.eu-central-1.amazonaws.com/sandbox/v1/webhooks']);
  });

  it('the key is in nothing that a log would print', () => {
    const client = new FraudScreening({ apiKey, baseUrl: 'https://api.example.com' });
    expect(JSON.stringify(client) + inspect(client, { depth: 9, showHidden: true })).not.toContain(apiKey);
  });
});
