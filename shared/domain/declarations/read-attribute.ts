import { canonicalEmail, canonicalPhone, canonicalText, type PhoneCountry } from '../entities/canonical-value';
import { ipPrefix, parseIp } from '../ip/parse-ip';
import { isCountry } from '../ip/travel';
import type { AttributeType, Declarations } from './declaration';

type AttributeValue = string | number | boolean | undefined;

const DECIMAL = /^[+-]?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})$/;
const EMAIL = /^[^@\s]+@[^@\s]+$/;

const orNone = (text: string): string | undefined => (text === '' ? undefined : text);

const READ: Readonly<Record<AttributeType, (value: string, country: PhoneCountry) => AttributeValue>> = {
  text: (value) => orNone(canonicalText(value)),
  number: (value) => {
    const text = canonicalText(value);
    return DECIMAL.test(text) ? Number(text) : undefined;
  },
  boolean: (value) => {
    const text = canonicalText(value).toLowerCase();
    return text === 'true' ? true : text === 'false' ? false : undefined;
  },
  email: (value) => {
    const address = canonicalEmail(value);
    return EMAIL.test(address) ? address : undefined;
  },
  phone: (value, country) => {
    const number = canonicalPhone(canonicalText(value), country);
    return /^\d+$/.test(number) ? number : undefined;
  },
  ip_address: (value) => {
    const text = canonicalText(value);
    return parseIp(text) === undefined ? undefined : ipPrefix(text);
  },
  country: (value) => {
    const code = canonicalText(value).toUpperCase();
    return isCountry(code) ? code : undefined;
  },
};

/** The value of an attribute by its declared type; undefined if it cannot be read. */
export const readAttribute = (type: AttributeType, value: string, country: PhoneCountry): AttributeValue =>
  READ[type](value, country);

const NEEDED: Readonly<Record<AttributeType, string>> = {
  text: 'a text',
  number: 'a decimal number such as 12.5',
  boolean: 'true or false',
  email: 'an email address',
  phone: 'a phone number',
  ip_address: 'an IPv4 or IPv6 address',
  country: 'an ISO 3166-1 alpha-2 country code such as DE',
};

/** One sentence for each value that its declared type cannot read: it is missing to rules and counters. */
export function attributeWarnings(
  { attributes }: Pick<Declarations, 'attributes'>,
  sent: Readonly<Record<string, string>> | undefined,
): string[] {
  if (attributes.length === 0 || sent === undefined) return [];
  return attributes.flatMap(({ key, type }) => {
    const value = Object.hasOwn(sent, key) ? sent[key] : undefined;
    // Nothing was sent, so nothing is missing.
    if (value === undefined || value === '' || readAttribute(type, value, undefined) !== undefined) return [];
    return [`custom_attributes.${key} is not ${NEEDED[type]}, as declared: rules and counters do without it.`];
  });
}
