import type { AccountSettings } from '../../accounts/account';
import type { Subject } from './attempt-of';
import type { ScreeningRecord } from './screening-record';

const LONGEST = 128;
/** Digits of a whole card number, however they are grouped. */
const CARD_NUMBER = /(?:\d[ -]?){9,15}(\d{4})(?!\d)/g;

/** Nobody at a review desk needs a whole card number, whatever the account sends. */
const masked = (value: string): string => value.replace(CARD_NUMBER, '•••• $1').slice(0, LONGEST);

/** The attributes that the account wants its analysts to see, as they were sent; nothing else is kept of any. */
export function displayedAttributes(
  { displayed_attributes: keys = [] }: Pick<AccountSettings, 'displayed_attributes'>,
  { custom_attributes: sent = {} }: Pick<Subject, 'custom_attributes'>,
): Pick<ScreeningRecord, 'displayed'> {
  const shown = keys.filter((key) => Object.hasOwn(sent, key)).map((key) => [key, masked(sent[key] ?? '')] as const);
  return shown.length === 0 ? {} : { displayed: Object.fromEntries(shown) };
}
