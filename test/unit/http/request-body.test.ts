import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { DomainError } from '../../../shared/domain/errors';
import { schemaFault } from '../../../shared/http/faults';
import { fenceParsedBody, fenceRawBody, MAX_BODY_BYTES, requireUtf8 } from '../../../shared/http/fenced-body';
import { canonicalPath, parseInput, pathParams } from '../../../shared/http/parse-input';
import type { Route } from '../../../shared/routes/define-route';
import { instant, text } from '../../../shared/schemas/text';
import { sized } from '../../support/sized';

describe('fenced body', () => {
  const codeOf = (act: () => void): string => {
    try {
      act();
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
    return 'passed';
  };
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const withKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));

  describe('the fence before parsing', () => {
    it.each([
      [MAX_BODY_BYTES, 'passed'],
      [MAX_BODY_BYTES + 1, 'payload_too_large'],
    ])('a body of %i bytes: %s', (bytes, expected) => {
      expect(codeOf(() => fenceRawBody(`"${'a'.repeat(bytes - 2)}"`, 'application/json'))).toBe(expected);
    });

    it('counts bytes, not characters', () => {
      const text = 'ä'.repeat(MAX_BODY_BYTES / 2 + 1);
      expect(text.length).toBeLessThan(MAX_BODY_BYTES);
      expect(codeOf(() => fenceRawBody(text, 'application/json'))).toBe('payload_too_large');
    });

    it.each([
      ['application/json', 'passed'],
      ['Application/JSON; charset=utf-8', 'passed'],
      ['application/json;charset="UTF-8"', 'passed'],
      ['application/json; charset=utf-16', 'unsupported_media_type'],
      ['application/jsonp', 'unsupported_media_type'],
      ['application/vnd.api+json', 'unsupported_media_type'],
      ['text/plain', 'unsupported_media_type'],
      ['', 'unsupported_media_type'],
      [undefined, 'unsupported_media_type'],
    ])('content type %s: %s', (contentType, expected) => {
      expect(codeOf(() => fenceRawBody('{}', contentType))).toBe(expected);
    });

    it('asks for a body where there is none, whatever its type', () => {
      expect(codeOf(() => fenceRawBody('', undefined))).toBe('invalid_request');
    });
  });

  describe('the fence after parsing', () => {
    it.each([
      [16, 'passed'],
      [17, 'invalid_request'],
      [5_000, 'invalid_request'],
      [32_000, 'invalid_request'],
    ])('%i levels: %s', (levels, expected) => {
      expect(codeOf(() => fenceParsedBody(nested(levels)))).toBe(expected);
    });

    it.each([
      [1_000, 'passed'],
      [1_001, 'invalid_request'],
    ])('%i members: %s', (count, expected) => {
      expect(codeOf(() => fenceParsedBody(withKeys(count)))).toBe(expected);
      expect(codeOf(() => fenceParsedBody([withKeys(count - 500), withKeys(500)]))).toBe(expected);
    });

    it('keeps to the limits of a route that has its own', () => {
      const limits = { bytes: 100_000, fields: 3_001 };
      expect(codeOf(() => fenceParsedBody(withKeys(3_001), limits))).toBe('passed');
      expect(codeOf(() => fenceParsedBody(withKeys(3_002), limits))).toBe('invalid_request');
      expect(codeOf(() => fenceRawBody('x'.repeat(100_000), 'application/json', limits))).toBe('passed');
      expect(codeOf(() => fenceRawBody('x'.repeat(100_001), 'application/json', limits))).toBe('payload_too_large');
    });

    it.each([
      ['9007199254740991', 'passed'],
      ['-9007199254740991', 'passed'],
      ['9007199254740993', 'invalid_request'],
      ['1e400', 'invalid_request'],
      ['-1e400', 'invalid_request'],
    ])('the number %s: %s', (number, expected) => {
      expect(codeOf(() => fenceParsedBody(JSON.parse(`{"a":[${number}]}`)))).toBe(expected);
    });

    it.each(['__proto__', 'constructor'])('refuses a member named %s at any depth', (name) => {
      expect(codeOf(() => fenceParsedBody(JSON.parse(`{"a":[{"${name}":1}]}`)))).toBe('invalid_request');
    });

    it('names every fault at once', () => {
      expect.assertions(1);
      try {
        fenceParsedBody(JSON.parse('{"a":1e999,"b":{"constructor":1}}'));
      } catch (error) {
        expect((error as DomainError).details.map(({ field }) => field).sort()).toEqual(['a', 'b.constructor']);
      }
    });
  });
});

describe('utf8 body', () => {
  const refusal = expect.objectContaining({
    code: 'invalid_request',
    message: expect.stringMatching(/^body: must be UTF-8/),
  });
  const event = (body: string | null, isBase64Encoded = false) => ({ body, isBase64Encoded });

  describe('a body', () => {
    it('that is not UTF-8 is refused, whether the gateway decoded it or not', () => {
      const bytes = Buffer.from([...Buffer.from('{"user_id":"u'), 0xff, ...Buffer.from('"}')]);
      // As API Gateway passes it on: every such byte becomes the same character, and so would the users.
      expect(() => requireUtf8(event(bytes.toString('utf8')))).toThrow(refusal);
      expect(() => requireUtf8(event(bytes.toString('base64'), true))).toThrow(refusal);
      // An unpaired surrogate in the encoding of UTF-8, and an overlong slash.
      for (const wrong of [
        [0xed, 0xa0, 0x80],
        [0xc0, 0xaf],
      ]) {
        expect(() => requireUtf8(event(Buffer.from(wrong).toString('base64'), true))).toThrow(refusal);
      }
    });

    it('in base64 is decoded', () => {
      const given = event(Buffer.from('{"user_id":"änn"}').toString('base64'), true);
      requireUtf8(given);
      expect(given).toEqual(event('{"user_id":"änn"}'));
    });

    it('is otherwise left alone', () => {
      for (const body of ['{"user_id":"änn\\ufffd"}', '', null]) {
        const given = event(body);
        requireUtf8(given);
        expect(given).toEqual(event(body));
      }
    });
  });
});

describe('request reading', () => {
  const schema = z.object({
    user_id: text(1, 5),
    amount: z.number().check(z.positive(), z.maximum(10)),
    kind: z.enum(['a', 'b']),
    tags: z.optional(z.array(z.string()).check(z.minLength(1))),
    billing_address: z.optional(z.object({ country: z.string() })),
    attributes: z.optional(z.record(text(1, 3), z.string())),
  });

  const faultsOf = (value: unknown): string[] => {
    const result = schema.safeParse(value);
    return result.success
      ? []
      : result.error.issues
          .map((issue) => schemaFault(issue, value, 'body'))
          .map(({ field, message }) => `${field} ${message}`);
  };

  describe('faults in our words', () => {
    it('reports all of them at once, each with its path', () => {
      expect(faultsOf({ user_id: '', amount: 0, kind: 'c', tags: [], billing_address: { country: 1 } })).toEqual([
        'user_id must not be empty',
        'amount must be greater than 0',
        'kind must be one of a, b',
        'tags must have at least 1 entry',
        'billing_address.country must be a string',
      ]);
    });

    it('tells a missing member from a wrong one', () => {
      expect(faultsOf({ user_id: 1, amount: 11 })).toEqual([
        'user_id must be a string',
        'amount must be at most 10',
        'kind is required, and must be one of a, b',
      ]);
    });

    it('speaks of the body where the body as a whole is wrong', () => {
      expect(faultsOf([])).toEqual(['body must be a JSON object']);
      expect(faultsOf(null)).toEqual(['body must be a JSON object']);
    });

    it('refuses half a surrogate pair, which has no UTF-8 form', () => {
      expect(faultsOf({ user_id: 'a\ud800', amount: 1, kind: 'a' })).toEqual(['user_id must be well-formed Unicode']);
    });

    it('names the record whose key is too long', () => {
      expect(faultsOf({ user_id: 'a', amount: 1, kind: 'a', attributes: { abcd: 'x' } })[0]).toContain('attributes');
    });
  });

  describe('unknown members', () => {
    const route = { method: 'POST', path: '/v1/x', body: schema } as unknown as Route;
    const parsed = (body: object) => parseInput(route, { path: '/v1/x', body } as unknown as APIGatewayProxyEvent);
    const good = { user_id: 'u', amount: 1, kind: 'a' };

    it('are named at every level, with what was probably meant', () => {
      const body = {
        ...good,
        Amount: 1,
        attr: {},
        address: {},
        billing_address: { country: 'DE', Country: 'DE', zip: '1' },
      };
      expect(parsed(body).warnings).toEqual([
        'Unknown field Amount was ignored; did you mean amount?',
        'Unknown field address was ignored; did you mean billing_address?',
        'Unknown field attr was ignored; did you mean attributes?',
        'Unknown field billing_address.Country was ignored; did you mean billing_address.country?',
        'Unknown field billing_address.zip was ignored.',
      ]);
    });

    it.each([
      ['ammount', 'amount'],
      ['amont', 'amount'],
      ['amuont', 'amount'],
      ['user_ib', 'user_id'],
      ['amend', undefined],
      ['knd', undefined],
    ])('with one slip are recognised: %s', (sent, meant) => {
      const hint = meant ? `; did you mean ${meant}?` : '.';
      expect(parsed({ ...good, [sent]: 1 }).warnings).toEqual([`Unknown field ${sent} was ignored${hint}`]);
    });

    it('are named next to what is missing for them', () => {
      const { user_id: _left_out, ...rest } = good;
      const details = [
        { field: 'user_id', message: 'is required, and must be a string' },
        { field: 'userId', message: 'is unknown; did you mean user_id?' },
        { field: 'colour', message: 'is unknown.' },
      ];
      expect(() => parsed({ ...rest, userId: 'u', colour: 'red' })).toThrow(expect.objectContaining({ details }));
    });

    it('are not found in free maps, nor in inherited names', () => {
      expect(parsed({ ...good, attributes: { any: 'x' } }).warnings).toEqual([]);
      expect(parsed({ ...good, toString: 1 }).warnings).toEqual(['Unknown field toString was ignored.']);
    });
  });
});

describe('path params', () => {
  const at = (template: string, path: string) => pathParams(template, { path } as APIGatewayProxyEvent);

  describe('path parameters', () => {
    it('decodes any value exactly once', () => {
      fc.assert(
        fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
          const path = `/v1/users/${encodeURIComponent(value)}/risk-profile`;
          expect(at('/v1/users/{user_id}/risk-profile', path)).toEqual({ user_id: value });
        }),
      );
    });

    it('finds several, also behind a base path', () => {
      const template = '/v1/webhooks/{id}/deliveries/{delivery_id}';
      expect(at(template, '/fraud/v1/webhooks/a%2Fb/deliveries/100%25')).toEqual({ id: 'a/b', delivery_id: '100%' });
    });

    it('are the same before a trailing slash, and however they are escaped', () => {
      const template = '/v1/webhooks/{id}/test';
      for (const path of ['/v1/webhooks/wh_1/test', '/v1/webhooks/wh_1/test/', '/v1/webhook%73/w%68_1/tes%74']) {
        expect(at(template, path)).toEqual({ id: 'wh_1' });
        expect(canonicalPath(template, at(template, path) ?? {})).toBe('/v1/webhooks/wh_1/test');
      }
      expect(canonicalPath('/v1/users/{id}', { id: 'a/b' })).toBe('/v1/users/a%2Fb');
    });

    it.each(['%E0%A4%A', '%', '%ff', '%C0%AF', '%ED%A0%80'])('refuses %s, which is not UTF-8', (value) => {
      expect(() => at('/v1/webhooks/{id}', `/v1/webhooks/${value}`)).toThrow(
        expect.objectContaining({ code: 'invalid_request', message: 'path: must be percent-encoded UTF-8' }),
      );
    });
  });
});

describe('instant', () => {
  const schema = instant();
  const accepts = (text: string): boolean => schema.safeParse(text).success;

  describe('an instant in a request', () => {
    it.each(['2026-02-28', '2028-02-29', '2026-12-31T23:59:59.999999999Z', '2026-11-14T00:00+00:00'])('%s', (text) => {
      expect(accepts(text)).toBe(true);
    });

    it.each([
      '2026-02-29',
      '2026-02-30',
      '2026-02-30T10:00:00Z',
      '2026-04-31',
      '2026-00-10',
      '2026-13-01',
      '2026-11-00',
      '2026-11-14T24:00:00Z',
      '2026-11-14T10:60:00Z',
      '2026-11-14T10:00:00+01:00',
      '2026-11-14T10:00:00',
      '2026-11-14\n',
    ])('%j is not one', (text) => {
      expect(accepts(text)).toBe(false);
    });

    it('is exactly what the calendar has, of all dates that can be written', () => {
      const part = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));
      const years = fc.integer({ min: 1, max: 9999 }).map((year) => String(year).padStart(4, '0'));
      fc.assert(
        fc.property(years, part(13), part(32), (year, month, day) => {
          const days = new Date(0);
          days.setUTCFullYear(Number(year), Number(month), 0);
          const exists =
            Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days.getUTCDate();
          expect(accepts(`${year}-${month}-${day}`)).toBe(exists);
        }),
        { numRuns: sized(2_000, 400) },
      );
    });
  });
});
