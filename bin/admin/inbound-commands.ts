import { type Given, needWord, UsageError } from '../../shared/cli/command-line';
import type { Command } from '../../shared/cli/command-table';
import { textTable } from '../../shared/cli/text-table';
import { isProvider, PROVIDERS, type Provider } from '../../shared/domain/outcomes/processors/notification';
import { newId } from '../../shared/runtime/ids';
import { requireAccount } from '../../shared/usecases/accounts/administer-accounts';
import type { Target } from './target';

/** What a secret of each provider looks like: one that was copied from the wrong place would refuse everything. */
const SECRETS: Readonly<Record<Provider, { readonly shape: RegExp; readonly says: string }>> = {
  stripe: { shape: /^whsec_\w{8,}$/, says: 'the signing secret of the webhook endpoint, whsec_…' },
  adyen: { shape: /^(?:[0-9a-f]{2}){16,64}$/i, says: 'the HMAC key of the webhook, in hexadecimal' },
};

function providerOf(given: Given): Provider {
  const provider = needWord(given, 1, `provider (${PROVIDERS.join(' or ')})`);
  if (!isProvider(provider))
    throw new UsageError(`Unknown provider ${provider}; known are ${PROVIDERS.join(' and ')}.`);
  return provider;
}

const EXCERPT = 60;
const excerptOf = (body: string): string => (body.length > EXCERPT ? `${body.slice(0, EXCERPT)}…` : body);

/** Addresses at which payment processors report outcomes: docs/guide/chargebacks.md. */
export const INBOUND_COMMANDS: Readonly<Record<string, Command<Target['deps']>>> = {
  'inbound create': {
    usage: 'inbound create ACCOUNT_ID stripe|adyen --secret SECRET',
    does: 'make an address for the notifications of a payment processor',
    run: async (deps, given) => {
      const { account_id } = await requireAccount(deps, needWord(given, 0, 'account id'));
      const provider = providerOf(given);
      const { secret } = given.texts;
      const { shape, says } = SECRETS[provider];
      if (secret === undefined || !shape.test(secret)) throw new UsageError(`Give --secret: ${says}.`);
      const nowMs = deps.clock.now();
      const inbound_id = newId('in', nowMs);
      const created_at = new Date(nowMs).toISOString();
      await deps.inbound.create({ inbound_id, account_id, provider, created_at }, secret);
      return [
        `url  ${deps.apiUrl}v1/inbound/${provider}/${inbound_id}`,
        'Register it with the payment processor. The secret is stored sealed and is not shown again.',
      ].join('\n');
    },
  },
  'inbound list': {
    usage: 'inbound list ACCOUNT_ID',
    does: "list an account's addresses for payment processors",
    run: async (deps, given) => {
      const { account_id } = await requireAccount(deps, needWord(given, 0, 'account id'));
      const rows = (await deps.inbound.list(account_id)).map((each) => [
        each.inbound_id,
        each.provider,
        each.created_at,
      ]);
      return textTable([['INBOUND ID', 'PROVIDER', 'CREATED'], ...rows]);
    },
  },
  'inbound delete': {
    usage: 'inbound delete ACCOUNT_ID INBOUND_ID',
    does: 'refuse everything that is sent to an address from now on',
    run: async (deps, given) => {
      const [accountId, inboundId] = [needWord(given, 0, 'account id'), needWord(given, 1, 'inbound id')];
      if (!(await deps.inbound.remove(accountId, inboundId)))
        throw new UsageError(`Account ${accountId} has no inbound address ${inboundId}.`);
      return `${inboundId} deleted; what is sent there gets 401 from now on.`;
    },
  },
  'inbound set-aside': {
    usage: 'inbound set-aside INBOUND_ID',
    does: 'list verified notifications that could not be read, kept for 30 days',
    run: async (deps, given) => {
      const found = await deps.inbound.asides(needWord(given, 0, 'inbound id'));
      if (found.length === 0) return 'Nothing was set aside.';
      const rows = found.map(({ at_ms, reason, body }) => [new Date(at_ms).toISOString(), reason, excerptOf(body)]);
      return textTable([['RECEIVED', 'WHY', 'BODY'], ...rows]);
    },
  },
};
