import {
  type Command,
  type CommandTable,
  type Given,
  needWord,
  STAGE_OPTIONS,
  UsageError,
} from '../../shared/cli/command-line';
import { textTable } from '../../shared/cli/text-table';
import { type AccountSettings, DEFAULT_LABEL_WINDOW_DAYS } from '../../shared/domain/accounts/account';
import {
  changeSettings,
  createAccount,
  createKey,
  reconnectAccount,
  requireAccount,
} from '../../shared/usecases/accounts/administer-accounts';
import { redriveDeadLetters } from '../../shared/usecases/webhooks/redrive-dead-letters';
import { AFD_COMMANDS, INBOUND_COMMANDS, KEY_COMMANDS, KEY_OPTIONS } from './key-commands';
import { LIST_COMMANDS } from './list-commands';
import { IDENTITY_COMMANDS, ROTATION_COMMANDS } from './rotation-commands';
import { TABLE_COMMANDS } from './table-commands';
import type { Target } from './target';

const showSettings = (settings: AccountSettings): string =>
  [
    `challenge threshold ${settings.challenge_threshold ?? '(never)'}`,
    `review threshold    ${settings.review_threshold}`,
    `block threshold     ${settings.block_threshold}`,
    `tracked attributes  ${settings.tracked_attributes.join(', ') || '(none)'}`,
    `never observed      ${settings.never_observed?.join(', ') || '(none)'}`,
    `shown to analysts   ${settings.displayed_attributes?.join(', ') || '(none)'}`,
    `reason codes        ${settings.reason_codes?.join(', ') || '(none)'}`,
    `labels kept for     ${settings.label_window_days ?? DEFAULT_LABEL_WINDOW_DAYS} days`,
    `history             ${settings.keep_history === false ? 'off' : 'on'}`,
    `evidence            ${settings.keep_evidence === false ? 'off' : 'on'}`,
  ].join('\n');

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

function settingsChange({ texts }: Given): Partial<AccountSettings> {
  const { 'review-threshold': review, 'block-threshold': block, 'tracked-attributes': tracked } = texts;
  const { 'never-observed': never, 'label-window-days': days, 'challenge-threshold': challenge, history } = texts;
  const { 'reason-codes': reasons, 'displayed-attributes': displayed, evidence } = texts;
  for (const [name, value] of Object.entries({ history, evidence })) {
    if (value !== undefined && value !== 'on' && value !== 'off') throw new UsageError(`--${name} is on or off.`);
  }
  return {
    ...(challenge === undefined ? {} : { challenge_threshold: Number(challenge) }),
    ...(review === undefined ? {} : { review_threshold: Number(review) }),
    ...(block === undefined ? {} : { block_threshold: Number(block) }),
    ...(tracked === undefined ? {} : { tracked_attributes: listOf(tracked) }),
    ...(never === undefined ? {} : { never_observed: listOf(never) }),
    ...(displayed === undefined ? {} : { displayed_attributes: listOf(displayed) }),
    ...(reasons === undefined ? {} : { reason_codes: listOf(reasons) }),
    ...(days === undefined ? {} : { label_window_days: Number(days) }),
    ...(history === undefined ? {} : { keep_history: history === 'on' }),
    ...(evidence === undefined ? {} : { keep_evidence: evidence === 'on' }),
  };
}

const COMMANDS: Readonly<Record<string, Command<Target['deps']>>> = {
  'accounts create': {
    usage: 'accounts create NAME',
    does: 'create an account, with a first key',
    run: async (deps, given) => {
      const account = await createAccount(deps, needWord(given, 0, 'new account'));
      const { key, record } = await createKey(deps, account.account_id, 'first key');
      return [
        `account  ${account.account_id}  ${account.name}`,
        `key      ${key}  (${record.key_id})`,
        'The key is shown only once; the service stores just its hash.',
      ].join('\n');
    },
  },
  'accounts list': {
    usage: 'accounts list',
    does: 'list all accounts',
    run: async (deps) => {
      const accounts = await deps.accounts.listAccounts();
      if (accounts.length === 0) return 'No accounts yet. Create one: npm run admin -- accounts create NAME';
      return textTable([['ACCOUNT', 'CREATED', 'NAME'], ...accounts.map((a) => [a.account_id, a.created_at, a.name])]);
    },
  },
  'accounts show': {
    usage: 'accounts show ACCOUNT_ID',
    does: 'show an account and its settings',
    run: async (deps, given) => {
      const account = await requireAccount(deps, needWord(given, 0, 'account id'));
      return `${account.account_id}  ${account.name}  created ${account.created_at}\n${showSettings(account.settings)}`;
    },
  },
  'accounts set': {
    usage:
      'accounts set ACCOUNT_ID [--challenge-threshold N] [--review-threshold N] [--block-threshold N] [--tracked-attributes a,b,c] [--never-observed a,b] [--displayed-attributes a,b] [--reason-codes a,b] [--label-window-days N] [--history on|off] [--evidence on|off]',
    does: 'change settings; effective within a minute',
    run: async (deps, given) => {
      const change = settingsChange(given);
      if (Object.keys(change).length === 0) throw new UsageError('Give at least one setting to change.');
      return showSettings(await changeSettings(deps, needWord(given, 0, 'account id'), change));
    },
  },
  'accounts reconnect': {
    usage: 'accounts reconnect',
    does: 'after restoring into another stack: recreate the rate-limit key of every account',
    run: async (deps) => {
      const accounts = await deps.accounts.listAccounts();
      for (const { account_id } of accounts) await reconnectAccount(deps, account_id);
      return `${accounts.length} account(s) now have their rate-limit key.`;
    },
  },
  ...KEY_COMMANDS,
  'webhooks redrive': {
    usage: 'webhooks redrive',
    does: 'move delivery messages from the dead-letter queue back to the retry queue',
    run: async ({ deliveries }) => {
      const { moved, unreadable, unsent } = await redriveDeadLetters(deliveries);
      return [
        `${moved} moved back to the retry queue`,
        ...(unreadable > 0 ? [`${unreadable} left in the dead-letter queue: not delivery messages`] : []),
        ...(unsent > 0 ? [`${unsent} left in the dead-letter queue: the retry queue refused them, try again`] : []),
      ].join('\n');
    },
  },
  'labels export': {
    usage: 'labels export ACCOUNT_ID [--from 2026-01] [--to 2026-11]',
    does: 'print the labels of these months (default: this month) as JSON lines',
    run: async (deps, given) => {
      const { account_id } = await requireAccount(deps, needWord(given, 0, 'account id'));
      const thisMonth = new Date(deps.clock.now()).toISOString().slice(0, 7);
      const { from = thisMonth, to = thisMonth } = given.texts;
      const lines: string[] = [];
      for (const month of monthsBetween(from, to)) {
        for (const label of await deps.labels.ofMonth(account_id, month)) lines.push(JSON.stringify(label));
      }
      return lines.join('\n');
    },
  },
  ...ROTATION_COMMANDS,
  ...IDENTITY_COMMANDS,
  ...AFD_COMMANDS,
  ...TABLE_COMMANDS,
  ...INBOUND_COMMANDS,
  ...LIST_COMMANDS,
};

function monthsBetween(from: string, to: string): string[] {
  if (![from, to].every((month) => /^\d{4}-(0[1-9]|1[0-2])$/.test(month)))
    throw new UsageError('Give months like 2026-11.');
  const months: string[] = [];
  for (let at = new Date(`${from}-01T00:00:00Z`); ; at.setUTCMonth(at.getUTCMonth() + 1)) {
    const month = at.toISOString().slice(0, 7);
    if (month > to) return months;
    months.push(month);
  }
}

export const ADMIN_COMMANDS: CommandTable<Target['deps']> = {
  program: 'npm run admin',
  about: 'Acts on the local run, or with --aws on the deployed stack, using your AWS credentials and region.',
  next: 'npm run admin -- accounts create "My shop" prints a first key; docs/guide/integration.md shows where to use it.',
  options: {
    ...STAGE_OPTIONS,
    ...KEY_OPTIONS,
    from: { value: 'month', does: 'first month to export' },
    to: { value: 'month', does: 'last month to export' },
    'challenge-threshold': { value: 'score', does: 'lowest score that is challenged, 101 for never' },
    'review-threshold': { value: 'score', does: 'lowest score that is held for review' },
    'block-threshold': { value: 'score', does: 'lowest score that is blocked' },
    'tracked-attributes': { value: 'a,b,c', does: 'custom attributes to keep a history of' },
    'never-observed': { value: 'a,b,c', does: 'custom attributes that models must not learn from' },
    'displayed-attributes': { value: 'a,b,c', does: 'custom attributes that analysts see as they were sent' },
    'reason-codes': { value: 'a,b,c', does: 'why cases are resolved: analysts pick one of these codes' },
    'label-window-days': { value: 'days', does: 'how long labels are kept, 1 to 550' },
    secret: { value: 'secret', does: 'what a payment processor signs its notifications with' },
    evidence: { value: 'on|off', does: 'whether screenings keep what was sent, sealed, for analysts to see' },
    history: { value: 'on|off', does: 'whether decisions are listed by user and by kind (one write unit each)' },
    table: { value: 'name', does: "a table other than the stage's own" },
    'overlap-hours': { value: 'hours', does: 'how long the old secret keeps signing' },
    type: { value: 'type', does: 'what the values of a list are' },
    effect: { value: 'effect', does: 'what a list does: allow, block, challenge, review or none' },
    note: { value: 'text', does: 'what a list is for' },
    overwrite: { does: 'replace existing items that differ' },
  },
  commands: COMMANDS,
};
