import { described } from '../api';
import { type Check, must } from '../check';

/** The promise: a revoked key is refused everywhere within 60 s. Allows for the last request itself. */
const WITHIN_MS = 62_000;

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
      WITHIN_MS,
      async () => ((await ask()).status === 401 ? true : undefined),
      () => 'A revoked key was still accepted after 60 s.',
    );
    return undefined;
  },
};
