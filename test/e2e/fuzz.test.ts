import fc from 'fast-check';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { call, newAccount, type Reply } from '../support/api';
import { broken, valid } from '../support/openapi-arbitrary';
import { answerFaults, openapi } from '../support/openapi-validator';

const CASES_PER_ROUTE = 2_000;
const AT_ONCE = 8;
const SEED = 20261114;

interface Case {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

const pathSegment = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  fc.constantFrom('wh_00000000000000000000000000', '%00', '..', 'a#b', 'a/b', '🦊'),
);

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.tuple(fc.string(), fc.string()).map(([a, b]) => `?${encodeURIComponent(a)}=${encodeURIComponent(b)}`),
  fc.constantFrom('?', '?limit=9&limit=x', '?a[]=1', '?=1', '?__proto__=1'),
);

const someHeaders = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { 'X-Api-Version': '2026-11-14' },
    { 'X-Api-Version': 'nonsense' },
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/json; charset=utf-8' },
    { 'Idempotency-Key': 'k'.repeat(300) },
    { 'Idempotency-Key': 'one' },
    { 'X-Forwarded-For': '127.0.0.1' },
  ),
);

const rawBodies = fc.constantFrom(
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '1e999',
  '{"a":1e400}',
  '['.repeat(30_000),
  `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`,
  '{"__proto__":1}',
  `"${'a'.repeat(66_000)}"`,
  '{"a":1,"a":2}',
  '\ufeff{}',
);

function casesOf(route: Route): fc.Arbitrary<Case> {
  const schema =
    openapi.paths[route.path][route.method.toLowerCase()].requestBody?.content['application/json'].schema ?? undefined;
  const json = (value: unknown) => JSON.stringify(value);
  const body = schema
    ? fc.oneof(
        { weight: 4, arbitrary: valid(schema).map(json) },
        { weight: 5, arbitrary: broken(schema).map(json) },
        rawBodies,
      )
    : fc.constant(undefined);
  return fc.record({
    path: fc.tuple(pathSegment, query).map(([segment, tail]) => {
      return route.path.replace(/\{\w+\}/g, () => encodeURIComponent(segment.toWellFormed())) + tail;
    }),
    headers: someHeaders,
    body,
  });
}

/** Runs the cases, some at a time, and collects what went wrong. */
async function run(route: Route, keys: readonly string[]): Promise<string[]> {
  const cases = fc.sample(casesOf(route), { numRuns: CASES_PER_ROUTE, seed: SEED });
  const wrong: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++) {
      const { path, headers, body } = cases[at]!;
      const key = route.public ? undefined : keys[at % keys.length];
      const reply = await call(route.method, path, { key, body, headers });
      const faults = reply.status >= 500 ? [`status ${reply.status}`] : faultsOf(route, path, reply);
      if (faults.length > 0) wrong.push(`${route.method} ${path} ${String(body).slice(0, 200)}: ${faults.join('; ')}`);
      if (reply.status === 201 && route.operation === 'create-webhook') {
        await call('DELETE', `/v1/webhooks/${reply.json.webhook_id}`, { key });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return wrong;
}

/** A path whose parameter is `.` or `..` is another route to the client's own URL parser: no fault is of this one. */
function faultsOf(route: Route, path: string, reply: Reply): string[] {
  const pathname = new URL(path, 'http://x').pathname;
  const isOtherRoute = pathname.split('/').length !== route.path.split('/').length || pathname.endsWith('/');
  if (isOtherRoute) return [];
  return answerFaults(route.method, route.path, reply);
}

describe(`${CASES_PER_ROUTE} generated requests a route`, () => {
  let keys: string[];
  beforeAll(async () => {
    keys = await Promise.all(Array.from({ length: AT_ONCE }, async () => (await newAccount('fuzz')).key));
  });

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route as Route] as const))(
    '%s: no 5xx, every answer as OpenAPI says',
    async (_name, route) => {
      expect(await run(route, keys)).toEqual([]);
    },
    300_000,
  );
});
