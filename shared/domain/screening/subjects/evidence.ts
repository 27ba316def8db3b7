import { type AccountSettings, isSecret } from '../../accounts/account';
import type { Pseudonyms } from '../../entities/pseudonyms';
import type { IpFacts } from '../../ip/ip-table';
import type { Subject } from './attempt-of';
import { masked } from './record-members';
import type { ScreeningRecord } from './screening-record';

/** The values of a request, as far as they are kept for those who look into it. */
export interface Evidence {
  readonly ip_address?: string;
  readonly ip_country?: string;
  readonly ip_asn?: number;
  /** The address's kind of network: `hosting`, `tor`, … */
  readonly ip_network?: string;
  readonly payment_method?: string;
  readonly billing_country?: string;
  readonly device_fingerprint?: string;
  readonly references?: readonly string[];
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Evidence, and whether values that would name somebody are withheld from the caller's role. */
export interface SeenEvidence {
  readonly evidence: Evidence | undefined;
  readonly isWithheld: boolean;
}

/** Members that name nobody: every key that reads decisions sees them. */
const ANONYMOUS = ['ip_country', 'ip_asn', 'ip_network', 'payment_method', 'billing_country'] as const;

/** No more than this is kept, in bytes; a result has room for about 150 in the write unit that it pays for anyway. */
const MOST_BYTES = 480;
const LONGEST = 80;

/** A line per value, each with the letter of its member first: the last ones may be missing. */
const LETTERS = {
  c: 'ip_country',
  a: 'ip_asn',
  n: 'ip_network',
  p: 'payment_method',
  b: 'billing_country',
  i: 'ip_address',
  d: 'device_fingerprint',
} as const;
const REFERENCE = 'r';
const ATTRIBUTE = '=';

const isLetter = (text: string): text is keyof typeof LETTERS => Object.hasOwn(LETTERS, text);
const BREAKS = /[\n\r]/g;
const hasBreak = (text: string): boolean => text.includes('\n') || text.includes('\r');
const oneLine = (text: string): string => masked(hasBreak(text) ? text.replace(BREAKS, ' ') : text).slice(0, LONGEST);

/** The values in the order in which they help: where there is no room for all, the last ones are lost. */
function textOf(
  { tracked_attributes: tracked, never_observed: never }: AccountSettings,
  subject: Subject,
  ip: IpFacts | undefined,
): string {
  let text = '';
  let isFull = false;
  const add = (letter: string, value: string | number | undefined): void => {
    if (value === undefined || isFull) return;
    const line = `${letter}${oneLine(String(value))}\n`;
    isFull = text.length + line.length > MOST_BYTES;
    if (!isFull) text += line;
  };
  const { custom_attributes: sent = {}, references = [] } = subject;
  add('c', ip?.country);
  add('a', ip?.asn);
  add('n', ip?.tor ? 'tor' : ip?.vpn ? 'vpn' : ip?.network);
  add('p', subject.payment_method);
  add('b', subject.billing_address?.country);
  add('i', subject.ip_address);
  for (const reference of references) add(REFERENCE, reference);
  const keys = Object.keys(sent).filter((key) => !isSecret(key) && !never?.includes(key));
  for (const key of keys) if (tracked.includes(key)) add(ATTRIBUTE, `${key}=${sent[key]}`);
  add('d', subject.device_fingerprint);
  for (const key of keys) if (!tracked.includes(key)) add(ATTRIBUTE, `${key}=${sent[key]}`);
  return text;
}

const contextOf = (accountId: string, ulid: string): string => `evidence ${accountId} ${ulid}`;

interface Kept {
  readonly accountId: string;
  readonly ulid: string;
  readonly pseudonyms: Pseudonyms;
}

/** The sealed evidence that a screening keeps; none for an account that has switched it off. */
export function sentEvidence(
  { accountId, ulid, pseudonyms }: Kept,
  settings: AccountSettings,
  subject: Subject,
  ip: IpFacts | undefined,
): Pick<ScreeningRecord, 'sent'> {
  if (settings.keep_evidence === false) return {};
  const text = textOf(settings, subject, ip);
  return text === '' ? {} : { sent: pseudonyms.seal(contextOf(accountId, ulid), text) };
}

/** Opens a screening's evidence, as far as it was kept; undefined if none was. */
export function openEvidence(
  { accountId, pseudonyms }: Omit<Kept, 'ulid'>,
  { ulid, sent }: Pick<ScreeningRecord, 'ulid' | 'sent'>,
): Evidence | undefined {
  const text = sent && pseudonyms.open(contextOf(accountId, ulid), sent);
  if (text === undefined) return undefined;
  const found: Record<string, string | number> = {};
  const references: string[] = [];
  const attributes: [string, string][] = [];
  // A line without its end is incomplete.
  for (const line of text.split('\n').slice(0, -1)) {
    const [letter, value] = [line.charAt(0), line.slice(1)];
    const equals = value.indexOf('=');
    if (letter === REFERENCE) references.push(value);
    else if (letter === ATTRIBUTE) attributes.push([value.slice(0, equals), value.slice(equals + 1)]);
    else if (isLetter(letter)) found[LETTERS[letter]] = letter === 'a' ? Number(value) : value;
  }
  return {
    ...found,
    ...(references.length === 0 ? {} : { references }),
    ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
  };
}

/** The part that names nobody. */
export const anonymousEvidence = (evidence: Evidence): Evidence =>
  Object.fromEntries(ANONYMOUS.flatMap((name) => (evidence[name] === undefined ? [] : [[name, evidence[name]]])));
