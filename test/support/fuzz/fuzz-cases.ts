import fc from 'fast-check';
import type { Route } from '../../../shared/routes/define-route';
import type { Reply } from '../api';
import { answerFaults, openapi } from '../openapi-validator';
import { broken, valid } from './openapi-arbitrary';

const AT_ONCE = 8;

/** One generated request. */
export interface Case {
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

/** Requests to a route: as its schema says, nearly so, and nowhere near. */
export function casesOf(route: Route): fc.Arbitrary<Case> {
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

/** A path whose parameter is `.` or `..` is another route to the client's own URL parser: no fault is of this one. */
export function faultsOf(route: Route, path: string, reply: Reply): string[] {
  if (reply.status >= 500) return [`status ${reply.status}`];
  const pathname = new URL(path, 'http://x').pathname;
  const isOtherRoute = pathname.split('/').length !== route.path.split('/').length || pathname.endsWith('/');
  if (isOtherRoute) return [];
  return answerFaults(route.method, route.path, reply);
}

/** Sends a request that belongs to the nth key of the run. */
export type Send = (each: Case, keyIndex: number) => Promise<Reply>;

/** Runs generated cases, some at a time, and collects what went wrong; what a case created, `tidy` removes. */
export async function fuzz(
  route: Route,
  cases: readonly Case[],
  send: Send,
  tidy: (reply: Reply, keyIndex: number) => Promise<unknown>,
): Promise<string[]> {
  const wrong: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++) {
      const each = cases[at] as Case;
      const reply = await send(each, at);
      const faults = faultsOf(route, each.path, reply);
      if (faults.length > 0) {
        wrong.push(`${route.method} ${each.path} ${String(each.body).slice(0, 200)}: ${faults.join('; ')}`);
      }
      if (reply.status === 201) await tidy(reply, at);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return wrong;
}
