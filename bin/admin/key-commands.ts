import { readFileSync } from 'node:fs';
import { type Command, type Given, needWord, type Options, UsageError } from '../../shared/cli/command-line';
import { textTable } from '../../shared/cli/text-table';
import { ROLES, type Role } from '../../shared/domain/accounts/role';
import { isProvider, PROVIDERS, type Provider } from '../../shared/domain/outcomes/processors/notification';
import { newId } from '../../shared/runtime/ids';
import { parseAfdMapping } from '../../shared/schemas/afd-mapping';
import { createKey, requireAccount, revokeKey } from '../../shared/usecases/accounts/administer-accounts';
import { changeAfdMapping } from '../../shared/usecases/afd/administer-afd-mapping';
import type { Target } from './target';

const HOUR_MS = 3_600_000;
const UNIT_MS = { h: HOUR_MS, d: 24 * HOUR_MS } as const;
/** Ten years: anything longer would limit nothing. */
const MOST_MS = 3_650 * UNIT_MS.d;

/** How long `90d` or `12h` is. */
export function lifeOf(text: string): number {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const ms = Number(count ?? 0) * UNIT_MS[unit === 'h' ? 'h' : 'd'];
  if (ms <= 0 || ms > MOST_MS) throw new UsageError(`--expires must be like 90d or 12h, at most 3650d, not ${text}.`);
  return ms;
}

function roleOf({ texts }: Given): Role | undefined {
  if (texts.role === undefined) return undefined;
  const role = ROLES.find((known) => known === texts.role);
  if (!role) throw new UsageError(`--role must be one of ${ROLES.join(', ')}, not ${texts.role}.`);
  return role;
}

export const KEY_OPTIONS: Options = {
  label: { value: 'text', does: 'what a new key is for' },
  role: { value: ROLES.join('|'), does: 'what a new key may do; admin if not given' },
  person: { value: 'name', does: 'whose key it is: recorded as the author of whatever it does' },
  expires: { value: '90d', does: 'how long a new key works, in days (d) or hours (h)' },
};

export const KEY_COMMANDS: Readonly<Record<string, Command<Target['deps']>>> = {
  'keys create': {
    usage: 'keys create ACCOUNT_ID [--label TEXT] [--role ROLE] [--person NAME] [--expires 90d]',
    does: 'create a key; it is shown only once',
    run: async (deps, given) => {
      const { label = null, person, expires } = given.texts;
      const lifeMs = expires === undefined ? undefined : lifeOf(expires);
      const holder = { role: roleOf(given), person, lifeMs };
      const { key, record } = await createKey(deps, needWord(given, 0, 'account id'), label, holder);
      const facts = [`role ${record.role}`, record.person && `of ${record.person}`];
      if (record.expires_at) facts.push(`expires ${record.expires_at}`);
      return [
        `key  ${key}  (${record.key_id})`,
        facts.filter(Boolean).join(', '),
        'The key is shown only once; the service stores just its hash.',
      ].join('\n');
    },
  },
  'keys list': {
    usage: 'keys list ACCOUNT_ID',
    does: "list an account's keys, including revoked ones; last use to the hour",
    run: async (deps, given) => {
      const { account_id } = await requireAccount(deps, needWord(given, 0, 'account id'));
      const now = new Date(deps.clock.now()).toISOString();
      const rows = (await deps.accounts.listKeys(account_id)).map((key) => [
        key.key_id,
        key.hint,
        key.role,
        key.person ?? '',
        key.created_at,
        key.last_used_at ? `${key.last_used_at.slice(0, 13)}h` : 'never',
        key.expires_at ?? 'never',
        key.revoked_at ?? (key.expires_at && key.expires_at <= now ? 'expired' : 'active'),
        key.label ?? '',
      ]);
      const head = ['KEY ID', 'KEY', 'ROLE', 'PERSON', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED', 'LABEL'];
      return textTable([head, ...rows]);
    },
  },
  'keys revoke': {
    usage: 'keys revoke ACCOUNT_ID KEY_ID',
    does: 'revoke a key; refused everywhere within 60 s',
    run: async (deps, given) => {
      const record = await revokeKey(deps, needWord(given, 0, 'account id'), needWord(given, 1, 'key id'));
      return `${record.key_id} revoked at ${record.revoked_at}; refused everywhere within 60 s.`;
    },
  },
};

/** The form of each provider's secret: one that was copied from the wrong place would refuse everything. */
const SECRETS: Readonly<Record<Provider, { readonly shape: RegExp; readonly says: string }>> = {
  stripe: {
    shape: /^whsec_\w{8,}$/,
    says: 'the signing secret of the webhook endpoint (whsec_ and at least 8 characters)',
  },
  adyen: { shape: /^(?:[0-9a-f]{2}){16,64}$/i, says: 'the HMAC key of the webhook (at least 32 hexadecimal digits)' },
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
      if (secret === undefined) throw new UsageError(`--secret is required: ${says}.`);
      if (!shape.test(secret)) throw new UsageError(`--secret does not look like ${says}. Copy all of it.`);
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

const mappingIn = (file: string) => {
  try {
    return parseAfdMapping(readFileSync(file, 'utf8'), file);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** How events of Amazon Fraud Detector's client are read: docs/guide/leave-fraud-detector.md. */
export const AFD_COMMANDS: Readonly<Record<string, Command<Target['deps']>>> = {
  'afd-mapping set': {
    usage: 'afd-mapping set ACCOUNT_ID FILE',
    does: "set how events of Amazon Fraud Detector's client are read; effective within a minute",
    run: async (deps, given) => {
      const accountId = needWord(given, 0, 'account id');
      const mapping = mappingIn(needWord(given, 1, 'mapping file'));
      await changeAfdMapping({ ...deps, mappings: deps.afdMappings }, accountId, mapping);
      return `${accountId} reads events of Amazon Fraud Detector's client by this mapping within a minute.`;
    },
  },
  'afd-mapping show': {
    usage: 'afd-mapping show ACCOUNT_ID',
    does: 'show the mapping of an account',
    run: async (deps, given) => {
      const { account_id } = await requireAccount(deps, needWord(given, 0, 'account id'));
      const mapping = await deps.afdMappings.find(account_id);
      return mapping ? JSON.stringify(mapping, null, 2) : `${account_id} has no mapping: the defaults apply.`;
    },
  },
  'afd-mapping remove': {
    usage: 'afd-mapping remove ACCOUNT_ID',
    does: 'go back to the default mapping',
    run: async (deps, given) => {
      const accountId = needWord(given, 0, 'account id');
      await changeAfdMapping({ ...deps, mappings: deps.afdMappings }, accountId, undefined);
      return `${accountId} goes back to the default mapping within a minute.`;
    },
  },
};
