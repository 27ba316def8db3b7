import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { canonicalPath, pathParams } from '../../../shared/http/parse-input';

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
