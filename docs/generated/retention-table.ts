import { DEFAULT_LABEL_WINDOW_DAYS } from '../../shared/domain/accounts/account';
import { AFD_EVENT_LIFE_MS } from '../../shared/domain/afd/afd-event';
import { ENTITY_LIFE_MS } from '../../shared/domain/entities/kind-spec';
import { IDEMPOTENCY_WINDOW_MS } from '../../shared/domain/idempotency';
import { HELD_MS } from '../../shared/domain/outcomes/outside-outcome';
import { COUNTED_HOURS_MS } from '../../shared/domain/overview/overview-span';
import { RETENTION_MS } from '../../shared/domain/screening/subjects/screening-record';
import { DELIVERY_RETENTION_MS } from '../../shared/domain/webhooks/delivery';
import { PARTITION } from '../../shared/store/keys';
import { LINK_LIFE_MS } from '../../shared/store/links/link-store';
import { ASIDE_LIFE_MS } from '../../shared/store/outcomes/inbound-store';
import { TALLY_LIFE_MS } from '../../shared/store/outcomes/processor-tally';

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** A duration in the largest unit that divides it: "90 days", "15 minutes". */
function duration(ms: number): string {
  const [unitMs, name] = UNITS.find(([size]) => ms % size === 0) ?? [1, 'millisecond'];
  const count = ms / unitMs;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** The contents of a kind of item, how it is found, and how long it is kept. */
interface Kept {
  readonly data: string;
  readonly key: string;
  readonly life: string;
}

const WITH_ACCOUNT = 'as long as the account';
const labels = `${DEFAULT_LABEL_WINDOW_DAYS} days from the screening unless the account sets \`label_window_days\``;

/** One row per kind of item in the table: a kind without one does not compile. */
const KEPT: Readonly<Record<keyof typeof PARTITION, Kept | 'operation'>> = {
  subject: {
    data: 'screenings (user ID, amount, score, reasons, displayed attributes, what was sent, review), cases, comments, who looked and who decided',
    key: 'the screening’s ID, and in an index the keyed hash of the user; the user ID inside is in clear, what was sent is sealed',
    life: duration(RETENTION_MS),
  },
  cases: { data: 'lists of cases', key: 'the day; the user ID inside is in clear', life: duration(RETENTION_MS) },
  entity: {
    data: 'histories of users, devices, IP addresses, tracked attributes, networks, and email addresses without their digits',
    key: 'keyed hash of the stage; no value is held',
    life: `${duration(ENTITY_LIFE_MS)} after last seen`,
  },
  links: {
    data: 'who was seen with what',
    key: 'keyed hashes of both',
    life: `${duration(LINK_LIFE_MS)} after first seen`,
  },
  label: {
    data: 'labels for training: outcome and features',
    key: 'the screening’s ID; no user, no values',
    life: labels,
  },
  kept: {
    data: 'what a later chargeback needs of a screening',
    key: 'the screening’s ID; keyed hashes inside',
    life: labels,
  },
  source: { data: 'outcomes from outside', key: 'keyed hash of the dispute’s ID', life: labels },
  reference: {
    data: 'references of payments',
    key: 'keyed hash of the reference',
    life: `${labels}; ${duration(HELD_MS)} while no payment has it`,
  },
  processor: {
    data: 'how many payments banks authorized and declined, in steps of five minutes',
    key: 'the account',
    life: duration(TALLY_LIFE_MS),
  },
  inbound: {
    data: 'addresses of payment processors; bodies that could not be read, sealed',
    key: 'the address’s ID',
    life: `${WITH_ACCOUNT}; bodies ${duration(ASIDE_LIFE_MS)}`,
  },
  listEntry: { data: 'values on lists', key: 'keyed hash; the value is sealed', life: 'until removed or expired' },
  lists: { data: 'lists, and who changed them', key: 'the list’s name', life: `${WITH_ACCOUNT}; changes 400 days` },
  message: {
    data: 'webhook messages',
    key: 'the message’s ID; the user ID inside is in clear',
    life: duration(DELIVERY_RETENTION_MS),
  },
  deliveries: {
    data: 'deliveries of webhook messages',
    key: 'the delivery’s ID',
    life: duration(DELIVERY_RETENTION_MS),
  },
  idempotency: {
    data: 'responses to an `Idempotency-Key`',
    key: 'a hash of the key',
    life: duration(IDEMPOTENCY_WINDOW_MS),
  },
  afd: {
    data: 'which event of Amazon’s client was which screening',
    key: 'a hash of the event’s ID',
    life: duration(AFD_EVENT_LIFE_MS),
  },
  overview: {
    data: 'counts of decisions, outcomes and amounts; how many cases each analyst resolved',
    key: 'the hour or day; names of analysts, none of users',
    life: `hours ${duration(COUNTED_HOURS_MS + 86_400_000)}, days ${duration(RETENTION_MS + 2 * 86_400_000)}`,
  },
  tally: { data: 'counts of cases', key: 'the day', life: duration(RETENTION_MS + 2 * 86_400_000) },
  account: {
    data: 'the account, its settings and its keys (hashes) with the people they belong to',
    key: 'the account’s ID',
    life: WITH_ACCOUNT,
  },
  keyUse: { data: 'when a key was last used, to the hour', key: 'the key’s ID', life: WITH_ACCOUNT },
  keyHash: 'operation',
  accounts: 'operation',
  webhooks: { data: 'webhook endpoints, with sealed secrets', key: 'the endpoint’s ID', life: WITH_ACCOUNT },
  endpointState: 'operation',
  rules: { data: 'rules, and who changed them', key: 'the rule’s name', life: WITH_ACCOUNT },
  erasure: {
    data: 'records of erasures',
    key: 'a hash of the keyed hash; names nobody',
    life: WITH_ACCOUNT,
  },
  erasePass: 'operation',
  mark: 'operation',
  model: 'operation',
};

const rows = (): string[] =>
  Object.entries(KEPT).flatMap(([kind, kept]) =>
    kept === 'operation'
      ? []
      : [`| ${kept.data} | \`${PARTITION[kind as keyof typeof PARTITION]}…\` | ${kept.key} | ${kept.life} |`],
  );

/** Kinds that hold nothing about anybody. */
const others = (): string =>
  Object.entries(KEPT)
    .filter(([, kept]) => kept === 'operation')
    .map(([kind]) => `\`${PARTITION[kind as keyof typeof PARTITION]}…\``)
    .join(', ');

/** Every kind of item with what it holds, under which key and for how long. */
export function retentionTable(): string {
  const table = ['| Data | Where | Under which key | How long |', '|---|---|---|---|', ...rows()].join('\n');
  return `${table}\n\nThe other kinds of items hold nothing about anybody: ${others()}.`;
}
