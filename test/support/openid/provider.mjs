// A real OpenID provider, in a separate process: its library is ESM only, and jest runs CommonJS. The parent learns the
// issuer first, starts the service with it, and only then knows where people must be sent back to.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { SignJWT } from 'jose';
import Provider from 'oidc-provider';

const CLIENT = 'review-console';

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://localhost:${server.address().port}`;
process.send({ issuer });
const [{ redirectUri, people }] = await once(process, 'message');

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: CLIENT,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [redirectUri],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'provider', use: 'sig', alg: 'RS256' }] },
  cookies: { keys: ['only for tests'] },
  pkce: { methods: ['S256'], required: () => true },
  clientBasedCORS: () => true,
  features: {
    devInteractions: { enabled: true },
    rpInitiatedLogout: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'urn:fraud-screening',
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'api',
        audience: CLIENT,
        accessTokenTTL: 300,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
  issueRefreshToken: () => true,
  extraTokenClaims: (_context, { accountId }) => people[accountId],
  // Nobody is asked for consent to their own employer's console.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid');
    grant.addResourceScope('urn:fraud-screening', 'api');
    await grant.save();
    return grant;
  },
});
server.on('request', provider.callback());
process.send({ ready: true });
// Tokens as the provider would have signed them at another time or for somebody else: no test waits for one to expire.
process.on('message', async ({ claims }) => {
  const header = { alg: 'RS256', kid: 'provider', typ: 'at+jwt' };
  process.send({ token: await new SignJWT({ iss: issuer, ...claims }).setProtectedHeader(header).sign(privateKey) });
});
process.on('disconnect', () => process.exit());
