import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { DomainError } from '../../shared/domain/errors';
import { idempotencyClaim } from '../../shared/domain/idempotency';
import { shortMemory } from '../../shared/domain/short-memory';
import { encodeUlid, ulidTimeMs } from '../../shared/domain/ulid';
import { parseInput } from '../../shared/http/parse-input';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { routeDocs } from '../../shared/routes/route-docs';
import { newId, newUlid } from '../../shared/runtime/ids';
import { expectCleanLogs, leaksIn } from '../support/audits/log-leaks';
import { openapi } from '../support/openapi-validator';

describe('hostile strings', () => {
  const BYTES = 100_000;
  /** Texts that make a matcher look twice: runs of one character, of two, and all but the end of something that fits. */
  const PATTERNS = [
    'a',
    '0',
    '.',
    ':',
    '0.',
    'a:',
    '-1e',
    '[',
    '\\',
    ' ',
    'ä',
    '🦊',
    '%',
    '{"',
    'https://a.',
    '::1',
    '2026-',
  ];
  const HOSTILE = PATTERNS.map((pattern) => `${pattern.repeat(BYTES / pattern.length)}!`);
  const LIMIT_MS = 20;
  const TRIES = 4;

  interface Field {
    readonly name: string;
    readonly event: (text: string) => Partial<APIGatewayProxyEvent>;
  }

  /** Every place of a request that takes a text. */
  function fieldsOf(route: Route): Field[] {
    const described = openapi.paths[route.path][route.method.toLowerCase()];
    const example = (routeDocs(route.operation).request ?? {}) as Record<string, unknown>;
    const body = described.requestBody?.content['application/json'].schema.properties ?? {};
    const parameters = (described.parameters ?? []) as Array<{ name: string; in: string }>;
    return [
      ...Object.keys(body).flatMap((name): Field[] => [
        { name, event: (text) => ({ body: { ...example, [name]: text } as unknown as string }) },
        {
          name: `${name}.x`,
          event: (text) => ({ body: { ...example, [name]: { [text.slice(0, 64)]: text } } as unknown as string }),
        },
        { name: `${name}.0`, event: (text) => ({ body: { ...example, [name]: [text] } as unknown as string }) },
      ]),
      ...(route.body
        ? [{ name: 'unknown', event: (text: string) => ({ body: { ...example, [text]: text } as unknown as string }) }]
        : []),
      ...parameters
        .filter((parameter) => parameter.in !== 'header')
        .map(
          ({ name, in: source }): Field => ({
            name,
            event: (text) =>
              source === 'path' ? { path: pathWith(route, text) } : { queryStringParameters: { [name]: text } },
          }),
        ),
    ];
  }

  const pathWith = ({ path }: Route, text: string): string => path.replace(/\{\w+\}/g, () => encodeURIComponent(text));

  /** CPU of one check, the best of a few: what the machine does beside it is not counted, nor a pause of the collector. */
  function cpuMs(route: Route, event: Partial<APIGatewayProxyEvent>): number {
    const whole = {
      path: pathWith(route, 'x'),
      body: routeDocs(route.operation).request ?? null,
      queryStringParameters: null,
      ...event,
    };
    const once = (): number => {
      const start = process.cpuUsage();
      try {
        parseInput(route, whole as APIGatewayProxyEvent);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
      }
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && best > LIMIT_MS; tries++) best = Math.min(best, once());
    return best;
  }

  const FIELDS = (ROUTES as readonly Route[]).flatMap((route) =>
    fieldsOf(route).map((field) => [`${route.method} ${route.path} ${field.name}`, route, field] as const),
  );

  it.each(FIELDS)('100 KB of anything in %s are answered in under 20 ms', (_name, route, field) => {
    const slow = HOSTILE.map((text) => [text.slice(0, 10), cpuMs(route, field.event(text))] as const).filter(
      ([, ms]) => ms > LIMIT_MS,
    );
    expect(slow).toEqual([]);
  });
});

describe('idempotency claim', () => {
  const hash = (body: unknown): string => idempotencyClaim('POST', '/v1/x', 'k', body).body_hash;

  function shuffled(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(shuffled);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, shuffled(member)]),
    );
  }

  describe('the claim of an Idempotency-Key', () => {
    it('does not mind the order of members', () => {
      fc.assert(fc.property(fc.json(), (text) => hash(JSON.parse(text)) === hash(shuffled(JSON.parse(text)))));
    });

    it('minds any other difference', () => {
      fc.assert(
        fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
          const [x, y] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))];
          fc.pre(JSON.stringify(shuffled(x)) !== JSON.stringify(y) && JSON.stringify(x) !== JSON.stringify(y));
          fc.pre(!Object.is(x, y));
          try {
            expect(x).not.toEqual(y);
          } catch {
            return true;
          }
          return hash(x) !== hash(y);
        }),
      );
    });

    it('is another claim on another path, method or key', () => {
      const scopes = [
        idempotencyClaim('POST', '/v1/x', 'k', {}),
        idempotencyClaim('POST', '/v1/y', 'k', {}),
        idempotencyClaim('PUT', '/v1/x', 'k', {}),
        idempotencyClaim('POST', '/v1/x', 'l', {}),
      ].map(({ scope }) => scope);
      expect(new Set(scopes).size).toBe(4);
    });
  });
});

describe('short memory', () => {
  function world(lifeMs = 50, most = 2) {
    let nowMs = 0;
    const asked: string[] = [];
    const known = new Map([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    const ask = async (name: string) => {
      asked.push(name);
      return known.get(name);
    };
    const find = shortMemory(ask, () => nowMs, { lifeMs, most });
    const pass = (ms: number): void => {
      nowMs += ms;
    };
    return { asked, known, find, pass };
  }

  it('remembers what was found, for its time', async () => {
    const { find, known, pass, asked } = world();
    await find('a');
    known.delete('a');
    pass(49);
    expect(await find('a')).toBe(1);
    pass(1);
    expect(await find('a')).toBeUndefined();
    expect(asked).toEqual(['a', 'a']);
  });

  it('asks again for what was not found, and holds no more than it may', async () => {
    const { find, asked } = world();
    for (const name of ['x', 'x', 'a', 'b', 'c', 'b', 'a']) await find(name);
    expect(asked).toEqual(['x', 'x', 'a', 'b', 'c', 'a']);
  });
});

describe('ulid', () => {
  const random = fc.uint8Array({ minLength: 16, maxLength: 16 });
  const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });

  describe('ULIDs', () => {
    it('has 26 characters of Crockford base 32, and gives its time back', () => {
      fc.assert(
        fc.property(time, random, (at, bytes) => {
          const ulid = encodeUlid(at, bytes);
          expect(ulid).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
          expect(ulidTimeMs(ulid)).toBe(at);
        }),
      );
    });

    it('sorts by time', () => {
      fc.assert(
        fc.property(time, time, random, random, (a, b, x, y) => {
          fc.pre(a < b);
          return encodeUlid(a, x) < encodeUlid(b, y);
        }),
      );
    });

    it('knows the example of the specification', () => {
      expect(encodeUlid(1469918176385, new Uint8Array(16))).toBe('01ARYZ6S410000000000000000');
    });

    it('never comes twice, also across refills of the pool', () => {
      const ids = Array.from({ length: 2_000 }, () => newUlid(1));
      expect(new Set(ids).size).toBe(2_000);
      expect(newId('txn', 1)).toMatch(/^txn_0000000001/);
    });
  });
});

describe('log leaks', () => {
  const clean = {
    level: 'INFO',
    message: 'request',
    timestamp: '2026-11-14T03:00:00.000Z',
    service: 'screen-transaction',
    stage: 'sandbox',
    operation: 'screen-transaction',
    request_id: '5eb6caf1-ce83-4945-aa0c-4905b07f4d06',
    account_id: 'acc_01M7F05XSQBS0PDWGRQBBTGXKA',
    status: 200,
    duration_ms: 12,
    Decisions: 1,
  };
  const leaks = (over: object): string[] => leaksIn(JSON.stringify({ ...clean, ...over }));
  const failing = (message: string) => ({
    level: 'ERROR',
    error: { name: 'Error', message, stack: `Error: ${message}` },
  });

  const bodies = ROUTES.flatMap(({ operation }) => {
    const { request } = routeDocs(operation);
    return request ? [[operation, request as object] as const] : [];
  });

  describe('what a log may hold', () => {
    it('is what our lines have', () => {
      expect(leaks({})).toEqual([]);
      expect(leaks(failing('connect ECONNREFUSED 127.0.0.1:8000 at 05:00:45.261'))).toEqual([]);
      expect(leaks({ level: 'ERROR', message: 'dependency failed', code: 'unavailable' })).toEqual([]);
    });

    it.each(bodies)('is not the body of %s, under any name', (_operation, body) => {
      for (const name of ['body', 'event', 'request', 'input']) expect(leaks({ [name]: body })).not.toEqual([]);
      for (const name of Object.keys(clean)) expect(leaks({ [name]: body })).not.toEqual([]);
      expect(leaks({ message: JSON.stringify(body) })).not.toEqual([]);
      expect(leaks(failing(`Unexpected token in ${JSON.stringify(body)}`))).not.toEqual([]);
      expect(leaks({ error: { name: 'Error', message: 'x', body } })).not.toEqual([]);
    });

    it.each(bodies)('is not a member of the body of %s', (_operation, body) => {
      // Words of the contract, which are nobody's.
      const { decision, event_type, outcome, ...rest } = body as Record<string, unknown>;
      for (const [name, value] of Object.entries(rest)) expect(leaks({ [name]: value })).not.toEqual([]);
    });

    it.each([
      ['4111 1111 1111 1111'],
      ['paid with 5500-0000-0000-0004 today'],
      ['378282246310005'],
      ['ada@example.com'],
      ['from 91.0.0.1'],
      ['from 2001:db8::8a2e:370:7334'],
      [`${['sk', 'test'].join('_')}_abcdefgh`],
      ['whsec_c2VjcmV0'],
      ['Bearer abc'],
    ])('is not %s, in a message, an error or its cause', (secret) => {
      expect(leaks({ message: `failed: ${secret}` })).not.toEqual([]);
      expect(leaks(failing(secret))).not.toEqual([]);
      expect(leaks({ error: { name: 'E', message: 'x', cause: { name: 'E', message: secret } } })).not.toEqual([]);
    });

    it('is not an id in the place of another', () => {
      expect(leaks({ account_id: 'user-1' })).not.toEqual([]);
      expect(leaks({ request_id: 'ada' })).not.toEqual([]);
    });

    it('is found in one line among many of a whole run, and said with where to look', () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'planted-'));
      const write = (...lines: object[]) =>
        writeFileSync(join(dataDir, 'logs', 'screen.log'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      mkdirSync(join(dataDir, 'logs'));
      write(clean, clean, clean);
      expect(() => expectCleanLogs(dataDir)).not.toThrow();
      write(clean, { ...clean, message: 'refused ada@example.com' }, clean);
      expect(() => expectCleanLogs(dataDir)).toThrow(/screen\.log: an e-mail address/);
      rmSync(dataDir, { recursive: true });
    });

    it('is nothing that is not listed', () => {
      expect(leaks({ user: 'x' })).toEqual(['it has the member user, which nobody allowed']);
      expect(leaksIn('a line that is no JSON')).not.toEqual([]);
    });
  });
});
