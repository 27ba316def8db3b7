import { canonicalPhone, type PhoneCountry } from './canonical-phone';

export type { PhoneCountry } from './canonical-phone';

/*
 * The same thing written differently is the same entity. Only comparisons use these forms: answers echo what was sent.
 */

/** Printable ASCII without spaces: what nearly every id is, and canonical already. */
const PLAIN = /^[!-~]*$/;
/**
 * What no reader sees: control characters, code points that Unicode says to ignore (zero-width and bidi controls,
 * variation selectors, soft hyphen, BOM, fillers, tags), annotation marks, and the blank of Braille.
 */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb\u2800]/gu;

/** NFKC, trimmed, without invisible characters; may be empty. */
export function canonicalText(text: string): string {
  if (PLAIN.test(text)) return text;
  // Before and after: what is removed may have kept apart what NFKC joins, and NFKC may bring forth what is removed.
  return text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC').replace(INVISIBLE, '').trim();
}

/** Lower case, without `+tag`; at Gmail without dots, where they mean nothing. */
export function canonicalEmail(text: string): string {
  const address = canonicalText(text).toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 1) return address;
  const domain = canonicalDomain(address.slice(at + 1));
  const written = address.slice(0, at);
  const plus = written.indexOf('+');
  const box = plus > 0 ? written.slice(0, plus) : written;
  const local = domain === 'gmail.com' ? box.replaceAll('.', '') : box;
  return `${local === '' ? written : local}@${domain}`;
}

/** Lower case is assumed; `googlemail.com` is another name of `gmail.com`. */
export function canonicalDomain(written: string): string {
  const domain = written.endsWith('.') ? written.slice(0, -1) : written;
  if (domain === 'googlemail.com') return 'gmail.com';
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
/** What may follow the word that counts; `e` is what is left of `phone_e164`. */
const ENDINGS: ReadonlySet<string> = new Set(['number', 'no', 'nr', 'address', 'addr', 'e']);

/** Forms are found once per key: callers keep sending the same few. Bounded, since anyone may send others. */
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

/** The canonical value of a custom attribute, by what its key says it is; empty if nothing is left. */
export function canonicalAttribute(key: string, value: string, country?: PhoneCountry): string {
  const form = formOf(key);
  if (form === 'email') return canonicalEmail(value);
  const text = canonicalText(value);
  return form === 'phone' ? canonicalPhone(text, country) : text;
}
