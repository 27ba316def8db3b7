import fc from 'fast-check';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { call, newAccount } from '../support/api';
import { casesOf, fuzz } from '../support/fuzz/fuzz-cases';
import { sized } from '../support/sized';

// Most of what is generated goes straight to the built handlers (test/e2e/built-handlers.test.ts); this is their way to them.
const CASES_PER_ROUTE = sized(25, 10);
const SEED = 20261115;

describe(`${CASES_PER_ROUTE} generated requests per route over HTTP`, () => {
  let keys: string[];
  beforeAll(async () => {
    keys = await Promise.all(Array.from({ length: 8 }, async () => (await newAccount('fuzz')).key));
  });

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route as Route] as const))(
    '%s: no 5xx, every answer as OpenAPI says',
    async (_name, route) => {
      const cases = fc.sample(casesOf(route), { numRuns: CASES_PER_ROUTE, seed: SEED });
      const keyOf = (turn: number) => (route.public ? undefined : keys[turn % keys.length]);
      const wrong = await fuzz(
        route,
        cases,
        ({ path, headers, body }, turn) => call(route.method, path, { key: keyOf(turn), body, headers }),
        (reply, turn) => call('DELETE', `/v1/webhooks/${reply.json.webhook_id}`, { key: keyOf(turn) ?? '' }),
      );
      expect(wrong).toEqual([]);
    },
    300_000,
  );
});
