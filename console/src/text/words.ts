import type { TypedEntry } from '../api/list-routes';
import type { Decision, Evidence, ReviewCase, TimelineEntry } from '../api/types';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: ReadonlyArray<readonly [ms: number, short: string, long: string]> = [
  [DAY, 'd', 'day'],
  [HOUR, 'h', 'hour'],
  [MINUTE, 'min', 'minute'],
];

/** A length of time in its one or two largest units: `2 d 4 h`, `35 min`, `now` below a minute. */
export function shortTime(ms: number): string {
  return spell(ms, ([, short], count) => `${count} ${short}`, 'now');
}

/** The same for a screen reader: `2 days 4 hours`. */
export function spokenTime(ms: number): string {
  return spell(ms, ([, , long], count) => `${count} ${long}${count === 1 ? '' : 's'}`, 'less than a minute');
}

function spell(ms: number, word: (unit: (typeof UNITS)[number], count: number) => string, none: string): string {
  const first = UNITS.findIndex(([size]) => ms >= size);
  const unit = UNITS[first];
  if (!unit) return none;
  const count = Math.floor(ms / unit[0]);
  const next = UNITS[first + 1];
  const rest = next ? Math.floor((ms % unit[0]) / next[0]) : 0;
  // Ten days and some hours are ten days.
  return next && rest > 0 && count < 10 ? `${word(unit, count)} ${word(next, rest)}` : word(unit, count);
}

const FULL = {
  ...({ day: 'numeric', month: 'short', year: 'numeric' } as const),
  ...({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const),
};

/** `14 Nov 2026, 09:30 CET`, in the analyst's own time zone, which it names. */
export const fullTime = (iso: string): string => new Date(iso).toLocaleString('en-GB', FULL);

/** `09:45 CET`: a time within the next hour. */
export const clockTime = (iso: string): string =>
  Date.parse(iso) - Date.now() > DAY
    ? fullTime(iso)
    : new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

export function elapsedShare(startIso: string, endIso: string, nowMs: number): number {
  const [start, end] = [Date.parse(startIso), Date.parse(endIso)];
  return Math.min(1, Math.max(0, (nowMs - start) / (end - start)));
}

/** `3 h 5 min ago`, `just now`. */
export function timeAgo(iso: string, nowMs: number): string {
  const time = shortTime(nowMs - Date.parse(iso));
  return time === 'now' ? 'just now' : `${time} ago`;
}

const DAY_OF_WEEK = { weekday: 'short', day: 'numeric', month: 'short' } as const;

/** The hour or day of a chart's column, with its zone: hours are the analyst's own, days are counted in UTC. */
export const intervalLabel = (iso: string, interval: 'hour' | 'day'): string =>
  interval === 'hour'
    ? new Date(iso).toLocaleString('en-GB', {
        ...DAY_OF_WEEK,
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'short',
      })
    : `${new Date(iso).toLocaleDateString('en-GB', { ...DAY_OF_WEEK, timeZone: 'UTC' })} (UTC)`;

type ProcessorSaid = Pick<TimelineEntry, 'decline_reason' | 'cvc_check' | 'address_check' | 'three_d_secure'>;
type Subject = Pick<ReviewCase, 'amount' | 'currency' | 'event_type' | 'subject_type'>;

/** `velocity_spike` as a person would write it. */
export function nameOf(signal: string): string {
  // A rule's name is the account's own and stays as it is.
  if (signal.startsWith('rule:')) return `Rule ${signal.slice('rule:'.length)}`;
  return sentence(signal.replaceAll('_', ' ').replace(/\bip\b/g, 'IP'));
}

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `+23`, `−4`, with a real minus sign. */
export const signedPoints = (points: number): string => (points < 0 ? `−${-points}` : `+${points}`);

export const plural = (count: number, word: string): string => `${wholeNumber(count)} ${word}${count === 1 ? '' : 's'}`;

export const entryCount = (count: number): string => (count === 1 ? '1 entry' : `${wholeNumber(count)} entries`);

export const wholeNumber = (value: number): string => value.toLocaleString('en-US');

/** `€1,290.00`; a currency that the browser does not know keeps its code. */
export function money(amount: number, currency: string): string {
  try {
    return amount.toLocaleString('en-US', { style: 'currency', currency });
  } catch {
    return `${wholeNumber(amount)} ${currency}`;
  }
}

/** `$1,290`: sums at rough rates have no cents worth showing. */
export const dollars = (usd: number): string => money(Math.round(usd), 'USD').replace(/\.00$/, '');

/** `37%`, one decimal below ten; a small share never rounds down to nothing. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return '< 0.1%';
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)}%`;
}

/** `DE` as `Germany`. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Decisions as participles. `reviewed` is what people did, never what waits for them. */
export const DECIDED = {
  allow: 'allowed',
  challenge: 'challenged',
  review: 'held for review',
  block: 'blocked',
} as const;

type Supposed = NonNullable<Decision['explanation']['what_if']>[number];

/** `Allowed up to €180.00`, `On a known device: allowed`. */
export function supposedText({ change, at_most, signal, decision }: Supposed, currency: string): string {
  const decided = DECIDED[decision];
  if (change === 'amount') return `${sentence(decided)} up to ${money(at_most ?? 0, currency)}`;
  if (change === 'without_signal') return `Without “${nameOf(signal ?? '')}”: ${decided}`;
  return `${change === 'known_device' ? 'On a known device' : 'From a known place'}: ${decided}`;
}

/** The attempt in a word: the amount of a payment, the kind of an event. */
export const subjectOf = ({ amount, currency, event_type, subject_type }: Subject): string =>
  amount === undefined
    ? nameOf(event_type ?? subject_type)
    : `${event_type === undefined ? '' : `${nameOf(event_type)}, `}${money(amount, currency ?? '')}`;

/** Signals worth a chip: the model's own share is in nearly every score, and says nothing unless it stands alone. */
export function tellingSignals(names: readonly string[]): readonly string[] {
  const others = names.filter((name) => name !== 'model_risk');
  return others.length > 0 ? others : names;
}

/** The processor's word: `: incorrect CVC, CVC check failed`. */
export function processorText({ decline_reason, cvc_check, address_check, three_d_secure }: ProcessorSaid): string {
  const said = [
    decline_reason?.replaceAll('_', ' ').replace('cvc', 'CVC'),
    cvc_check === 'fail' && 'CVC check failed',
    address_check === 'fail' && 'address check failed',
    three_d_secure !== undefined && three_d_secure !== 'none' && `3-D Secure ${three_d_secure}`,
  ].filter(Boolean);
  return said.length === 0 ? '' : `: ${said.join(', ')}`;
}

// Controls, and characters without a shape or that turn the direction of text: an ID with them can look like another.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** An ID that somebody else chose, with invisible characters made visible: `‹U+202E›`. */
export const visible = (id: string): string =>
  id.replace(UNSEEN, (each) => `‹U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`);

const LINK_KINDS: Readonly<Record<string, string>> = {
  device: 'Device',
  ip_address: 'IP address',
  'attribute:card_fingerprint': 'Card',
  'attribute:card_bin': 'Card BIN',
  'attribute:email': 'Email',
};

/** A node of the links around a user, by its kind and a few characters: `Card b7mQz4`. Users keep their names. */
export function linkName({ type, label }: { readonly type: string; readonly label: string }): string {
  if (type === 'user') return visible(label);
  const kind = LINK_KINDS[type] ?? nameOf(type.replace('attribute:', ''));
  return `${kind} ${label.slice(label.lastIndexOf(' ') + 1)}`;
}

const BEFORE = { hour: 'the week before', day: 'the days before' } as const;

/** `▲ 12% on the week before`: how a number has changed, without saying whether that is good. */
export function trendText(now: number, before: number, interval: 'hour' | 'day'): string {
  const name = BEFORE[interval];
  if (now === before) return `As in ${name}`;
  if (before === 0) return `None in ${name}`;
  const change = (now - before) / before;
  return `${change > 0 ? '▲' : '▼'} ${percent(Math.abs(change))} on ${name}`;
}

/** An average time in its largest units: `25 min`, `2 h 10 min`, `under a minute`. */
export function spanTime(seconds: number | null): string {
  if (seconds === null) return '–';
  const text = shortTime(seconds * 1000);
  return text === 'now' ? '< 1 min' : text;
}

const SPAN_MS = 5 * 60_000;
/** Two payments on one device are ordinary; from three on, they are probably one job. */
const LEAST = 3;

interface Groupable {
  readonly case_id: string;
  readonly device: string | null;
  readonly created_at: string;
}

/** Rows that belong together, in list order; a row by itself is a group of one. */
export type Group<Row> = readonly [Row, ...Row[]];

/**
 * Cases of one device, each within five minutes of the next, become one group at the position of its first. Rows come in
 * the order of the list, newest or oldest first.
 */
export function groupRows<Row extends Groupable>(rows: readonly Row[]): Group<Row>[] {
  const chains: Array<[Row, ...Row[]]> = [];
  const open = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const chain = row.device === null ? undefined : open.get(row.device);
    const last = chain?.at(-1);
    if (chain && last && Math.abs(Date.parse(last.created_at) - Date.parse(row.created_at)) <= SPAN_MS) {
      chain.push(row);
      continue;
    }
    const started: [Row, ...Row[]] = [row];
    chains.push(started);
    if (row.device !== null) open.set(row.device, started);
  }
  const positions = new Map(rows.map((row, at) => [row.case_id, at]));
  const positionOf = ([first]: Group<Row>): number => positions.get(first.case_id) ?? 0;
  return chains
    .flatMap((chain): Group<Row>[] => (chain.length >= LEAST ? [chain] : chain.map((row): Group<Row> => [row])))
    .sort((a, b) => positionOf(a) - positionOf(b));
}

const DAY_MS = 86_400_000;

export interface TypedEntries {
  readonly text: string;
  /** Days until they expire; 0: never. */
  readonly days: number;
  readonly reason: string;
}

/** One value per line; empty lines do not count. */
export function typedEntries({ text, days, reason }: TypedEntries, nowMs: number): TypedEntry[] {
  const rest = {
    ...(days > 0 ? { expires_at: new Date(nowMs + days * DAY_MS).toISOString() } : {}),
    ...(reason ? { reason } : {}),
  };
  const values = text.split('\n').map((line) => line.trim());
  return values.filter((value) => value !== '').map((value) => ({ value, ...rest }));
}

/** Somebody who released a case and came back to it never really left it: neither step is shown. */
export function withoutReturns<Step extends Pick<TimelineEntry, 'kind' | 'actor'>>(entries: readonly Step[]): Step[] {
  const kept: Step[] = [];
  for (const entry of entries) {
    const before = kept.at(-1);
    const isReturn = entry.kind === 'claimed' && before?.kind === 'released' && before.actor === entry.actor;
    if (isReturn) kept.pop();
    else kept.push(entry);
  }
  return kept;
}

export const NETWORKS: Readonly<Record<string, string>> = {
  ...{ hosting: 'data centre', mobile: 'mobile', tor: 'Tor exit', vpn: 'VPN' },
};

/** `United States, AS16509, data centre`: where an address is, as far as it is known. */
export const networkText = ({ ip_country, ip_asn, ip_network = '' }: Partial<Evidence>): string =>
  [ip_country && countryName(ip_country), ip_asn && `AS${ip_asn}`, NETWORKS[ip_network]].filter(Boolean).join(', ');

/** A cell of a CSV file. A spreadsheet would run what begins like a formula (OWASP, CSV Injection): it gets an apostrophe. */
export function csvCell(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const COLUMNS = [
  ...(['case_id', 'status', 'user_id', 'amount', 'currency', 'event_type', 'risk_score', 'created_at'] as const),
  ...(['expires_at', 'assignee', 'resolved_by', 'resolved_at', 'reason_code'] as const),
];

/** Cases as a CSV file. */
export const casesCsv = (cases: readonly ReviewCase[]): string =>
  [
    [...COLUMNS, 'signals'].join(','),
    ...cases.map((each) => [...COLUMNS.map((name) => csvCell(each[name])), csvCell(each.signals.join(' '))].join(',')),
  ].join('\r\n');

/** The first column of a CSV file, or a text with one value per line. */
export const firstColumn = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => (/^"((?:[^"]|"")*)"/.exec(line)?.[1]?.replaceAll('""', '"') ?? line.split(',')[0] ?? '').trim())
    .join('\n');
