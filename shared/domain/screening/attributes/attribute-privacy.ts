import { formOf, wordsOf } from '../../entities/canonical-value';

/*
 * What may be learnt from an attribute, by its key. Anyone may send anything under any key, so the values have fences
 * of their own (`observe-attributes.ts`); this one knows the names that people give to what is personal.
 */

/** Nothing is observed of these, whatever else the key says. */
const PERSONAL: ReadonlySet<string> = new Set(
  'ssn sin nino itin tin passport licence license dob birth birthday birthdate birthyear born cvv cvc pin iban pan otp password passcode secret'.split(
    ' ',
  ),
);
/** Nor of the number, fingerprint or id of one of these. */
const HOLDERS: ReadonlySet<string> = new Set('card account tax national social identity driver drivers'.split(' '));
const IDENTIFIERS: ReadonlySet<string> = new Set(
  'number no nr fingerprint id hash token security insurance'.split(' '),
);
/** Digits under such a key are a code and not an amount: 5411 is no more than 5410. */
const CODES: ReadonlySet<string> = new Set(
  'id code bin number no nr zip postcode postal postal_code key ref reference terminal merchant category mcc sku plz'.split(
    ' ',
  ),
);

/** How an attribute may be observed: not at all, as a category only, or as a number if it looks like one. */
export type Observation = 'never' | 'category' | 'any';

const known = new Map<string, Observation>();
const MOST_KNOWN = 1_000;

/** How the key of an attribute lets it be observed; found once per key. */
export function observationOf(key: string): Observation {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  const observation = findObservation(key);
  known.set(key, observation);
  return observation;
}

function findObservation(key: string): Observation {
  if (formOf(key) === 'phone') return 'never';
  const words = wordsOf(key);
  const last = words.at(-1) ?? '';
  if (words.some((word) => PERSONAL.has(word))) return 'never';
  if (IDENTIFIERS.has(last) && words.some((word) => HOLDERS.has(word))) return 'never';
  return CODES.has(last) ? 'category' : 'any';
}
