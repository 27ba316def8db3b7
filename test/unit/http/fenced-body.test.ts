import { DomainError } from '../../../shared/domain/errors';
import { fenceParsedBody, fenceRawBody, MAX_BODY_BYTES } from '../../../shared/http/fenced-body';

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
