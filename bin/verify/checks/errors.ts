import { STATUS } from '../../../shared/domain/errors';
import { described, type Reply, type RequestParts } from '../api';
import { type Check, must, type VerifyContext } from '../check';

type Provocation = readonly [what: string, code: keyof typeof STATUS, method: string, path: string, RequestParts];

const WEBHOOKS = '/v1/webhooks';
const SCREEN = '/v1/transactions/screen';
const UNKNOWN_CASE = '/v1/cases/case_00000000000000000000000000';
const TOO_LARGE = `{"pad":"${'a'.repeat(65_536)}"}`;

/** Every error that a caller can cause, by the gateway itself and by our functions. */
function provocations({ key, newName }: VerifyContext): readonly Provocation[] {
  const named = { 'Idempotency-Key': newName('mismatch') };
  const payment = { user_id: newName('user'), amount: 5, currency: 'EUR' };
  return [
    ['no key', 'unauthorized', 'GET', WEBHOOKS, {}],
    ['an unknown route', 'not_found', 'GET', '/v1/nothing-here', { key }],
    ['an unknown id', 'not_found', 'GET', UNKNOWN_CASE, { key }],
    ['a wrong method', 'method_not_allowed', 'PUT', WEBHOOKS, { key, body: {} }],
    ['a body that is not JSON', 'invalid_request', 'POST', WEBHOOKS, { key, body: '{' }],
    ['faulty members', 'invalid_request', 'POST', WEBHOOKS, { key, body: { url: 'http://localhost', events: ['x'] } }],
    ['an unknown version', 'unsupported_api_version', 'GET', WEBHOOKS, { key, headers: { 'X-Api-Version': '1999' } }],
    ['a body of more than 64 KB', 'payload_too_large', 'POST', WEBHOOKS, { key, body: TOO_LARGE }],
    [
      'another media type',
      'unsupported_media_type',
      'POST',
      WEBHOOKS,
      { key, body: '<a/>', headers: { 'Content-Type': 'application/xml' } },
    ],
    [
      'an Idempotency-Key with another body',
      'idempotency_mismatch',
      'POST',
      SCREEN,
      { key, body: { ...payment, amount: 6 }, headers: named },
    ],
  ].map(([what, code, method, path, parts]) => [what, code, method, path, parts] as Provocation);
}

/** What is wrong with an error response; undefined if nothing is. */
export function envelopeFault(reply: Reply, status: number, code: string): string | undefined {
  const { error } = reply.json ?? {};
  if (reply.status !== status || error?.code !== code) return `should be ${status} ${code}; it was ${described(reply)}`;
  if (!reply.headers.get('content-type')?.startsWith('application/json')) return 'has a body that is not JSON';
  if (typeof error.message !== 'string' || error.message.length < 10) return 'has no message';
  if (!error.request_id || error.request_id !== reply.headers.get('x-request-id')) {
    return `has request_id ${error.request_id}, but X-Request-Id ${reply.headers.get('x-request-id')}`;
  }
  return reply.headers.get('x-api-version') ? undefined : 'lacks X-Api-Version';
}

export const errors: Check = {
  name: 'errors',
  proves: 'every error, of the gateway and of functions, has our envelope',
  needs: 'http',
  async run(context) {
    const all = provocations(context);
    for (const [what, code, method, path, parts] of all) {
      // The first request with this Idempotency-Key succeeds; the one with another body must not.
      if (code === 'idempotency_mismatch') {
        await context.api.call(method, path, { ...parts, body: { ...(parts.body as object), amount: 5 } });
      }
      const fault = envelopeFault(await context.api.call(method, path, parts), STATUS[code], code);
      must(fault === undefined, `The response to ${what} (${method} ${path}) ${fault}`);
    }
    return `${all.length} kinds; 429, 500 and 503 cannot be caused without doing harm`;
  },
};
