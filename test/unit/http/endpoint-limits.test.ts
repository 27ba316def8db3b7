import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import fc from 'fast-check';
import { type AnswerOnceDeps, endpoint } from '../../../shared/http/endpoint';
import { MAX_BODY_BYTES } from '../../../shared/http/fenced-body';
import { ROUTES } from '../../../shared/routes';
import type { Route } from '../../../shared/routes/define-route';
import { eventOf } from '../../support/proxy-event';

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
    const prefixes = { webhooks: 'wh', cases: 'case', decisions: 'dec', transactions: 'txn', erasures: 'era' };
    return `${prefixes[route.path.split('/')[2] as keyof typeof prefixes]}_${ID}`;
  });

interface Sent {
  readonly url: string;
  readonly headers?: ReadonlyArray<readonly [string, string]>;
  readonly body?: string;
}

/** What the chain of a route answers, and how often anything behind it was asked. */
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

  it.each(withBody.map((route) => [name(route), route] as const))('%s: any body within the limit', async (_, route) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(many, wide, anything), async (body) => {
        fc.pre(Buffer.byteLength(body) <= MAX_BODY_BYTES);
        const answer = await ask(route, { url: goodPath(route), headers: [JSON_TYPE], body });
        expect(Buffer.byteLength(answer.body)).toBeLessThanOrEqual(MAX_ECHO_BYTES);
        expect(answer.statusCode).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
  });

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
  // What a PUT would create under such a name is a 400 of its own; a processor at a wrong address gets 401.
  const existing = withId.filter(({ success, permission }) => success.created === undefined && permission !== 'none');
  const wrong = ['x'.repeat(1_016), 'x'.repeat(2_048), `wh_${ID}${ID}`, `wh_${'ä'.repeat(26)}`, 'wh_1\n'];

  it.each(existing.map((route) => [name(route), route] as const))(
    '%s: what cannot be one is not found, and nothing is asked for it',
    async (_, route) => {
      const ids = route.path.includes('{user_id}') ? wrong.slice(0, 2) : wrong;
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
          /^No such (user|case|decision|transaction|webhook endpoint|list|rule|erasure)\./,
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
