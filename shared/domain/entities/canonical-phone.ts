/** The country that a number without a country code belongs to, if all that is known agrees; else undefined. */
export type PhoneCountry = string | undefined;

/** How numbers are written within a country: its code, and what to remove from a number, or how long it must be, before the code is added. */
interface NationalPlan {
  readonly code: string;
  /** A zero before national numbers that does not belong to them. */
  readonly trunk?: '0';
  /** Digits of a complete national number, where there is nothing else to tell one by. */
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

/** Digits with the usual marks between them, and an extension that reaches somebody behind the same number. */
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
  // `(0)` shows the zero of national calls, which does not follow a country code.
  const digits = (isInternational ? written.replace('(0)', '') : written).replace(/\D/g, '');
  if (digits.length < FEWEST_DIGITS) return text;
  if (isInternational) return withoutTrunk(digits.replace(/^00/, ''));
  const plan = country === undefined ? undefined : PLANS[country];
  return plan === undefined ? digits : withCode(digits, plan);
}

/** `+49 0170…` is written often and never meant: no national number of these countries begins with a zero. */
function withoutTrunk(digits: string): string {
  const code = TRUNK_CODES.find((each) => digits.startsWith(`${each}0`));
  return code === undefined ? digits : code + digits.slice(code.length + 1);
}

function withCode(digits: string, { code, trunk: zero, digits: complete }: NationalPlan): string {
  if (zero !== undefined) return digits.startsWith(zero) ? code + digits.slice(1) : digits;
  return digits.length === complete ? code + digits : digits;
}

/** The country to complete phone numbers by: the billing country, unless the IP address says otherwise. */
export const phoneCountry = (billing: string | undefined, ip: string | undefined): PhoneCountry =>
  billing !== undefined && (ip === undefined || ip === billing) ? billing : undefined;
