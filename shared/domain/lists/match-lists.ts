import { formOf, type PhoneCountry } from '../entities/canonical-value';
import type { EntityNames, EntityRef } from '../entities/entity-ref';
import { domainAndParents } from '../intelligence/intelligence-table';
import { ipPrefix, parseIp } from '../ip/parse-ip';
import type { Subject } from '../screening/subjects/attempt-of';
import type { ListDefinition, ListEffect, ListType } from './list-definition';
import { domainRef, emailDomain, networkRef, networkText } from './list-value';

/** That an entity is on a list: a mark on its item. */
export interface ListFlag {
  readonly number: number;
  /** It counts before this time. @default forever */
  readonly until_ms?: number | undefined;
}

/** The entries of a list of networks, or of domains if it is an old one. */
export interface HeldEntries {
  readonly untilMs: ReadonlyMap<string, number | undefined>;
  readonly scopes: ReadonlySet<string>;
}

/** A list as screenings know it. */
export interface KnownList extends Pick<ListDefinition, 'name' | 'type' | 'effect' | 'number'> {
  /** Of lists that are kept in memory only. */
  readonly held?: HeldEntries | undefined;
}

/** A list that holds something of a screening. */
export interface MatchedList {
  readonly name: string;
  readonly type: ListType;
  readonly effect: ListEffect;
}

/** The lists that match a screening, and on which fields. */
export interface ListMatches {
  readonly matched: readonly MatchedList[];
  /** Whether a list holds the value of a field: `user_id`, `device_fingerprint`, `ip_address` or `attr.<key>`. */
  isOn(list: string, field: string): boolean;
}

/** A value of a screening that lists of its type may hold. */
export interface Candidate {
  readonly type: ListType;
  readonly field: string;
  readonly ref: EntityRef;
}

export const NO_MATCHES: ListMatches = { matched: [], isOn: () => false };

/** Inputs for naming the values of a screening. */
export interface Naming {
  readonly names: EntityNames;
  readonly country: PhoneCountry;
  readonly refs: readonly EntityRef[];
}

/** The values of a screening that lists of exact values could hold, as far as the account has such lists. */
export function candidatesOf(lists: readonly KnownList[], subject: Subject, naming: Naming): readonly Candidate[] {
  const types = new Set(lists.map(({ type }) => type));
  const hasFlaggedDomains = lists.some(({ type, held }) => type === 'email_domain' && held === undefined);
  const candidates: Candidate[] = [];
  const { names, country, refs } = naming;
  const known = (kind: EntityRef['kind']) => refs.find((ref) => ref.kind === kind);
  const add = (type: ListType, field: string, ref: EntityRef | undefined): void => {
    if (ref !== undefined) candidates.push({ type, field, ref });
  };
  const { custom_attributes: attributes = {}, device_fingerprint: device, ip_address } = subject;
  const attributeRef = (key: string, as: string): EntityRef | undefined =>
    (key === as ? refs.find(({ kind, name }) => kind === 'attribute' && name === key) : undefined) ??
    names.attribute(as, attributes[key] ?? '', country);

  if (types.has('user_id')) add('user_id', 'user_id', known('user') ?? names.user(subject.user_id));
  if (types.has('device_fingerprint') && device !== undefined) {
    add('device_fingerprint', 'device_fingerprint', known('device') ?? names.device(device));
  }
  if (types.has('ip_address') && ip_address !== undefined) {
    const address = ipPrefix(ip_address);
    add('ip_address', 'ip_address', address === undefined ? undefined : (known('ip') ?? names.exact('ip', address)));
  }
  for (const key of Object.keys(attributes)) {
    const form = formOf(key);
    // An address is an address under any attribute key: all are looked up under the same name.
    if (form !== 'text' && types.has(form)) add(form, `attr.${key}`, attributeRef(key, form));
    if (form === 'email' && hasFlaggedDomains)
      for (const domain of domainsOf(attributes[key])) add('email_domain', `attr.${key}`, domainRef(names, domain));
    if (key === 'card_fingerprint' && types.has(key)) add(key, `attr.${key}`, attributeRef(key, key));
    if (types.has(`attribute:${key}`)) add(`attribute:${key}`, `attr.${key}`, attributeRef(key, key));
  }
  return candidates;
}

/** A screening's values, and the marks on those of their items that could be read. */
export interface Listed {
  readonly subject: Subject;
  readonly naming: Naming;
  readonly candidates: readonly Candidate[];
  readonly flagsOf: (ref: EntityRef) => readonly ListFlag[];
}

const applies = (untilMs: number | undefined, atMs: number): boolean => untilMs === undefined || atMs < untilMs;

const OWN_FIELD: Readonly<Partial<Record<ListType, string>>> = {
  email: 'attr.email',
  email_domain: 'attr.email',
  phone: 'attr.phone',
};

/** A trusted address in another field allows nothing: anyone can send a present to someone on the list. */
const isOwnField = (type: ListType, fields: ReadonlySet<string>): boolean => {
  const own = OWN_FIELD[type];
  return own === undefined || fields.has(own);
};

/** The lists that hold something of a screening at a time, to the instant. */
export function matchLists(lists: readonly KnownList[], listed: Listed, atMs: number): ListMatches {
  if (lists.length === 0) return NO_MATCHES;
  const fields = new Map<string, ReadonlySet<string>>();
  const matched: MatchedList[] = [];
  for (const list of lists) {
    const on = new Set(list.held ? heldFields(list.held, list.type, listed, atMs) : flaggedFields(list, listed, atMs));
    if (on.size === 0) continue;
    fields.set(list.name, on);
    if (list.effect === 'allow' && !isOwnField(list.type, on)) continue;
    matched.push({ name: list.name, type: list.type, effect: list.effect });
  }
  if (fields.size === 0) return NO_MATCHES;
  return { matched, isOn: (list, field) => fields.get(list)?.has(field) ?? false };
}

/** The domain of an email address and those that it belongs to: a list of domains holds their subdomains, too. */
function domainsOf(email: string | undefined): readonly string[] {
  const domain = email && emailDomain(email);
  return domain ? domainAndParents(domain) : [];
}

function flaggedFields({ type, number }: KnownList, { candidates, flagsOf }: Listed, atMs: number): string[] {
  return candidates
    .filter((candidate) => candidate.type === type)
    .filter(({ ref }) => flagsOf(ref).some((flag) => flag.number === number && applies(flag.until_ms, atMs)))
    .map(({ field }) => field);
}

function heldFields(held: HeldEntries, type: ListType, { subject, naming }: Listed, atMs: number): string[] {
  const holds = ({ key }: EntityRef): boolean => held.untilMs.has(key) && applies(held.untilMs.get(key), atMs);
  if (type === 'cidr') return holdsAddress(held, subject, (text) => holds(networkRef(naming.names, text)));
  return Object.entries(subject.custom_attributes ?? {}).flatMap(([key, value]) => {
    const domains = formOf(key) === 'email' ? domainsOf(value) : [];
    return domains.some((domain) => holds(domainRef(naming.names, domain))) ? [`attr.${key}`] : [];
  });
}

function holdsAddress({ scopes }: HeldEntries, { ip_address }: Subject, holds: (text: string) => boolean): string[] {
  const ip = ip_address === undefined ? undefined : parseIp(ip_address);
  if (ip === undefined) return [];
  for (const scope of scopes) {
    const [family, bits] = scope.split('/').map(Number);
    if (family === ip.family && holds(networkText(ip, bits ?? 0))) return ['ip_address'];
  }
  return [];
}
