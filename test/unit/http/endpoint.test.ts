import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import {
  isAllowed,
  PERMISSIONS,
  permissionsOf,
  ROLES,
  type Role,
  roleOrAdmin,
} from '../../../shared/domain/accounts/role';
import { type IdempotencyClaim, type IdempotencyRecord, idempotencyClaim } from '../../../shared/domain/idempotency';
import { parseTraceparent, traceIdOf, traceparentOf } from '../../../shared/domain/traceparent';
import { type Change, eventsOf, messageOf } from '../../../shared/domain/webhooks/webhook-event';
import { Created } from '../../../shared/http/answer';
import { callerContext, callerOf } from '../../../shared/http/caller';
import { type AnswerOnceDeps, endpoint, requestLog, serveFamily } from '../../../shared/http/endpoint';
import { MAX_BODY_BYTES } from '../../../shared/http/fenced-body';
import { createdWebhookAnswer } from '../../../shared/http/presenters/webhook-answer';
import { ROUTES } from '../../../shared/routes';
import { resolveCaseRoute } from '../../../shared/routes/cases';
import { defineRoute, type Route } from '../../../shared/routes/define-route';
import { screenEventRoute } from '../../../shared/routes/events';
import { routeDocs } from '../../../shared/routes/route-docs';
import { createWebhookRoute, testWebhookRoute } from '../../../shared/routes/webhooks';
import { newId } from '../../../shared/runtime/ids';
import { toMessage } from '../../../shared/store/webhooks/delivery-store';
import { type CreatedWebhook, createWebhook, mayShowAgain } from '../../../shared/usecases/webhooks/manage-webhooks';
import { eventOf } from '../../support/fuzz/proxy-event';
import { memoryTable } from '../../support/memory/memory-table';
import { sized } from '../../support/sized';
import { listChange, openCase, screened } from '../../support/webhooks/changes';

describe('endpoint limits', () => {
  /** As docs/guide/api.md says: whatever was sent, no error and no list of warnings is larger. */
  const MAX_ECHO_BYTES = 16 * 1024;
  const NOW = Date.UTC(2026, 10, 16);
  const JSON_TYPE = ['Content-Type', 'application/json'] as const;

  const routes = ROUTES as readonly Route[];
  const withBody = routes.filter(({ body }) => body);
  const withId = routes.filter(({ params }) => params);
  const withQuery = routes.filter(({ query }) => query);

  const ID = '01K9ZC3V5T8QJ4M2N6P7R8S9TB';
  const pathOf = ({ path }: Route, id: (name: string) => string): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => id(name));
  /** A path with IDs of the right form. */
  const goodPath = (route: Route): string =>
    pathOf(route, (name) => {
      if (name === 'user_id') return 'user-42';
      if (name === 'name' || name === 'value') return 'vips';
      if (name === 'delivery_id') return `dlv_${ID}`;
      if (name === 'test_id') return 'a-1';
      const prefixes = { webhooks: 'wh', cases: 'case', decisions: 'dec', transactions: 'txn', erasures: 'era' };
      return `${prefixes[route.path.split('/')[2] as keyof typeof prefixes]}_${ID}`;
    });

  interface Sent {
    readonly url: string;
    readonly headers?: ReadonlyArray<readonly [string, string]>;
    readonly body?: string;
  }

  /** The answer of the chain of a route, and how often anything behind it was asked. */
  async function ask(route: Route, { url, ...rest }: Sent): Promise<APIGatewayProxyResult & { asked: number }> {
    let asked = 0;
    const deps: AnswerOnceDeps = {
      clock: { now: () => NOW },
      log: { info: () => undefined, error: () => undefined } as never,
      answers: {
        find: async () => {
          asked++;
          return undefined;
        },
      },
    };
    const handler = endpoint(route as never, deps as never, async () => {
      asked++;
      return {} as never;
    });
    const answer = await handler(eventOf(route.method, url, rest), {} as Context);
    return { ...answer, asked };
  }

  const name = ({ operation }: Route): string => operation;

  describe('no answer grows with what was sent', () => {
    const escaped = fc.constantFrom('k', '\u0000', '"', 'ä', '\u2028', '🦊');
    const longName = fc.tuple(escaped, fc.integer({ min: 1, max: 9_000 })).map(([unit, length]) => unit.repeat(length));
    const member = fc.constantFrom(
      'events',
      'url',
      'custom_attributes',
      'billing_address',
      'user_id',
      'amount',
      'status',
    );
    const filler = fc.constantFrom('1e400', '0', '"x"', 'null', '{}', '{"constructor":1}', '[]', '"\\ud800"');
    const room = (count: number, each: string): number => Math.min(count, Math.floor(40_000 / (each.length + 1)));
    /** Many values below one name, which itself may be long. */
    const many = fc
      .tuple(fc.oneof(member, longName), filler, fc.integer({ min: 1, max: 30_000 }))
      .map(([key, each, count]) => `{${JSON.stringify(key)}:[${Array(room(count, each)).fill(each).join(',')}]}`);
    /** Many names, each wrong or unknown. */
    const wide = fc
      .tuple(fc.option(member), fc.nat(), filler, fc.integer({ min: 1, max: 999 }))
      .map(([key, width, each, count]) => {
        const size = Math.min(60, width % 61);
        const members = Array.from({ length: room(count, `${each}123${'x'.repeat(6 * size)}`) }, (_, at) => {
          return `${JSON.stringify(`${'\u0001'.repeat(size)}${at}`)}:${each}`;
        });
        const object = `{${members.join(',')}}`;
        return key === null ? object : `{${JSON.stringify(key)}:${object}}`;
      });
    const anything = fc.json({ maxDepth: 6 });

    it.each(withBody.map((route) => [name(route), route] as const))(
      '%s: any body within the limit',
      async (_, route) => {
        await fc.assert(
          fc.asyncProperty(fc.oneof(many, wide, anything), async (body) => {
            fc.pre(Buffer.byteLength(body) <= MAX_BODY_BYTES);
            const answer = await ask(route, { url: goodPath(route), headers: [JSON_TYPE], body });
            expect(Buffer.byteLength(answer.body)).toBeLessThanOrEqual(MAX_ECHO_BYTES);
            expect(answer.statusCode).toBeLessThan(500);
          }),
          { numRuns: sized(60, 15) },
        );
      },
    );

    it('counts the faults that it does not list', async () => {
      const attributes = Object.fromEntries(Array.from({ length: 800 }, (_, at) => [`k${at}`, at]));
      const route = routes.find(({ operation }) => operation === 'screen-transaction') as Route;
      const body = JSON.stringify({ user_id: 'u', amount: 1, currency: 'EUR', custom_attributes: attributes });
      const { error } = JSON.parse((await ask(route, { url: goodPath(route), headers: [JSON_TYPE], body })).body);
      expect(error.details).toHaveLength(50);
      expect(error.message).toContain('(and 799 more; details lists the first 50)');
    });

    it('names all faults of an ordinary body', async () => {
      const attributes = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`k${at}`, at]));
      const route = routes.find(({ operation }) => operation === 'screen-transaction') as Route;
      const body = JSON.stringify({ custom_attributes: attributes });
      const { error } = JSON.parse((await ask(route, { url: goodPath(route), headers: [JSON_TYPE], body })).body);
      expect(error.details).toHaveLength(43);
      expect(error.message).toContain('(and 42 more, see details)');
    });
  });

  describe('an ID in a path', () => {
    // A PUT under such a name is a separate 400; a processor at a wrong address gets 401.
    const existing = withId.filter(
      ({ operation, permission }) => !routeDocs(operation).created && permission !== 'none',
    );
    const wrong = ['x'.repeat(1_016), 'x'.repeat(2_048), `wh_${ID}${ID}`, `wh_${'ä'.repeat(26)}`, 'wh_1\n'];

    it.each(existing.map((route) => [name(route), route] as const))(
      '%s: what cannot be one is not found, and nothing is asked for it',
      async (_, route) => {
        // An attribute may have any key of 64 characters.
        const ids = /\{user_id\}|\{key\}/.test(route.path) ? wrong.slice(0, 2) : wrong;
        for (const id of ids) {
          const url = pathOf(route, () => encodeURIComponent(id));
          const headers = [JSON_TYPE, ['Idempotency-Key', 'key']] as const;
          const answer = await ask(route, {
            url,
            headers,
            body: route.body ? '{"status":"approved","decision":"allow"}' : '',
          });
          expect([answer.statusCode, answer.asked]).toEqual([404, 0]);
          expect(JSON.parse(answer.body).error.message).toMatch(
            /^No such (user|case|decision|transaction|webhook endpoint|list|rule|test|erasure|attribute|event type|counter)\./,
          );
        }
      },
    );

    it('may be followed by a slash, as API Gateway has it', async () => {
      for (const route of withId.filter(({ method }) => method !== 'PUT' && method !== 'POST')) {
        expect((await ask(route, { url: `${goodPath(route)}/` })).asked).toBe(1);
      }
    });
  });

  describe('an Idempotency-Key', () => {
    const route = routes.find(({ operation }) => operation === 'create-webhook') as Route;
    const send = (...keys: readonly string[]) =>
      ask(route, {
        url: '/v1/webhooks',
        headers: [JSON_TYPE, ...keys.map((key) => ['Idempotency-Key', key] as const)],
        body: '{"url":"https://example.com/hooks","events":["case.created"]}',
      });

    it.each([[''], ['k'.repeat(256)], ['a', 'b']])('%j is refused, and nothing is asked for it', async (...keys) => {
      const answer = await send(...keys);
      expect([answer.statusCode, answer.asked]).toEqual([400, 0]);
      expect(JSON.parse(answer.body).error.details[0].field).toBe('Idempotency-Key');
    });

    it('may have 255 characters', async () => {
      expect((await send('k'.repeat(255))).statusCode).toBe(201);
    });
  });

  describe('a query parameter', () => {
    it.each(withQuery.map((route) => [name(route), route] as const))('%s: must not be repeated', async (_, route) => {
      const schema = route.query as unknown as { _zod: { def: { shape: object } } };
      for (const parameter of Object.keys(schema._zod.def.shape)) {
        const answer = await ask(route, { url: `${goodPath(route)}?${parameter}=1&${parameter}=1` });
        expect([answer.statusCode, answer.asked]).toEqual([400, 0]);
        expect(JSON.parse(answer.body).error.details).toContainEqual({
          field: parameter,
          message: 'must not be repeated',
        });
      }
      const unknown = await ask(route, { url: `${goodPath(route)}?utm=1&utm=2` });
      expect(unknown.statusCode).toBe(route.success.status);
      if (unknown.statusCode === 204) return;
      expect(JSON.parse(unknown.body).warnings).toEqual(['Unknown field utm was ignored.']);
    });
  });

  describe('a media type', () => {
    it.each([
      ['Content-Type', 'application/JSON'],
      ['content-type', 'APPLICATION/json; Charset=UTF-8'],
      ['CONTENT-TYPE', 'application/json;charset="utf-8"; profile=x'],
    ])('%s: %s is JSON', async (header, type) => {
      for (const route of withBody) {
        const answer = await ask(route, { url: goodPath(route), headers: [[header, type]], body: '{}' });
        expect([200, 201, 202, 400]).toContain(answer.statusCode);
        expect(answer.body).not.toContain('valid JSON');
      }
    });
  });
});

describe('serve family', () => {
  const CONTEXT = {} as Context;
  const says = (body: string, method: 'GET' | 'PUT', path: string) =>
    Object.assign(async (): Promise<APIGatewayProxyResult> => ({ statusCode: 200, headers: {}, body }), {
      route: { method, path },
    });

  const family = serveFamily([
    says('read', 'GET', '/v1/things/{name}'),
    says('written', 'PUT', '/v1/things/{name}'),
    says('listed', 'GET', '/v1/things'),
  ]);

  const ask = async (httpMethod: string, resource: string): Promise<APIGatewayProxyResult> =>
    family({ ...eventOf(httpMethod, '/'), resource }, CONTEXT);

  describe('a function that serves a family of routes', () => {
    it('answers with the route that the gateway matched', async () => {
      expect((await ask('GET', '/v1/things/{name}')).body).toBe('read');
      expect((await ask('PUT', '/v1/things/{name}')).body).toBe('written');
      expect((await ask('GET', '/v1/things')).body).toBe('listed');
    });

    it('refuses every other method with 405, and says which ones the path supports', async () => {
      const refused = await ask('DELETE', '/v1/things/{name}');
      expect([refused.statusCode, refused.headers?.Allow]).toEqual([405, 'GET, PUT']);
      expect(JSON.parse(refused.body)).toMatchObject({
        error: { code: 'method_not_allowed', message: 'This path supports GET, PUT.' },
      });
      expect((await ask('OPTIONS', '/v1/things')).headers?.Allow).toBe('GET');
    });
  });
});

describe('created', () => {
  const putThing = defineRoute('PUT /v1/things/{name}', {
    operation: 'put-thing',
    tag: 'Things',
    permission: 'lists',
    body: z.object({}),
    success: {
      schema: () => z.object({ name: z.string() }),
    },
    errors: [],
  });

  it.each([
    [true, 201],
    [false, 200],
  ])('a PUT that created its resource (%s) answers %i with the same body', async (isNew, status) => {
    const deps = { clock: { now: () => 0 }, log: { info: () => undefined, error: () => undefined } as never };
    const answer = { name: 'one' };
    const handler = endpoint(putThing, deps, async () => (isNew ? new Created(answer) : answer));
    const sent = { headers: [['Content-Type', 'application/json']] as const, body: '{}' };
    const { statusCode, body } = await handler(eventOf('PUT', '/v1/things/one', sent), {} as Context);
    expect([statusCode, JSON.parse(body)]).toEqual([status, answer]);
  });
});

it('a function that runs out of time answers 503 while it still can', async () => {
  const logged: unknown[] = [];
  const log = { info: () => undefined, error: (...line: unknown[]) => logged.push(line) } as never;
  const deps = { clock: { now: () => 0 }, log, answers: { find: async () => undefined } };
  const hangs = endpoint(testWebhookRoute, deps, () => new Promise<never>(() => undefined));
  const sent = { headers: [['Content-Type', 'application/json']] as const, body: '{}' };
  const context = { getRemainingTimeInMillis: () => 6 } as Context;
  const { statusCode, headers, body } = await hangs(
    eventOf('POST', '/v1/webhooks/wh_01K9ZC3V5T8QJ4M2N6P7R8S9TB/test', sent),
    context,
  );
  expect([statusCode, headers?.['Retry-After'], JSON.parse(body).error.code]).toEqual([503, '1', 'unavailable']);
  expect(logged).toEqual([['dependency failed', expect.objectContaining({ code: 'unavailable' })]]);
});

describe('replay', () => {
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
});

describe('roles', () => {
  const deps: AnswerOnceDeps = {
    clock: { now: () => 0 },
    log: { info: () => undefined, error: () => undefined },
    answers: { find: async () => undefined },
  };

  const context = {} as Parameters<ReturnType<typeof endpoint>>[1];

  /** A request by a key of this role; what it asks for is nonsense, which only matters once the role was checked. */
  function requestAs(role: Role, { method, path }: Route, body?: string, person?: string) {
    const event = eventOf(method, path, { headers: [['Content-Type', 'application/json']], ...(body ? { body } : {}) });
    const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS, role };
    event.requestContext.authorizer = { ...callerContext(person ? { ...caller, person } : caller) };
    return event;
  }

  const routes: readonly Route[] = ROUTES;
  const withKey = routes.filter((route) => !route.public);
  const matrix = withKey.flatMap((route) => ROLES.map((role) => [route.operation, role, route] as const));

  it('names a permission for every route with a key, and for no other', () => {
    for (const route of routes)
      expect([route.operation, route.permission === 'none']).toEqual([route.operation, route.public === true]);
  });

  it.each(matrix)('%s by %s: refused exactly if the role lacks the permission', async (_name, role, route) => {
    let hasRun = false;
    const handler = endpoint(route, deps, async () => {
      hasRun = true;
      return {};
    });
    // Bytes that are not even JSON: a role is checked before the body is read.
    const { statusCode, body } = await handler(requestAs(role, route, 'not json'), context);
    const permission = route.permission as (typeof PERMISSIONS)[number];
    if (isAllowed(role, permission)) {
      expect(statusCode).not.toBe(403);
      return;
    }
    expect([statusCode, hasRun]).toEqual([403, false]);
    const { error } = JSON.parse(body);
    expect(error).toMatchObject({ code: 'forbidden', message: expect.stringContaining(`permission ${permission}`) });
  });

  it('gives each role what was decided', () => {
    expect(permissionsOf('admin')).toEqual(PERMISSIONS);
    expect(permissionsOf('server')).toEqual(['screen', 'read', 'outcomes']);
    expect(permissionsOf('analyst')).toEqual(['read', 'cases', 'decisions', 'list_entries']);
    expect(permissionsOf('readonly')).toEqual(['read']);
  });

  it('takes a key without a role for one from before there were roles, and an unknown role for the least', () => {
    expect([roleOrAdmin(undefined), roleOrAdmin('server'), roleOrAdmin('owner')]).toEqual([
      'admin',
      'server',
      'readonly',
    ]);
  });

  describe('the author of a request', () => {
    const seen: unknown[] = [];
    const handler = endpoint(resolveCaseRoute, deps, async ({ body, caller }) => {
      seen.push([body.analyst_id, caller.person]);
      return {} as never;
    });
    async function authorOf(body: object, person?: string) {
      seen.length = 0;
      const route = { ...resolveCaseRoute, path: '/v1/cases/case_01K9ZC3V5T8QJ4M2N6P7R8S9TB' };
      const event = requestAs('analyst', route as Route, JSON.stringify({ status: 'approved', ...body }), person);
      const answered = JSON.parse((await handler(event, context)).body);
      return { seen: seen[0], warnings: answered.warnings };
    }

    it('is the person whose key it is, whatever the body says, with a warning if that differs', async () => {
      expect(await authorOf({}, 'ana.silva')).toEqual({ seen: ['ana.silva', 'ana.silva'], warnings: undefined });
      expect(await authorOf({ analyst_id: 'ana.silva' }, 'ana.silva')).toMatchObject({ warnings: undefined });
      expect(await authorOf({ analyst_id: 'bo' }, 'ana.silva')).toEqual({
        seen: ['ana.silva', 'ana.silva'],
        warnings: ['analyst_id was ignored: this key belongs to ana.silva.'],
      });
    });

    it('is whom the body names when the key is nobody’s', async () => {
      expect(await authorOf({ analyst_id: 'bo' })).toEqual({ seen: ['bo', undefined], warnings: undefined });
      expect(await authorOf({})).toEqual({ seen: [undefined, undefined], warnings: undefined });
    });
  });
});

describe('traceparent', () => {
  const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
  const SPAN_ID = '00f067aa0ba902b7';
  const SENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

  const handedOn = (header: string | undefined): string | undefined => {
    const trace = parseTraceparent(header);
    return trace && traceparentOf(trace);
  };

  describe('a traceparent', () => {
    it.each([
      ['sampled', SENT, SENT],
      ['not sampled', `00-${TRACE_ID}-${SPAN_ID}-00`, `00-${TRACE_ID}-${SPAN_ID}-00`],
      ['with a random trace ID', `00-${TRACE_ID}-${SPAN_ID}-03`, `00-${TRACE_ID}-${SPAN_ID}-03`],
      ['with flags that nobody has defined', `00-${TRACE_ID}-${SPAN_ID}-ff`, `00-${TRACE_ID}-${SPAN_ID}-03`],
      ['of a later version', `cc-${TRACE_ID}-${SPAN_ID}-01`, SENT],
      ['of a later version with more fields', `cc-${TRACE_ID}-${SPAN_ID}-01-what-comes-next`, SENT],
    ])('%s is handed on', (_what, sent, expected) => expect(handedOn(sent)).toBe(expected));

    it.each([
      ['absent', undefined],
      ['empty', ''],
      ['of version ff', `ff-${TRACE_ID}-${SPAN_ID}-01`],
      ['of version 00 with more fields', `${SENT}-more`],
      ['of version 00 with a dash at its end', `${SENT}-`],
      ['of a later version that goes on without a dash', `cc-${TRACE_ID}-${SPAN_ID}-01.more`],
      ['in upper case', SENT.toUpperCase()],
      ['with a trace ID of zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
      ['with a span ID of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
      ['with a short trace ID', `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`],
      ['with something that is not hexadecimal', `00-${TRACE_ID.replace('b', 'g')}-${SPAN_ID}-01`],
      ['without flags', `00-${TRACE_ID}-${SPAN_ID}`],
      ['with spaces in it', SENT.replaceAll('-', ' - ')],
      ['with a line after it', `${SENT}\n`],
    ])('that is %s is ignored', (_what, sent) => expect(handedOn(sent)).toBeUndefined());

    it('takes 34 characters', () => {
      const trace = parseTraceparent(SENT);
      expect(trace).toHaveLength(34);
      expect(trace && traceIdOf(trace)).toBe(TRACE_ID);
    });
  });

  describe('a request', () => {
    const request = (...sent: string[]) =>
      eventOf('GET', '/v1/cases', { headers: sent.map((value) => ['Traceparent', value]) });

    /** The log line of a request, as far as it speaks of traces. */
    const loggedId = async (event: ReturnType<typeof request>): Promise<unknown> => {
      const lines: Record<string, unknown>[] = [];
      const log = { info: (_: string, fields: object) => void lines.push({ ...fields }), error: () => undefined };
      const chain = requestLog({ operation: 'list-cases' }, { clock: { now: () => 0 }, log: log as never });
      await chain.after?.({ event, response: { statusCode: 200, body: '' } } as never);
      return lines[0]?.trace_id;
    };

    it('has the ID of its trace in its log line', async () => {
      expect(await loggedId(request(SENT))).toBe(TRACE_ID);
      expect(await loggedId(request())).toBeUndefined();
      expect(await loggedId(request('not a trace'))).toBeUndefined();
    });

    it('has none if it names two', async () => {
      expect(callerOf(request(SENT)).trace).toEqual(parseTraceparent(SENT));
      expect(callerOf(request(SENT, SENT))).not.toHaveProperty('trace');
      expect(await loggedId(request(SENT, SENT))).toBeUndefined();
    });
  });

  describe('a message', () => {
    const trace = parseTraceparent(SENT) ?? '';
    const review = {
      decision: 'allow',
      analyst_id: null,
      notes: null,
      reviewed_at: '2026-11-14T13:00:00.000Z',
    } as const;
    const account_id = 'acc_1';
    const messages = (change: Change) => eventsOf(change).map((event) => messageOf(event, {}, 'sandbox'));

    it.each<[string, Change]>([
      ['a screening', { kind: 'screened', account_id, record: screened(1, { trace }) }],
      ['a blocked one', { kind: 'screened', account_id, record: screened(1, { trace, automated_decision: 'block' }) }],
      ['a review of it', { kind: 'reviewed', account_id, record: screened(1, { trace, review, review_count: 1 }) }],
      ['its case', { kind: 'case_opened', account_id, reviewCase: openCase(1, { trace }) }],
      [
        'what became of its case',
        {
          kind: 'case_resolved',
          account_id,
          reviewCase: openCase(1, { trace, status: 'approved', resolved_at: review.reviewed_at }),
        },
      ],
    ])('about %s has its trace, and keeps it in the table', (_what, change) => {
      for (const message of messages(change)) {
        expect(message.trace).toEqual(trace);
        expect(toMessage({ ...message, entity: 'message' })).toEqual(message);
      }
    });

    it('about anything else has none', () => {
      const [message] = messages({ kind: 'list_changed', account_id, listChange: listChange(1) });
      expect(message).not.toHaveProperty('trace');
      expect(messages({ kind: 'screened', account_id, record: screened(1) })[0]).not.toHaveProperty('trace');
    });
  });
});
