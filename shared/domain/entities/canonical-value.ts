import callingCodes from './calling-codes.json';

/** The country of a number without a country code, if all that is known agrees; else undefined. */
export type PhoneCountry = string | undefined;

/** How numbers are written within a country: its code, and what to remove from a number, or how long it must be, before the code is added. */
interface NationalPlan {
  readonly code: string;
  /** A leading zero that is not part of the number itself. */
  readonly trunk?: '0';
  /** Digits of a complete national number, where nothing else identifies one. */
  readonly digits?: number;
}

const trunk = (code: string): NationalPlan => ({ code, trunk: '0' });
const whole = (code: string, digits: number): NationalPlan => ({ code, digits });

/**
 * Only countries whose rule is this simple (ITU-T E.164 and E.123 national notes). Italy keeps its zero, Hungary dials
 * 06, Russia 8: for these and all others the digits stay as given.
 */
const PLANS: Readonly<Record<string, NationalPlan>> = {
  ...{ AT: trunk('43'), AU: trunk('61'), BE: trunk('32'), CH: trunk('41'), DE: trunk('49'), FI: trunk('358') },
  ...{ FR: trunk('33'), GB: trunk('44'), IE: trunk('353'), IN: trunk('91'), JP: trunk('81'), KR: trunk('82') },
  ...{ NL: trunk('31'), NZ: trunk('64'), RO: trunk('40'), SE: trunk('46'), TR: trunk('90'), ZA: trunk('27') },
  ...{ CA: whole('1', 10), US: whole('1', 10), CZ: whole('420', 9), DK: whole('45', 8), ES: whole('34', 9) },
  ...{ GR: whole('30', 10), NO: whole('47', 8), PL: whole('48', 9), PT: whole('351', 9) },
};

const TRUNK_CODES = Object.values(PLANS).flatMap(({ code, trunk: zero }) => (zero === undefined ? [] : [code]));

/** Digits with the usual separators, and an extension that reaches someone behind the same number. */
const NUMBER = /^([+\d][\d ()./\u2010-\u2015-]*?) ?(?:(?:ext\.?|x|#|;ext=) ?\d{1,6})?$/i;
const FEWEST_DIGITS = 5;

/**
 * A phone number as digits with country code. `+49 (0)170…`, `0049 170…` and `49170…` are the same; a number without
 * a country code gets that of `country`, or stays as given. Text that is not a number is returned unchanged.
 */
export function canonicalPhone(text: string, country?: PhoneCountry): string {
  const written = NUMBER.exec(text.replace(/^\(/, '').replace(/^tel:/i, ''))?.[1];
  if (written === undefined) return text;
  const isInternational = written.startsWith('+') || written.startsWith('00');
  // `(0)` is the zero of national calls, which does not follow a country code.
  const digits = (isInternational ? written.replace('(0)', '') : written).replace(/\D/g, '');
  if (digits.length < FEWEST_DIGITS) return text;
  if (isInternational) return withoutTrunk(digits.replace(/^00/, ''));
  const plan = country === undefined ? undefined : PLANS[country];
  return plan === undefined ? digits : withCode(digits, plan);
}

/** `+49 0170…` is often written and never meant: no national number of these countries begins with a zero. */
function withoutTrunk(digits: string): string {
  const code = TRUNK_CODES.find((each) => digits.startsWith(`${each}0`));
  return code === undefined ? digits : code + digits.slice(code.length + 1);
}

function withCode(digits: string, { code, trunk: zero, digits: complete }: NationalPlan): string {
  if (zero !== undefined) return digits.startsWith(zero) ? code + digits.slice(1) : digits;
  return digits.length === complete ? code + digits : digits;
}

/**
 * Country codes as the ITU assigns them (Operational Bulletin 1114, annex: E.164), each with its country; where several
 * countries share one, the longer beginnings decide: area codes of the North American plan (nanpa.com, cnac.ca) and
 * Kazakhstan's. What belongs to no country (toll-free, satellites) is empty or missing.
 */
const codes: Readonly<Record<string, string>> = callingCodes;
const LONGEST_CODE = 6;

/** The country of a phone number, if it was written with its country code or `country` completes it; else undefined. */
export function countryOfPhone(text: string, country?: PhoneCountry): string | undefined {
  const written = canonicalText(text);
  const number = canonicalPhone(written, country);
  const isComplete = /^(?:\W*tel:)?[^\w+]*(?:\+|00)/i.test(written) || number !== canonicalPhone(written);
  if (!isComplete || !/^\d+$/.test(number)) return undefined;
  for (let length = LONGEST_CODE; length > 0; length--) {
    const found = codes[number.slice(0, length)];
    if (found !== undefined) return found || undefined;
  }
  return undefined;
}

/** The country to complete phone numbers with: the billing country, unless the IP address disagrees. */
export const phoneCountry = (billing: string | undefined, ip: string | undefined): PhoneCountry =>
  billing !== undefined && (ip === undefined || ip === billing) ? billing : undefined;

/*
 * The same thing written differently is the same entity. Only comparisons use these forms: answers echo what was sent.
 */

/** Printable ASCII without spaces: nearly every id, and already canonical. */
const PLAIN = /^[!-~]*$/;
/**
 * Invisible characters: control characters, code points that Unicode says to ignore (zero-width and bidi controls,
 * variation selectors, soft hyphen, BOM, fillers, tags), annotation marks, and the blank of Braille.
 */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb\u2800]/gu;

/** NFKC, trimmed, without invisible characters; may be empty. */
export function canonicalText(text: string): string {
  if (PLAIN.test(text)) return text;
  // Twice: a removed character may have separated what NFKC joins, and NFKC may produce characters to remove.
  return text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC').replace(INVISIBLE, '').trim();
}

const OTHER_DOMAINS: Readonly<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  ...{ 'pm.me': 'proton.me', 'protonmail.com': 'proton.me', 'protonmail.ch': 'proton.me' },
  ...{ 'me.com': 'icloud.com', 'mac.com': 'icloud.com' },
  ...{ 'ya.ru': 'yandex.ru', 'yandex.com': 'yandex.ru', 'yandex.by': 'yandex.ru', 'yandex.kz': 'yandex.ru' },
  ...{ 'yandex.ua': 'yandex.ru', 'narod.ru': 'yandex.ru' },
};

/** Yahoo separates the suffix of a disposable address by a hyphen, which no mailbox name contains. */
const isYahoo = (domain: string): boolean => domain.startsWith('yahoo.') || domain === 'ymail.com';

/** Lower case, without `+tag` (Yahoo: `-tag`); at Gmail without dots, where they mean nothing. */
export function canonicalEmail(text: string): string {
  const address = canonicalText(text).toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 1) return address;
  const domain = canonicalDomain(address.slice(at + 1));
  const written = address.slice(0, at);
  const plus = written.search(isYahoo(domain) ? /[+-]/ : /\+/);
  const box = plus > 0 ? written.slice(0, plus) : written;
  const local = domain === 'gmail.com' ? box.replaceAll('.', '') : box;
  return `${local === '' ? written : local}@${domain}`;
}

/** Lower case is assumed; `googlemail.com` is another name of `gmail.com`, `pm.me` of `proton.me`. */
export function canonicalDomain(written: string): string {
  const domain = written.endsWith('.') ? written.slice(0, -1) : written;
  const other = OTHER_DOMAINS[domain];
  if (other !== undefined) return other;
  return PLAIN.test(domain) ? domain : asciiDomain(domain);
}

/** `bücher.example` as DNS knows it, `xn--bcher-kva.example`; unchanged if it cannot be a domain. */
function asciiDomain(domain: string): string {
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain;
}

type ValueForm = 'text' | 'email' | 'phone';

const PHONE_WORDS: ReadonlySet<string> = new Set([
  'phone',
  'telephone',
  'tel',
  'mobile',
  'cell',
  'cellphone',
  'msisdn',
]);
/** Words that may follow the one that counts; `e` is the rest of `phone_e164`. */
const ENDINGS: ReadonlySet<string> = new Set(['number', 'no', 'nr', 'address', 'addr', 'e']);

/** Forms are cached per key: callers keep sending the same few. Bounded, since anyone may send others. */
const forms = new Map<string, ValueForm>();
const MOST_FORMS = 1_000;

/** Whether a key names an email address or a phone number: `email`, `billing_email`, `phone`, `mobileNumber`. */
export function formOf(key: string): ValueForm {
  const known = forms.get(key);
  if (known !== undefined) return known;
  if (forms.size >= MOST_FORMS) forms.clear();
  const form = findForm(key);
  forms.set(key, form);
  return form;
}

function findForm(key: string): ValueForm {
  const words = wordsOf(key);
  while (words.length > 1 && ENDINGS.has(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  if (last === 'email' || (last === 'mail' && (words.length === 1 || words.at(-2) === 'e'))) return 'email';
  return PHONE_WORDS.has(last) ? 'phone' : 'text';
}

/** `billingEmail2` and `billing-e_mail` in words, without numbers. */
export const wordsOf = (key: string): string[] =>
  key
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

/** The canonical value of a custom attribute, read as its key suggests; empty if nothing is left. */
export function canonicalAttribute(key: string, value: string, country?: PhoneCountry): string {
  const form = formOf(key);
  if (form === 'email') return canonicalEmail(value);
  const text = canonicalText(value);
  return form === 'phone' ? canonicalPhone(text, country) : text;
}
