import { currencyOf } from '../../screening/currency-rates';
import type { StatedOutcome } from '../outside-outcome';

/** Payment processors that may report outcomes directly. */
export const PROVIDERS = ['stripe', 'adyen'] as const;

export type Provider = (typeof PROVIDERS)[number];

export const isProvider = (text: string): text is Provider => (PROVIDERS as readonly string[]).includes(text);

/** An outcome that a processor reports, for the subject with any of these references. */
export interface ReportedOutcome extends StatedOutcome {
  readonly source_id: string;
  readonly references: readonly string[];
  readonly card?: ReportedCard | undefined;
}

/** A card by the attribute that would name it in a screening: a token per attempt, sent there, is then one card. */
export type ReportedCard = readonly [key: 'payment_account_reference' | 'card_fingerprint', value: string];

/** The account of a card and all its tokens, if the processor knows it; else its name for the number. */
export function cardOf(account: unknown, number: unknown): Pick<ReportedOutcome, 'card'> {
  const [par, fingerprint] = [textOf(account), textOf(number)];
  if (par !== undefined) return { card: ['payment_account_reference', par] };
  return fingerprint === undefined ? {} : { card: ['card_fingerprint', fingerprint] };
}

/** A body with a valid signature that lacks what its type promises: for a person to look at. */
export class UnreadableNotification extends Error {
  override readonly name = 'UnreadableNotification';
}

/** Any JSON object. */
export type Json = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

const MAX_CHARACTERS = 128;

/** A text that can be stored; undefined for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_CHARACTERS && value.isWellFormed()
    ? value
    : undefined;

/** A text without which the report means nothing. @throws UnreadableNotification */
export function needText(value: unknown, what: string): string {
  const text = textOf(value);
  if (text === undefined) throw new UnreadableNotification(`no ${what}`);
  return text;
}

/** An amount in minor units of its currency, as all processors send it; nothing if either is unknown. */
export function amountOf(minorUnits: unknown, code: unknown): Pick<StatedOutcome, 'amount' | 'currency'> {
  const known = typeof code === 'string' ? currencyOf(code.toUpperCase()) : undefined;
  if (known === undefined || typeof minorUnits !== 'number' || !(minorUnits > 0)) return {};
  return { amount: minorUnits / 10 ** known.minor_unit_digits, currency: known.code };
}

/** An instant as ISO 8601 in UTC. @throws UnreadableNotification */
export function instantOf(value: string | number): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) throw new UnreadableNotification('no time');
  return at.toISOString();
}
