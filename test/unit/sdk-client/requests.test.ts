import { inspect } from 'node:util';
import fc from 'fast-check';
import { FraudScreening, FraudScreeningError } from '../../../sdk/client/src';
import { backoffMs, platform, retryAfterMs } from '../../../sdk/client/src/request';
import { errorStep, type Step } from '../../support/machine/scripted-server';
import { against } from './client-under-test';

describe('retries', () => {
  const payment = { user_id: 'u', amount: 1, currency: 'EUR' };
  const answer = { transaction_id: 'txn_1', decision: 'allow', risk_score: 3 };
  const ok: Step = { status: 200, body: answer };
  const unavailable = errorStep(503, 'unavailable');

  const failure = async (call: Promise<unknown>): Promise<FraudScreeningError> => {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof FraudScreeningError)) throw new Error('did not fail as expected', { cause: error });
    return error;
  };

  describe('what is tried again', () => {
    it.each<[string, Step]>([
      ['429', errorStep(429, 'rate_limited')],
      ['500', errorStep(500, 'internal_error')],
      ['502 of a proxy', { status: 502, body: '<html>' }],
      ['503', unavailable],
      ['504 without a body', { status: 504 }],
      ['408', { status: 408 }],
      ['a key that is still in use', errorStep(409, 'idempotency_in_progress')],
      ['a connection that breaks', 'reset'],
      ['an answer that breaks off', 'half'],
    ])('%s, with the same key and body', async (_name, step) => {
      await against([step, step, ok], async ({ client, requests, waits }) => {
        expect(await client.transactions.screen(payment)).toEqual(answer);
        expect(requests).toHaveLength(3);
        const [first, ...others] = requests.map(({ headers, body }) => [headers['idempotency-key'], body]);
        expect(first?.[0]).toMatch(/^[0-9a-f-]{36}$/);
        expect(others).toEqual([first, first]);
        expect(waits).toEqual([100, 200]);
      });
    });

    it('with the trace of the caller, if it names one', async () => {
      await against([ok, unavailable, ok], async ({ client, requests }) => {
        await client.transactions.screen(payment);
        await client.transactions.screen(payment, { traceparent: '00-1-2-01' });
        expect(requests.map(({ headers }) => headers.traceparent)).toEqual([undefined, '00-1-2-01', '00-1-2-01']);
      });
    });

    it('a try without an answer in time', async () => {
      await against(
        ['hang', ok],
        async ({ client, attempts }) => {
          expect(await client.transactions.screen(payment)).toEqual(answer);
          expect(attempts.at(0)).toMatchObject({ attempt: 1, status: undefined });
          expect(attempts.at(-1)).toMatchObject({ method: 'POST', path: '/v1/transactions/screen', status: 200 });
        },
        { attemptTimeoutMs: 300 },
      );
    });

    it.each([
      [400, 'invalid_request'],
      [401, 'unauthorized'],
      [404, 'not_found'],
      [409, 'case_not_open'],
      [413, 'payload_too_large'],
      [422, 'idempotency_mismatch'],
    ])('but not %i %s', async (status, code) => {
      await against([errorStep(status, code), ok], async ({ client, requests }) => {
        const error = await failure(client.transactions.screen(payment));
        expect(error).toMatchObject({ status, code, requestId: 'req-1', attempts: 1, retryable: false });
        expect(requests).toHaveLength(1);
      });
    });

    it('a redirect is not followed', async () => {
      await against([{ status: 302, headers: { Location: '/elsewhere' } }], async ({ client, requests }) => {
        expect(await failure(client.cases.get('case_1'))).toMatchObject({ code: 'unexpected_answer', status: 302 });
        expect(requests).toHaveLength(1);
      });
    });
  });

  describe('when it gives up', () => {
    it('after the retries, with the last error', async () => {
      await against(
        [unavailable],
        async ({ client, requests, attempts }) => {
          const error = await failure(client.cases.get('case_1'));
          expect(error).toMatchObject({ code: 'unavailable', status: 503, attempts: 3, retryable: true });
          expect(requests).toHaveLength(3);
          expect(attempts.map(({ retryInMs }) => retryInMs)).toEqual([100, 200, undefined]);
        },
        { maxRetries: 2 },
      );
    });

    it('at once, when Retry-After leads past the overall time-out', async () => {
      await against(
        [errorStep(429, 'rate_limited', { 'Retry-After': '60' })],
        async ({ client, waits }) => {
          expect(await failure(client.cases.get('case_1'))).toMatchObject({ code: 'rate_limited', attempts: 1 });
          expect(waits).toEqual([]);
        },
        { timeoutMs: 30_000 },
      );
    });

    it('waits what Retry-After says, and a jitter on top', async () => {
      await against([errorStep(429, 'rate_limited', { 'Retry-After': '2' }), ok], async ({ client, waits }) => {
        await client.transactions.screen(payment);
        expect(waits).toEqual([2_100]);
      });
    });

    it('gives the last try only what is left of the overall time-out', async () => {
      await against(
        [unavailable, 'hang'],
        async ({ client, requests }) => {
          // The virtual clock stands at 100 ms after the first wait; 50 real milliseconds are left for the second try.
          const error = await failure(client.cases.get('case_1'));
          expect(error.message).toBe('No response within 50 ms');
          expect(requests).toHaveLength(2);
        },
        { timeoutMs: 150, attemptTimeoutMs: 60_000, maxRetries: 1 },
      );
    });

    it('a limit of one call goes before the client’s', async () => {
      await against([unavailable], async ({ client, requests }) => {
        await failure(client.cases.get('case_1', { maxRetries: 0 }));
        expect(requests).toHaveLength(1);
      });
    });
  });

  describe('the caller’s signal', () => {
    it('ends a try', async () => {
      const controller = new AbortController();
      await against(
        () => {
          controller.abort(new Error('the buyer left'));
          return 'hang';
        },
        async ({ client, requests }) => {
          const call = client.transactions.screen(payment, { signal: controller.signal, failPolicy: 'allow' });
          await expect(call).rejects.toThrow('the buyer left');
          expect(requests).toHaveLength(1);
        },
      );
    });

    it('ends a wait, which is then not followed by a try', async () => {
      const leaving = new AbortController();
      await against(
        [unavailable],
        async ({ client, requests }) => {
          const call = client.cases.get('case_1', { signal: leaving.signal });
          await expect(call).rejects.toThrow('the buyer left');
          expect(requests).toHaveLength(1);
        },
        { runtime: { sleep: async () => leaving.abort(new Error('the buyer left')) } },
      );
    });

    it('that is aborted already sends nothing', async () => {
      await against([ok], async ({ client, requests }) => {
        const call = client.transactions.screen(payment, { signal: AbortSignal.abort(new Error('never mind')) });
        await expect(call).rejects.toThrow('never mind');
        expect(requests).toHaveLength(0);
      });
    });
  });

  it('the platform’s own wait ends early when it is aborted', async () => {
    const controller = new AbortController();
    const waiting = platform.sleep(3_600_000, controller.signal);
    controller.abort();
    await waiting;
    await platform.sleep(1);
  });

  describe('waits', () => {
    it('are full jitter: from nothing to 200 ms doubled each time, at most 5 s, after what was asked for', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 40 }),
          fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
          fc.nat(60_000),
          (attempt, random, asked) => {
            const most = Math.min(5_000, 200 * 2 ** (attempt - 1));
            const ms = backoffMs(attempt, random, asked);
            expect(ms).toBeGreaterThanOrEqual(asked);
            expect(ms).toBeLessThanOrEqual(asked + most);
            expect(ms).toBe(Math.round(asked + random * most));
          },
        ),
      );
    });

    it.each([
      ['3', 3_000],
      ['0', 0],
      ['Sat, 14 Nov 2026 00:00:07 GMT', 7_000],
      ['Fri, 13 Nov 2026 00:00:00 GMT', 0],
      ['soon', undefined],
      ['-1', undefined],
      [null, undefined],
    ])('Retry-After: %s is %s ms', (header, ms) => {
      expect(retryAfterMs(header, Date.parse('2026-11-14T00:00:00Z'))).toBe(ms);
    });
  });
});

describe('screening', () => {
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
});
