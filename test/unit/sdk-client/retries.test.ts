import fc from 'fast-check';
import { FraudScreeningError } from '../../../sdk/client/src';
import { platform } from '../../../sdk/client/src/options';
import { backoffMs, retryAfterMs } from '../../../sdk/client/src/request';
import { errorStep, type Step } from '../../support/scripted-server';
import { against } from './client-under-test';

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
