import { request } from '../api';
import { type Check, CheckSkipped, must } from '../check';
import { envelopeFault } from './errors';

const HEADERS: ReadonlyArray<readonly [name: string, value: RegExp]> = [
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
    const faulty = HEADERS.filter(([name, value]) => !value.test(page.headers.get(name) ?? ''));
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
