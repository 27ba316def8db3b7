import { type Given, needWord, type Options, UsageError } from '../../shared/cli/command-line';
import type { Command } from '../../shared/cli/command-table';
import { textTable } from '../../shared/cli/text-table';
import { ROLES, type Role } from '../../shared/domain/accounts/role';
import { createKey, requireAccount, revokeKey } from '../../shared/usecases/accounts/administer-accounts';
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

/** The commands about API keys. */
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
