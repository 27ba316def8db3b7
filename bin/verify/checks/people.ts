import { type Check, CheckSkipped, must, request } from '../check';
import { envelopeFault } from './gateway';
import { pay, succeed } from './screening';

export const personalData: Check = {
  name: 'personal-data',
  proves: 'what is known about a person is exported, and their erasure is accepted and can be followed',
  needs: 'http',
  async run(context) {
    const user_id = context.newName('person');
    await pay(context, { user_id, amount: 12, currency: 'EUR' });
    await succeed(context, 'POST', `/v1/users/${user_id}/forget-labels`, { reason: 'npm run verify' });
    const { decisions } = (await succeed(context, 'POST', `/v1/users/${user_id}/export`)).json;
    must(decisions.length === 1, `The export of a person with one payment has ${decisions.length} decisions.`);
    const { erasure_id: id } = (await succeed(context, 'DELETE', `/v1/users/${user_id}`)).json;
    const { status } = (await succeed(context, 'GET', `/v1/erasures/${id}`)).json;
    must(status === 'pending' || status === 'completed', `The erasure ${id} is ${status}.`);
    return `erasure ${status}`;
  },
};

/** Three parts like a token, signed by nobody. */
const unsigned = (issuer: string): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1_000) + 600;
  return `${part({ alg: 'RS256', typ: 'JWT', kid: 'nobody' })}.${part({ iss: issuer, sub: 'nobody', exp })}.c2lnbmF0dXJl`;
};

export const signIn: Check = {
  name: 'sign-in',
  proves: 'the provider’s keys can be found, a token that it did not sign is refused, and yours is accepted',
  needs: 'operator',
  async run({ api, operator, token }) {
    const { DeploymentOptions: kept = '{}' } = (await operator?.outputs()) ?? {};
    const { oidcIssuer: issuer } = JSON.parse(kept) as { readonly oidcIssuer?: string };
    if (!issuer) throw new CheckSkipped('people sign in with API keys (no -c oidcIssuer)');
    const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = await request('GET', discovery);
    must(
      found.status === 200 && found.json?.issuer === issuer && typeof found.json.jwks_uri === 'string',
      `${discovery} answered ${found.status} and names the issuer ${found.json?.issuer}; it should be ${issuer}.`,
    );
    const fault = envelopeFault(await api.call('GET', '/v1/me', { key: unsigned(issuer) }), 401, 'unauthorized');
    must(fault === undefined, `A token that nobody signed ${fault}`);
    if (!token) return 'give --token with a token of a person to prove that it is accepted';
    const me = await api.call('GET', '/v1/me', { key: token });
    must(me.status === 200, `The token of a person should be accepted; it got ${me.status}: ${me.text.slice(0, 200)}`);
    return `signed in as ${me.json.person}, ${me.json.role}`;
  },
};
