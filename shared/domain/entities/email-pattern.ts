import { canonicalEmail } from './canonical-value';

const DIGIT = /\d/;
const DIGITS = /\d+/g;
const NO_LETTERS = /[^\p{L}]+/gu;
/** With fewer letters, everybody would share it: `4915112345@` of a provider that names boxes by phone numbers. */
const LEAST_LETTERS = 4;

/**
 * What is left of an email address when its numbers are: `john.smith#@mail.example` for `john.smith381@` and `john.smith382@`.
 * The letters stay, because ordinary names at a large provider have nothing else in common. Undefined if there is no
 * number, or hardly anything else.
 */
export function emailPattern(email: string): string | undefined {
  // Most addresses have no number, and need not be made canonical to see that.
  if (!DIGIT.test(email.slice(0, email.lastIndexOf('@')))) return undefined;
  const address = canonicalEmail(email);
  const at = address.lastIndexOf('@');
  const stem = address.slice(0, Math.max(0, at)).replace(DIGITS, '#');
  if (!stem.includes('#') || stem.replace(NO_LETTERS, '').length < LEAST_LETTERS) return undefined;
  return stem + address.slice(at);
}
