import { newApiKey } from '../../../shared/domain/accounts/api-key';
import { STATUS } from '../../../shared/domain/errors';
import { STAGES } from '../../../shared/domain/stage';
import { ROUTES } from '../../../shared/routes';
import { randomBytes } from '../../../shared/runtime/ids';
import {
  type Check,
  CheckSkipped,
  described,
  must,
  type Reply,
  type RequestParts,
  request,
  type VerifyContext,
} from '../check';

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

const isHtml = (type: string | null): boolean => type?.startsWith('text/html') ?? false;

export const pages: Check = {
  name: 'pages',
  proves: 'the reference, the OpenAPI document of this version and the console load',
  needs: 'http',
  async run({ api, consoleUrl }) {
    const docs = await api.call('GET', '/docs');
    must(docs.status === 200 && isHtml(docs.headers.get('content-type')), `/docs answered ${described(docs)}`);

    const script = await api.call('GET', '/docs/reference.js');
    must(script.status === 200, `/docs/reference.js answered ${script.status}.`);

    const document = await api.call('GET', '/openapi.json');
    const { openapi = '', paths = {} } = document.json ?? {};
    must(
      document.status === 200 && String(openapi).startsWith('3.1'),
      `/openapi.json is not an OpenAPI 3.1 document, it answered ${described(document)}`,
    );
    const missing = ROUTES.filter((route) => !('public' in route) && !paths[route.path]).map(({ path }) => path);
    must(missing.length === 0, `/openapi.json lacks ${missing.join(', ')}: another version is deployed.`);

    if (!consoleUrl) return 'no URL of a console is known: not checked';
    const page = await request('GET', consoleUrl);
    must(page.status === 200 && isHtml(page.headers.get('content-type')), `The console answered ${described(page)}`);
    const files = [...page.text.matchAll(/(?:src|href)="([^"#:]+\.(?:js|css))"/g)].map(([, file]) => file ?? '');
    must(files.length >= 2, 'The page of the console names no script and style sheet.');
    for (const file of files) {
      const { status } = await request('GET', new URL(file, consoleUrl).href);
      must(status === 200, `${file}, which the console needs, answered ${status}.`);
    }
    return undefined;
  },
};

async function mustBeRefused({ api }: VerifyContext, what: string, authorization: string): Promise<void> {
  const reply = await api.call('GET', WEBHOOKS, { headers: { Authorization: authorization } });
  const fault = envelopeFault(reply, 401, 'unauthorized');
  must(fault === undefined, `A request with ${what} ${fault}`);
}

/** API Gateway takes a while until it knows a key that was just added to a usage plan. */
const READY_WITHIN_MS = 120_000;

export const ready: Check = {
  name: 'ready',
  proves: 'a new key works: API Gateway knows it and its usage plan',
  needs: 'http',
  async run({ api, key, until }) {
    let last = 'nothing';
    let tries = 0;
    await until(
      READY_WITHIN_MS,
      async () => {
        tries += 1;
        const reply = await api.call('GET', WEBHOOKS, { key });
        last = described(reply);
        return reply.status === 200 || undefined;
      },
      () => `A new key did not work within two minutes; the last response was ${last}`,
    );
    return tries > 1 ? `at try ${tries}` : undefined;
  },
};

export const keys: Check = {
  name: 'keys',
  proves: 'unknown, malformed and revoked keys and those of the other stage are refused',
  needs: 'http',
  async run(context) {
    const { stage, account } = context;
    const unknown = newApiKey(stage, randomBytes);
    const other = STAGES.find((each) => each !== stage) ?? stage;
    await mustBeRefused(context, 'an unknown key', `Bearer ${unknown}`);
    await mustBeRefused(context, 'a malformed key', 'Bearer junk');
    await mustBeRefused(context, 'a key that has a wrong checksum', `Bearer ${unknown.slice(0, -6)}000000`);
    await mustBeRefused(context, 'a key of the other stage', `Bearer ${newApiKey(other, randomBytes)}`);
    await mustBeRefused(context, 'another scheme', `Basic ${unknown}`);
    if (!account) return 'a revoked key was not tried: that takes the right to administer accounts';
    const { key, keyId } = await account.newKey('revoked before its first use');
    await account.revoke(keyId);
    await mustBeRefused(context, 'a revoked key', `Bearer ${key}`);
    return undefined;
  },
};

/** The promise: a revoked key is refused everywhere within 60 s. Allows for the last request itself. */
const REVOKED_WITHIN_MS = 62_000;

export const revocation: Check = {
  name: 'revocation',
  proves: 'a key in use is refused within 60 s of being revoked',
  needs: 'admin',
  async run({ api, account, until }) {
    must(account !== undefined, 'There is no account to revoke a key of.');
    const { key, keyId } = await account.newKey('revoked while in use');
    const ask = () => api.call('GET', '/v1/webhooks', { key });
    const before = await ask();
    must(before.status === 200, `A new key should be accepted; the response was ${described(before)}`);
    await account.revoke(keyId);
    await until(
      REVOKED_WITHIN_MS,
      async () => ((await ask()).status === 401 ? true : undefined),
      () => 'A revoked key was still accepted after 60 s.',
    );
    return undefined;
  },
};

const CONSOLE_HEADERS: ReadonlyArray<readonly [name: string, value: RegExp]> = [
  ['content-security-policy', /default-src 'none'.*require-trusted-types-for 'script'/],
  ['strict-transport-security', /max-age=\d{8}/],
  ['x-frame-options', /^DENY$/],
  ['x-content-type-options', /^nosniff$/],
  ['referrer-policy', /^no-referrer$/],
  ['cross-origin-opener-policy', /^same-origin$/],
  ['cross-origin-resource-policy', /^same-origin$/],
  ['permissions-policy', /camera=\(\)/],
];

export const consoleHeaders: Check = {
  name: 'console-headers',
  proves: 'the distribution sends the security headers and passes /v1 on',
  needs: 'http',
  async run({ consoleUrl, key }) {
    if (!consoleUrl) throw new CheckSkipped('no URL of a console is known');
    const page = await request('GET', consoleUrl);
    const faulty = CONSOLE_HEADERS.filter(([name, value]) => !value.test(page.headers.get(name) ?? ''));
    must(
      faulty.length === 0,
      `The console's page has wrong headers: ${faulty.map(([name]) => `${name}: ${page.headers.get(name) ?? 'missing'}`).join('; ')}`,
    );
    // The console calls the API on its own origin.
    const through = new URL('/v1/webhooks', consoleUrl).href;
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const fault = envelopeFault(await request('GET', through, { headers }), 401, 'unauthorized');
    must(fault === undefined, `A request without a key through the console's origin ${fault}`);
    const { status } = await request('GET', through, { key, headers });
    must(status === 200, `A request with a key through the console's origin answered ${status}: is the error cached?`);
    return undefined;
  },
};

/** As AWS's SDKs sign requests; API Gateway interprets such a header itself on routes without an authorizer. */
const SIGNED =
  'AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20261116/us-east-1/frauddetector/aws4_request, ' +
  'SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=' +
  '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

export const signedAuthorization: Check = {
  name: 'signed-authorization',
  proves: 'API Gateway passes an AWS4-HMAC Authorization header to an authorizer unchanged',
  needs: 'aws',
  async run({ api, authorizationProbe }) {
    const headers = { Authorization: SIGNED };
    const fault = envelopeFault(await api.call('GET', '/v1/webhooks', { headers }), 401, 'unauthorized');
    must(fault === undefined, `A request with an AWS4-HMAC Authorization header ${fault}`);
    if (!authorizationProbe) throw new CheckSkipped('the stack FraudScreening-Verify is not deployed');
    const reply = await request('GET', authorizationProbe, { headers });
    must(reply.status === 200, `The probe's authorizer was not asked: ${described(reply)}`);
    const seen = Buffer.from(String(reply.json?.seen ?? ''), 'base64').toString();
    must(seen === SIGNED, `The authorizer received another header than was sent: ${seen || 'none'}`);
    return undefined;
  },
};
