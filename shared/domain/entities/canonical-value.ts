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
 * Country codes as the ITU assigns them (Operational Bulletin 1114, annex: E.164), each before its country; where several
 * countries share one, the longer beginnings decide: area codes of the North American plan (nanpa.com, cnac.ca) and
 * Kazakhstan's. What belongs to no country (toll-free, satellites) is missing.
 */
const CALLING_CODES = `
1US 7RU 20EG 27ZA 30GR 31NL 32BE 33FR 34ES 36HU 39IT 40RO 41CH 43AT 44GB 45DK 46SE 47NO 48PL 49DE 51PE 52MX 53CU 54AR
55BR 56CL 57CO 58VE 60MY 61AU 62ID 63PH 64NZ 65SG 66TH 81JP 82KR 84VN 86CN 90TR 91IN 92PK 93AF 94LK 95MM 98IR 211SS 212MA
213DZ 216TN 218LY 220GM 221SN 222MR 223ML 224GN 225CI 226BF 227NE 228TG 229BJ 230MU 231LR 232SL 233GH 234NG 235TD 236CF
237CM 238CV 239ST 240GQ 241GA 242CG 243CD 244AO 245GW 246IO 248SC 249SD 250RW 251ET 252SO 253DJ 254KE 255TZ 256UG 257BI
258MZ 260ZM 261MG 262RE 263ZW 264NA 265MW 266LS 267BW 268SZ 269KM 290SH 291ER 297AW 298FO 299GL 350GI 351PT 352LU 353IE
354IS 355AL 356MT 357CY 358FI 359BG 370LT 371LV 372EE 373MD 374AM 375BY 376AD 377MC 378SM 380UA 381RS 382ME 383XK 385HR
386SI 387BA 389MK 420CZ 421SK 423LI 500FK 501BZ 502GT 503SV 504HN 505NI 506CR 507PA 508PM 509HT 590GP 591BO 592GY 593EC
594GF 595PY 596MQ 597SR 598UY 599CW 670TL 672NF 673BN 674NR 675PG 676TO 677SB 678VU 679FJ 680PW 681WF 682CK 683NU 685WS
686KI 687NC 688TV 689PF 690TK 691FM 692MH 850KP 852HK 853MO 855KH 856LA 880BD 886TW 960MV 961LB 962JO 963SY 964IQ 965KW
966SA 967YE 968OM 970PS 971AE 972IL 973BH 974QA 975BT 976MN 977NP 992TJ 993TM 994AZ 995GE 996KG 998UZ
76KZ 77KZ 441481GG 441534JE 441624IM 1242BS 1246BB 1264AI 1268AG 1284VG 1340VI 1345KY 1441BM 1473GD 1649TC 1658JM 1876JM
1664MS 1670MP 1671GU 1684AS 1721SX 1758LC 1767DM 1784VC 1787PR 1939PR 1809DO 1829DO 1849DO 1868TT 1869KN`;
const CANADA =
  '204 226 236 249 250 257 263 289 306 343 354 365 367 368 382 387 403 416 418 428 431 437 438 450 460 468 474 506 514 519 537 548 568 579 581 584 587 604 613 639 647 672 683 705 709 742 753 778 780 782 807 819 825 867 873 879 902 905 942';
const NO_COUNTRY = '800 833 844 855 866 877 888 900';

const codes: ReadonlyMap<string, string> = new Map([
  ...CALLING_CODES.trim()
    .split(/\s/)
    .map((each) => [each.slice(0, -2), each.slice(-2)] as const),
  ...CANADA.split(' ').map((area) => [`1${area}`, 'CA'] as const),
  ...NO_COUNTRY.split(' ').map((area) => [`1${area}`, ''] as const),
]);
const LONGEST_CODE = 6;

/** The country of a phone number, if it was written with its country code or `country` completes it; else undefined. */
export function countryOfPhone(text: string, country?: PhoneCountry): string | undefined {
  const written = canonicalText(text);
  const number = canonicalPhone(written, country);
  const isComplete = /^(?:\W*tel:)?[^\w+]*(?:\+|00)/i.test(written) || number !== canonicalPhone(written);
  if (!isComplete || !/^\d+$/.test(number)) return undefined;
  for (let length = LONGEST_CODE; length > 0; length--) {
    const found = codes.get(number.slice(0, length));
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
