import { canonicalDomain, canonicalEmail, canonicalPhone, canonicalText } from '../entities/canonical-value';
import type { EntityNames, EntityRef } from '../entities/entity-ref';
import { ipPrefix, type ParsedIp, parseIp } from '../ip/parse-ip';
import { attributeOf, type ListType } from './list-definition';

/** A network in CIDR notation. */
export interface IpNetwork {
  readonly family: 4 | 6;
  readonly bits: number;
  /** The same for every spelling. */
  readonly text: string;
}

/** Shorter prefixes hold whole continents: a typo, not a network. */
const SHORTEST = { 4: 8, 6: 16 } as const;
const LONGEST = { 4: 32, 6: 128 } as const;
const MAPPED_BITS = 96;

function masked(word: number, bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? word : (word & (-1 << (32 - bits))) >>> 0;
}

/** The network of this many bits that an address is in, as text. */
export function networkText(ip: ParsedIp, bits: number): string {
  if (ip.family === 4) return `${masked(ip.word, bits).toString(16)}/${bits}`;
  return `${ip.words.map((word, at) => masked(word, bits - 32 * at).toString(16)).join(':')}/${bits}`;
}

/** Reads a network such as `203.0.113.0/24`, or a single address; undefined if it is neither, or too large. */
export function parseNetwork(text: string): IpNetwork | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const ip = parseIp(address);
  if (ip === undefined || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined;
  const isMapped = ip.family === 4 && address.includes(':');
  const bits = length === undefined ? LONGEST[ip.family] : Number(length) - (isMapped ? MAPPED_BITS : 0);
  if (bits < SHORTEST[ip.family] || bits > LONGEST[ip.family]) return undefined;
  return { family: ip.family, bits, text: networkText(ip, bits) };
}

/** Longer ones cannot be sent to a screening. */
export const MAX_VALUE_CHARACTERS = 512;

/** A value of a list under the name by which screenings find it, or its fault. */
export type NamedValue =
  | {
      /** The entity of an exact value; of a network or domain, a name of the same form. */
      readonly ref: EntityRef;
      /** Family and length of a network, `4/24`: the prefix to which an address is cut for the lookup. */
      readonly scope?: string;
    }
  | { readonly fault: string };

const DOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;
/** The `device` of a case: nobody but the sender of a screening knows the fingerprint. */
const DEVICE_OF_CASE = /^device:([0-9a-z]{1,4}\.[\w-]{22})$/;
const EMPTY = 'must have at least one visible character';

/** The domain of an email address in its canonical form; undefined if there is none. */
export function emailDomain(email: string): string | undefined {
  const canonical = canonicalEmail(email);
  const at = canonical.lastIndexOf('@');
  return at < 1 || at === canonical.length - 1 ? undefined : canonical.slice(at + 1);
}

/** The name of a domain on a list. */
export const domainRef = (names: EntityNames, domain: string): EntityRef =>
  names.exact('attribute', domain, 'email_domain');

/** The name of a network on a list, from `networkText`. */
export const networkRef = (names: EntityNames, network: string): EntityRef => names.exact('attribute', network, 'cidr');

const named = (ref: EntityRef | undefined, fault = EMPTY): NamedValue => (ref === undefined ? { fault } : { ref });

/** The name of a value, however it is written. */
export function nameValue(names: EntityNames, type: ListType, value: string): NamedValue {
  if (value.length < 1 || value.length > MAX_VALUE_CHARACTERS) {
    return { fault: `must have 1 to ${MAX_VALUE_CHARACTERS} characters` };
  }
  if (!value.isWellFormed()) return { fault: 'must be well-formed Unicode' };
  const text = canonicalText(value);
  const attribute = attributeOf(type);
  if (attribute !== undefined) return named(names.attribute(attribute, value));
  switch (type) {
    case 'user_id':
      return named(text === '' ? undefined : names.user(value));
    case 'device_fingerprint': {
      const [, pseudonym] = DEVICE_OF_CASE.exec(text) ?? [];
      return named(pseudonym === undefined ? names.device(value) : names.known('device', pseudonym));
    }
    case 'ip_address': {
      const address = ipPrefix(text);
      return named(address === undefined ? undefined : names.exact('ip', address), 'must be an IPv4 or IPv6 address');
    }
    case 'cidr': {
      const network = parseNetwork(text);
      if (network === undefined) {
        return { fault: 'must be a network such as 203.0.113.0/24, no larger than /8 (IPv4) or /16 (IPv6)' };
      }
      return { ref: networkRef(names, network.text), scope: `${network.family}/${network.bits}` };
    }
    case 'email':
      return named(
        emailDomain(value) === undefined ? undefined : names.attribute('email', value),
        'must be an email address',
      );
    case 'email_domain': {
      const domain = canonicalDomain(text.toLowerCase().replace(/^@/, ''));
      return named(DOMAIN.test(domain) ? domainRef(names, domain) : undefined, 'must be a domain such as example.com');
    }
    case 'phone':
      return named(
        /^\d{5,}$/.test(canonicalPhone(text)) ? names.attribute('phone', value) : undefined,
        'must be a phone number with country code, such as +49 170 1234567',
      );
    default:
      return named(names.attribute('card_fingerprint', value));
  }
}
