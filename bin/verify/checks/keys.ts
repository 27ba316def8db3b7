import { newApiKey } from '../../../shared/domain/accounts/api-key';
import { STAGES } from '../../../shared/domain/stage';
import { randomBytes } from '../../../shared/runtime/random';
import { type Check, must, type VerifyContext } from '../check';
import { envelopeFault } from './errors';

const PATH = '/v1/webhooks';

async function mustBeRefused({ api }: VerifyContext, what: string, authorization: string): Promise<void> {
  const reply = await api.call('GET', PATH, { headers: { Authorization: authorization } });
  const fault = envelopeFault(reply, 401, 'unauthorized');
  must(fault === undefined, `A request with ${what} ${fault}`);
}

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
