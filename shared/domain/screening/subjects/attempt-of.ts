import type { AccountSettings } from '../../accounts/account';
import type { EventTypeDeclaration } from '../../declarations/declaration';
import { canonicalEmail, canonicalText, countryOfPhone, phoneCountry } from '../../entities/canonical-value';
import type { Action, Attempt } from '../../entities/entity-history';
import { type EntityNames, type EntityRef, pseudonymOf } from '../../entities/entity-ref';
import type { IdempotencyClaim } from '../../idempotency';
import type { IpFacts } from '../../ip/ip-table';
import { ipPrefix, networkOf } from '../../ip/parse-ip';
import { atMostUsd } from '../currency-rates';
import type { PaymentMethod } from '../screening-facts';
import { type SubjectType, subjectId } from './subject-id';

/** Software that acts for the user, as detected at the merchant's edge. */
export interface Agent {
  /** Who runs it, such as the host name of its key directory. */
  readonly operator: string;
  readonly key_id?: string | undefined;
  readonly verified: boolean;
}

/**
 * The agent as an entity. Keys are rotated, so the operator has the history. Anyone can claim to be an operator: an
 * unverified claim has a separate history, which can neither harm nor use the good name of those who sign.
 */
export function agentRef(names: EntityNames, { operator, verified }: Agent): EntityRef | undefined {
  const name = canonicalText(operator).toLowerCase();
  return name === '' ? undefined : names.exact('agent', `${verified ? 'verified' : 'claimed'}:${name}`);
}

/** The parts of a billing address that screening reads. */
export interface BillingAddress {
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postal_code?: string | undefined;
  readonly country?: string | undefined;
}

/** A transaction or event as the caller sent it, validated. */
export interface Subject {
  readonly subject_type: SubjectType;
  readonly action: Action;
  /** The number of an event type that the account declared. @default it is a built-in one */
  readonly type_number?: number | undefined;
  readonly outcome: 'succeeded' | 'failed';
  readonly user_id: string;
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly ip_address?: string | undefined;
  readonly device_fingerprint?: string | undefined;
  readonly payment_method?: PaymentMethod | undefined;
  readonly billing_address?: BillingAddress | undefined;
  readonly custom_attributes?: Readonly<Record<string, string>> | undefined;
  /** IDs given by the merchant and its payment processor: outcomes may arrive by any of these. */
  readonly references?: readonly string[] | undefined;
  /** @default no software acts for the user, as far as the merchant knows */
  readonly agent?: Agent | undefined;
}

/** A custom attribute that was sent, by its exact key. */
export const ownAttribute = (
  { custom_attributes: attributes }: Pick<Subject, 'custom_attributes'>,
  key: string,
): string | undefined => (attributes !== undefined && Object.hasOwn(attributes, key) ? attributes[key] : undefined);

/** The country of the customer's own phone number; undefined if there is none, or if it is not known. */
export function phoneCountryOf(subject: Subject, ip: Pick<IpFacts, 'country'> | undefined): string | undefined {
  const phone = ownAttribute(subject, 'phone');
  return phone && countryOfPhone(phone, phoneCountry(subject.billing_address?.country, ip?.country));
}

/** The id and time under which a subject is screened, and the `Idempotency-Key` it came with. */
export interface ScreenedAs {
  readonly ulid: string;
  readonly atMs: number;
  readonly claim?: IdempotencyClaim | undefined;
}

/** Who and what takes part in an attempt: the entities to record it on, and the card, which may not be one of them. */
export interface Parties {
  readonly refs: EntityRef[];
  readonly card: EntityRef | undefined;
}

/** The entities that take part: the user, the device, the IP, each tracked attribute that was sent, and the agent. */
export function partiesOf(
  names: EntityNames,
  subject: Subject,
  ip: Pick<IpFacts, 'country'> | undefined,
  { tracked_attributes }: Pick<AccountSettings, 'tracked_attributes'>,
): Parties {
  const { device_fingerprint, ip_address, custom_attributes: attributes = {} } = subject;
  const refs = [names.user(subject.user_id)];
  const add = (ref: EntityRef | undefined) => ref !== undefined && refs.push(ref);
  if (device_fingerprint !== undefined) add(names.device(device_fingerprint));
  const address = ip_address === undefined ? undefined : ipPrefix(ip_address);
  if (address !== undefined) add(names.exact('ip', address));
  const country = phoneCountry(subject.billing_address?.country, ip?.country);
  const attributeRef = (key: string): EntityRef | undefined => {
    const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
    return value === undefined ? undefined : names.attribute(key, value, country);
  };
  for (const key of tracked_attributes) add(attributeRef(key));
  if (subject.agent !== undefined) add(agentRef(names, subject.agent));
  const tracked = refs.find(({ name, kind }) => name === CARD_KEY && kind === 'attribute');
  return { refs, card: attributeRef(ACCOUNT_KEY) ?? tracked ?? attributeRef(CARD_KEY) };
}

const CARD_KEY = 'card_fingerprint';
/**
 * The Payment Account Reference, which is the same for a card and all its tokens (emvco.com/emv-technologies/payment-tokenisation):
 * a wallet that makes a token per attempt is one card.
 */
const ACCOUNT_KEY = 'payment_account_reference';

/**
 * The attempt, as every entity that takes part will record it. It names the others by their pseudonyms: anyone who does
 * not know the stage's key cannot choose values that share a bucket of a sketch.
 */
export function attemptOf(
  subject: Subject,
  { ulid, atMs, claim }: ScreenedAs,
  ip: IpFacts | undefined,
  { refs, card }: Parties,
): Attempt {
  const { action, outcome, amount, currency } = subject;
  const usd = amount === undefined || currency === undefined ? undefined : atMostUsd(amount, currency);
  const attempt: { -readonly [Member in keyof Attempt]: Attempt[Member] } = {
    attempt_id: subjectId(subject.subject_type, ulid),
    at_ms: atMs,
    action,
    outcome,
    user_id: '',
  };
  for (const ref of refs) {
    if (ref.kind === 'user') attempt.user_id = pseudonymOf(ref);
    else if (ref.kind === 'device') attempt.device = pseudonymOf(ref);
    else if (ref.kind === 'ip') attempt.ip = pseudonymOf(ref);
  }
  if (subject.type_number !== undefined) attempt.type_number = subject.type_number;
  if (card !== undefined) attempt.card = pseudonymOf(card);
  if (claim !== undefined) attempt.repeat_key = attempt.user_id + claim.scope + claim.body_hash;
  if (amount !== undefined) attempt.amount = amount;
  if (currency !== undefined) attempt.currency = currency;
  if (usd !== undefined) attempt.amount_usd = usd;
  if (ip?.country !== undefined) attempt.country = ip.country;
  if (ip !== undefined) attempt.network = ip.network;
  return attempt;
}

const DIGIT = /\d/;
const DIGITS = /\d+/g;
const NO_LETTERS = /[^\p{L}]+/gu;
/** With fewer letters, too many people would share it: `4915112345@` of a provider that names mailboxes by phone number. */
const LEAST_LETTERS = 4;

/**
 * An email address without its numbers: `john.smith#@mail.example` for `john.smith381@` and `john.smith382@`.
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

/** The name of an email pattern among the networks, which are kept in the same way. */
export const EMAIL_PATTERN = 'email_pattern';

/**
 * The pattern of a subject's email address, for what new accounts do: sign up and buy. None if the account does not keep
 * histories of email addresses.
 */
export function emailPatternOf(
  names: EntityNames,
  { action, custom_attributes: attributes = {} }: Pick<Subject, 'action' | 'custom_attributes'>,
  { tracked_attributes }: Pick<AccountSettings, 'tracked_attributes'>,
): EntityRef[] {
  if (action !== 'transaction' && action !== 'signup') return [];
  const email = ownAttribute({ custom_attributes: attributes }, 'email');
  if (email === undefined || !tracked_attributes.includes('email')) return [];
  const pattern = emailPattern(email);
  return pattern === undefined ? [] : [names.exact('network', pattern, EMAIL_PATTERN)];
}

/** The networks around an IP address: its /24 or /48, and the autonomous system that announces it, if it is known. */
export function networksOf(names: EntityNames, ipAddress: string | undefined, ip: IpFacts | undefined): EntityRef[] {
  const around = ipAddress === undefined ? undefined : networkOf(ipAddress);
  if (around === undefined) return [];
  const refs = [names.exact('network', around.net)];
  if (ip?.asn !== undefined) refs.push(names.exact('network', `AS${ip.asn}`, 'asn'));
  return refs;
}

type Body = Omit<Subject, 'subject_type' | 'action' | 'outcome'>;

/** The subject to screen from the body of a payment. */
export const transactionSubject = (body: Body): Subject => ({
  ...body,
  subject_type: 'transaction',
  action: 'transaction',
  outcome: 'succeeded',
});

/** The body of an event: only types that take money have any. */
export type EventBody = Body & {
  readonly event_type: string;
  readonly outcome?: Subject['outcome'] | undefined;
};

/** The subject to screen from the body of an event, whose type is built in unless it is given. */
export function eventSubject(
  { event_type: action, outcome = 'succeeded', amount, currency, ...body }: EventBody,
  type?: Pick<EventTypeDeclaration, 'number' | 'amount'>,
): Subject {
  const subject: Subject = { ...body, subject_type: 'event', action, outcome };
  if (type === undefined) return subject;
  const own = { ...subject, type_number: type.number };
  if (type.amount === 'none' || amount === undefined) return own;
  return { ...own, amount, currency: currency?.toUpperCase() };
}

/** The settings, with an event type's own thresholds in place of the account's. */
export function withThresholds<Of extends { readonly settings: AccountSettings }>(
  caller: Of,
  type: Pick<EventTypeDeclaration, 'review_threshold' | 'block_threshold'> | undefined,
): Of {
  const { review_threshold, block_threshold } = type ?? {};
  if (review_threshold == null && block_threshold == null) return caller;
  const settings: AccountSettings = {
    ...caller.settings,
    ...(review_threshold == null ? {} : { review_threshold }),
    ...(block_threshold == null ? {} : { block_threshold }),
  };
  return { ...caller, settings };
}
